"""χ² tests of item fit that need only residuals or the distribution of responses."""

import numpy as np

from itemcurve.analysis.model_fit.residuals import iterate_residuals
from itemcurve.estimation.result import FitResult
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array

SCORE, GROUPED, PIT = "S-X²", "χ² by ability", "χ² of the PIT"
Found = tuple[Array, Array, Array]
"""Statistic, degrees of freedom, p-value; one each per item."""

_LEAST_PER_GROUP = 10
_MOST_GROUPS = 10
# With fewer respondents groups are too small for χ²; with fewer items the error of abilities moves
# respondents between groups (30 × 40: 22 % of sound items rejected at the 5 % level).
_LEAST_RESPONDENTS = 100
_LEAST_ITEMS = 50
_BLOCK_CELLS = 2**20


def grouped_test(fit: FitResult) -> Found:
    """Yen's Q1: respondents in groups of ability, residual sums against their variance."""
    groups = _membership(fit)
    is_counted = isinstance(fit.estimates.model, HasCategories) or is_right_or_wrong(fit)
    if groups is None or not is_counted:
        return _unknown(len(fit.responses.items))
    found = []
    for block in iterate_residuals(fit):
        raw = groups @ (block.raw * block.weight)
        spread = groups @ (block.variance * block.weight**2)
        parts = np.zeros(raw.shape)
        np.divide(raw**2, spread, out=parts, where=spread > 0)
        found.append((parts.sum(axis=0), (spread > 0).sum(axis=0)))
    statistic, used = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return with_p_values(statistic, used - free_parameters(fit))


def pit_test(fit: FitResult, rng: np.random.Generator) -> Found:
    """χ² of u = F(y | θ) over equally likely bins; a censored response is uniform in its tail.

    With parameters estimated from the responses themselves the statistic lies between χ² with
    and without a degree of freedom less per parameter (Chernoff and Lehmann, 1954): none is taken
    off, so that the test errs on the safe side.
    """
    n_respondents, n_items = fit.responses.shape
    bins = min(_MOST_GROUPS, n_respondents // _LEAST_PER_GROUP)
    if n_respondents < _LEAST_RESPONDENTS:
        return _unknown(n_items)
    statistic, counts = np.empty(n_items), np.empty(n_items)
    width = max(1, _BLOCK_CELLS // n_respondents)
    for first in range(0, n_items, width):
        columns = list(range(first, min(first + width, n_items)))
        places = _transformed(fit, columns, rng)
        for column, place in zip(columns, places.T, strict=True):
            known = place[np.isfinite(place)]
            counts[column] = known.size
            seen = np.histogram(known, bins=bins, range=(0.0, 1.0))[0]
            expected = max(known.size, 1) / bins
            statistic[column] = ((seen - expected) ** 2).sum() / expected
    degrees = np.where(counts >= bins * _LEAST_PER_GROUP / 2, bins - 1, 0)
    return with_p_values(statistic, degrees)


def is_right_or_wrong(fit: FitResult) -> bool:
    """Say whether all responses are 0 or 1; shares of right answers vary less than those."""
    values = fit.responses.observed_values()
    if values.dtype.kind in "iub":
        return bool(values.min() >= 0 and values.max() <= 1)
    return bool(((values == 0) | (values == 1)).all())


def with_p_values(statistic: Array, degrees: Array) -> Found:
    """Add upper tail probabilities of χ²; none where no degree of freedom is left."""
    from scipy.special import chdtrc

    is_known = degrees > 0
    p_value = np.where(is_known, chdtrc(np.maximum(degrees, 1), statistic), np.nan)
    return np.where(is_known, statistic, np.nan), degrees, p_value


def free_parameters(fit: FitResult) -> int:
    """Number of parameters estimated per item."""
    return sum(spec.is_free for spec in fit.estimates.model.parameters)


def _membership(fit: FitResult) -> Array | None:
    """Groups of respondents by ability (groups × respondents), None when they are too few."""
    abilities = fit.estimates.abilities
    size = len(abilities)
    count = min(_MOST_GROUPS, size // _LEAST_PER_GROUP)
    if size < _LEAST_RESPONDENTS or fit.responses.shape[1] < _LEAST_ITEMS:
        return None
    membership = np.zeros((count, size))
    order = np.argsort(abilities, kind="stable")
    membership[np.arange(size) * count // size, order] = 1.0
    return membership


def _transformed(fit: FitResult, columns: list[int], rng: np.random.Generator) -> Array:
    """F(y | θ) of each cell (respondents × items), NaN where not observed."""
    model = fit.estimates.model
    family = model.family
    values = fit.estimates.values[columns]
    eta = [
        part.T for part in Likelihood(model).natural(NUMPY, fit.estimates.ability_points, values)
    ]
    observed = fit.responses.take(None, columns).array()
    lower, upper = model.boundary.bounds(family)
    with np.errstate(invalid="ignore", divide="ignore"):
        place = family.cumulative(eta, observed)
        if model.boundary.kind != "none":
            draw = rng.random(observed.shape)
            below = family.cumulative(eta, np.full_like(observed, lower))
            place = np.where(observed <= lower, draw * below, place)
            if np.isfinite(upper):
                above = family.cumulative(eta, np.full_like(observed, upper))
                place = np.where(observed >= upper, above + draw * (1 - above), place)
    return np.where(np.isnan(observed), np.nan, place)


def _unknown(items: int) -> Found:
    return np.full(items, np.nan), np.zeros(items, dtype=int), np.full(items, np.nan)
