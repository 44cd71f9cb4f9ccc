"""What can be said of those who won or lost everything: one end of an interval, and ranks."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.pairs.model.davidson import log_probabilities
from itemcurve.pairs.model.parameter_layout import read_values
from itemcurve.pairs.model.vote_predictors import predict_rows
from itemcurve.pairs.pair_setup import code_rows
from itemcurve.pairs.votes.vote_data import Floats

if TYPE_CHECKING:
    from itemcurve.pairs.pair_fit import PairFit

_WIDEST = 60.0
# Points of the integral over a strength's error, and of the table that it is read from.
_NODES, _GRID = 21, 400


def sweep_log_probability(fit: "PairFit", row: int, strengths: Floats) -> Floats:
    """Give the log probability of one respondent's votes, were its strength each of these.

    Of its votes against others with finite strengths, which are taken as they are estimated; 0
    where it met none of them.
    """
    setup, estimates = fit.setup, fit.estimates
    is_core = setup.reach.is_core
    rows = setup.rows
    met = ((rows.first == row) & is_core[rows.second]) | (
        (rows.second == row) & is_core[rows.first]
    )
    if not met.any():
        return np.zeros(len(strengths))
    own = rows.take(met)
    codings = code_rows(setup, own)
    values = read_values(estimates.layout, estimates.theta)
    found = np.empty(len(strengths))
    for place, strength in enumerate(strengths):
        trial = estimates.strengths.copy()
        trial[row] = strength
        eta, tau = predict_rows(replace(values, strengths=trial), own, codings)
        logs = np.stack(log_probabilities(eta, tau), axis=1)
        found[place] = float((own.counts * logs).sum())
    return found


def near_end(fit: "PairFit", row: int, level: float) -> float:
    """Give the finite end of the interval of one who won, or lost, everything.

    It is the strength at which so clean a record still has the probability (1 − level) / 2, as in
    the exact interval of a share of 0 or 1.
    """
    sign = int(fit.setup.reach.direction[row])
    if sign == 0:
        return -np.inf
    goal = np.log((1 - level) / 2)
    low, high = -_WIDEST, _WIDEST
    if sweep_log_probability(fit, row, np.array([sign * low]))[0] > goal:
        return float(-sign * np.inf)
    for _ in range(80):
        middle = (low + high) / 2
        is_above = sweep_log_probability(fit, row, np.array([sign * middle]))[0] > goal
        low, high = (low, middle) if is_above else (middle, high)
    return float(sign * high)


def _sweep_chances(fit: "PairFit", row: int, strengths: Floats, errors: Floats) -> Floats:
    """Give the probability of a clean record against strengths known up to their errors."""
    known = np.isfinite(errors)
    if not known.all():
        # Of a fit that stopped early: against one whose error is not known nothing is sure.
        found = np.ones(len(strengths))
        if known.any():
            found[known] = _sweep_chances(fit, row, strengths[known], errors[known])
        return found
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    points = strengths[:, np.newaxis] + errors[:, np.newaxis] * nodes
    grid = np.linspace(points.min(), points.max(), _GRID)
    logs = np.interp(points, grid, sweep_log_probability(fit, row, grid))
    return np.exp(logs) @ (weights / weights.sum())


def sweep_p_values(fit: "PairFit") -> NDArray[np.float64]:
    """Give p-values of no difference from those without a finite strength, NaN between the others.

    Against one with a finite strength: twice the probability of so clean a record, were the two
    equally strong, averaged over what that strength may be by its error. Between two with none: 1
    on the same side, and of one above and one below the least that somebody between them gives.
    """
    strengths, is_core = fit.estimates.strengths, fit.setup.reach.is_core
    direction = fit.setup.reach.direction
    size = len(strengths)
    found = np.full((size, size), np.nan)
    core = np.flatnonzero(is_core)
    outside = np.flatnonzero(~is_core)
    for row in outside:
        chances = _sweep_chances(fit, int(row), strengths[core], fit.strength_errors[core])
        found[row, core] = np.minimum(2 * chances, 1.0) if direction[row] else 1.0
        found[core, row] = found[row, core]
    for first in outside:
        for second in outside:
            between = np.maximum(found[first, core], found[second, core]).min()
            is_apart = direction[first] * direction[second] < 0
            found[first, second] = between if is_apart else 1.0
    return found
