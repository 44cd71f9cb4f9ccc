"""The leaderboard of votes: strengths, the ranks each may have, tiers, win rates."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.respondents.paired_differences import PairedDifferences, adjust_p_values
from itemcurve.analysis.respondents.rank_bounds import rank_bounds
from itemcurve.analysis.respondents.tiers import assign_tiers_by_pairs
from itemcurve.pairs.unbounded_strengths import near_end, sweep_p_values
from itemcurve.pairs.votes.vote_data import Floats
from itemcurve.pairs.win_rates import expected_win_rates, plain_records
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

    from itemcurve.pairs.pair_fit import PairFit

Counts = NDArray[np.int64]
# Degrees of freedom of errors that no clusters limit.
_MANY = 1e9


@dataclass(frozen=True, eq=False)
class PairBoard:
    """Respondents by strength, the best first.

    Attributes
    ----------
    strength, strength_se, lower, upper : in logits, mean 0, with the interval at `level`. ±∞ with
        one finite end for those who won or lost everything.
    best_rank, worst_rank : the ranks that each may have, all of them together with probability
        `1 − significance` (Holm over all pairs).
    tier : 1 for the best; a respondent heads the next when it is told apart from all of a tier.
        Those without a finite strength belong to the first or the last, and make one of their own
        where they are told apart from all others.
    expected_win_rate, expected_lower, expected_upper : share of wins, ties counted half, to expect
        against all others equally often, on either side, at equal style; NaN without a strength.
    win_rate : the same share as it was, whoever the opponents were: what a plain average says.
    votes : how many, by their weights.
    tie_rate, both_bad_rate : shares of its votes.
    p_values, adjusted : of no difference between two (respondents × respondents).
    """

    respondents: tuple[str, ...]
    strength: Floats
    strength_se: Floats
    lower: Floats
    upper: Floats
    best_rank: Counts
    worst_rank: Counts
    tier: Counts
    expected_win_rate: Floats
    expected_lower: Floats
    expected_upper: Floats
    win_rate: Floats
    votes: Floats
    tie_rate: Floats
    both_bad_rate: Floats
    p_values: Floats
    adjusted: Floats
    level: float
    significance: float

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent, the best first."""
        columns = (
            *("strength", "strength_se", "lower", "upper", "best_rank", "worst_rank", "tier"),
            *("expected_win_rate", "expected_lower", "expected_upper", "win_rate", "votes"),
            *("tie_rate", "both_bad_rate"),
        )
        ranks = np.arange(1, len(self.respondents) + 1)
        return tabulate(self, *columns, rank=ranks, respondent=self.respondents)

    def __repr__(self) -> str:
        tied = int((self.best_rank == 1).sum())
        return (
            f"PairBoard({len(self.respondents)} respondents, first {self.respondents[0]!r}, {tied} "
            "may be the best; .frame() has the table)"
        )


def build_board(fit: "PairFit") -> PairBoard:
    """Rank respondents by strength, and say how sure every rank is."""
    strengths = fit.estimates.strengths
    # Those of whom nothing is known come last.
    order = np.argsort(-np.where(np.isnan(strengths), -np.inf, strengths), kind="stable")
    p_values = _p_values(fit)[np.ix_(order, order)]
    adjusted = _adjust(p_values)
    ranked = strengths[order]
    keys = np.where(np.isnan(ranked), -np.inf, ranked)
    # Not a difference: two that are without end have none.
    signs: Floats = 1.0 * (keys[:, np.newaxis] > keys) - (keys[:, np.newaxis] < keys)
    best, worst = rank_bounds(signs, adjusted, fit.settings.significance)
    lower, upper = _intervals(fit)
    expected = expected_win_rates(fit)
    record = plain_records(fit)
    rates = {
        "expected_win_rate": expected[0],
        "expected_lower": expected[1],
        "expected_upper": expected[2],
        **dict(zip(("win_rate", "votes", "tie_rate", "both_bad_rate"), record, strict=True)),
    }
    return PairBoard(
        respondents=tuple(fit.respondents[row] for row in order.tolist()),
        strength=ranked,
        strength_se=fit.strength_errors[order],
        lower=lower[order],
        upper=upper[order],
        best_rank=best,
        worst_rank=worst,
        tier=_tiers(ranked, adjusted, fit.settings.significance),
        p_values=p_values,
        adjusted=adjusted,
        level=fit.settings.level,
        significance=fit.settings.significance,
        **{name: values[order] for name, values in rates.items()},
    )


def _tiers(ranked: Floats, adjusted: Floats, significance: float) -> Counts:
    """Give tiers of those with finite strengths, and put the others beside them.

    One who won all of six votes may be anybody's equal; as the head of a tier it would draw all
    others into it.
    """
    known = np.flatnonzero(np.isfinite(ranked))
    inside = np.ix_(known, known)
    tiers = np.zeros(len(ranked), dtype=np.int64)
    tiers[known] = assign_tiers_by_pairs(ranked[known], adjusted[inside], significance)
    last = int(tiers.max())
    for place in np.flatnonzero(~np.isfinite(ranked)):
        is_apart = bool((adjusted[place, known] < significance).all())
        is_above = ranked[place] > 0
        tiers[place] = 1 - is_apart if is_above else last + is_apart
    return tiers + (1 - int(tiers.min()))


def _p_values(fit: "PairFit") -> Floats:
    """Of no difference between two, whether or not their strengths are finite."""
    is_core = fit.setup.reach.is_core
    core = np.flatnonzero(is_core)
    covariance = fit.estimates.covariance[np.ix_(core, core)]
    own = np.diagonal(covariance)
    errors = np.sqrt(np.maximum(own[:, np.newaxis] + own - 2 * covariance, 0.0))
    np.fill_diagonal(errors, 0.0)
    pairs = PairedDifferences(
        fit.estimates.strengths[core], errors, 2, np.sqrt(own), fit.freedom or _MANY
    )
    found = np.ones((len(is_core), len(is_core))) if is_core.all() else sweep_p_values(fit)
    found[np.ix_(core, core)] = pairs.p_values
    np.fill_diagonal(found, 1.0)
    return found


def _adjust(p_values: Floats) -> Floats:
    first, second = np.triu_indices(len(p_values), 1)
    found = np.ones_like(p_values)
    adjusted = adjust_p_values(p_values[first, second], "holm")
    found[first, second] = found[second, first] = adjusted
    return found


def _intervals(fit: "PairFit") -> tuple[Floats, Floats]:
    reach = fit.reach(fit.settings.level)
    strengths, errors = fit.estimates.strengths, fit.strength_errors
    known = np.isfinite(strengths)
    lower = np.where(known, strengths - reach * errors, strengths)
    upper = np.where(known, strengths + reach * errors, strengths)
    for row in np.flatnonzero(~known):
        end = near_end(fit, int(row), fit.settings.level)
        is_above = strengths[row] > 0
        lower[row], upper[row] = (end, np.inf) if is_above else (-np.inf, end)
        if np.isnan(strengths[row]):
            lower[row], upper[row] = -np.inf, np.inf
    return lower, upper
