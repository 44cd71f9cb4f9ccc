"""Win rates: to be expected against everybody, and as they were."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.pairs.model.davidson import NEVER, expected_share
from itemcurve.pairs.model.parameter_layout import ITEM_SLOPE, read_values
from itemcurve.pairs.votes.vote_data import Floats

if TYPE_CHECKING:
    from itemcurve.pairs.pair_fit import PairFit

# Items that an average over all of them is made of.
_MOST_ITEMS = 400


def expected_shares(fit: "PairFit") -> tuple[Floats, Floats]:
    """Give the share of wins, ties half, of the row's against the column's, and its derivative.

    The average of both orders of the sides and, where items have parameters of their own, of the
    items; before the average judge, at equal style. The derivative is in the difference of their
    strengths. NaN without finite strengths.
    """
    values = read_values(fit.estimates.layout, fit.estimates.theta)
    is_known = np.isfinite(fit.estimates.strengths)
    strengths = np.where(is_known, fit.estimates.strengths, 0.0)
    gap = strengths[:, np.newaxis] - strengths
    side = _reference_sides(fit)
    shares, slopes = np.zeros_like(gap), np.zeros_like(gap)
    chosen = _some_items(fit)
    for item in chosen:
        slope, tau = values.item_slopes[item], NEVER
        if values.ties is not None:
            tau = values.ties + values.item_ties[item]
        eta = slope * gap + side * values.item_difficulties[item]
        for order in (values.order, -values.order):
            share, change = expected_share(eta + order, np.full_like(gap, tau))
            shares += share / (2 * len(chosen))
            slopes += slope * change / (2 * len(chosen))
    is_unknown = ~np.outer(is_known, is_known)
    shares[is_unknown] = slopes[is_unknown] = np.nan
    return shares, slopes


def _some_items(fit: "PairFit") -> list[int]:
    """Items to average over, evenly from the least to the most discriminating; −1, the average."""
    count = fit.estimates.layout.n_items
    if not count:
        return [-1]
    order = np.argsort(fit.estimates.layout.block(fit.estimates.theta, ITEM_SLOPE), kind="stable")
    places = np.unique(np.linspace(0, count - 1, min(count, _MOST_ITEMS)).round().astype(int))
    return [int(item) for item in order[places]]


def _reference_sides(fit: "PairFit") -> Floats:
    """+1 in the row of the reference, −1 in its column (respondents × respondents)."""
    sides = np.zeros((len(fit.respondents), len(fit.respondents)))
    if fit.setup.reference is not None:
        code = fit.respondents.index(fit.setup.reference)
        sides[code] += 1.0
        sides[:, code] -= 1.0
    return sides


def expected_win_rates(fit: "PairFit") -> tuple[Floats, Floats, Floats]:
    """Give the share of wins to expect against all others equally often, with its interval.

    Errors are those of strengths; the share of ties and the advantage of a side are taken as they
    are estimated.
    """
    shares, slopes = expected_shares(fit)
    known = np.isfinite(fit.estimates.strengths)
    found = np.full((3, len(known)), np.nan)
    core = np.ix_(known, known)
    count = int(known.sum()) - 1
    shares, slopes = shares[core], slopes[core]
    np.fill_diagonal(shares, 0.0)
    np.fill_diagonal(slopes, 0.0)
    change = (np.diag(slopes.sum(axis=1)) - slopes) / count
    variances = ((change @ fit.estimates.covariance[core]) * change).sum(axis=1)
    rates = shares.sum(axis=1) / count
    room = fit.reach(fit.settings.level) * np.sqrt(np.maximum(variances, 0.0))
    found[:, known] = rates, np.maximum(rates - room, 0.0), np.minimum(rates + room, 1.0)
    return found[0], found[1], found[2]


def plain_records(fit: "PairFit") -> tuple[Floats, Floats, Floats, Floats]:
    """Give the share of wins (ties half) as it was, votes, and shares of ties and both bad."""
    rows, size = fit.setup.rows, len(fit.respondents)
    for_a, for_b, ties = rows.counts.T

    def add(first: Floats, second: Floats) -> Floats:
        return np.bincount(rows.first, first, size) + np.bincount(rows.second, second, size)

    votes = add(for_a + for_b + ties, for_a + for_b + ties)
    wins = add(for_a + ties / 2, for_b + ties / 2)
    return wins / votes, votes, add(ties, ties) / votes, add(rows.both_bad, rows.both_bad) / votes
