"""Residuals of responses: observed minus expected, in standard deviations of the response."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import NUMPY, Array

_BLOCK_CELLS = 2**21


@dataclass(frozen=True, eq=False)
class Residuals:
    """Some items' cells (respondents × items), zero where nothing was observed.

    Attributes
    ----------
    columns : positions of the items.
    raw : mean response of the cell minus its expectation at the estimated ability.
    variance : of that mean.
    weight : number of observations.
    """

    columns: range
    raw: Array
    variance: Array
    weight: Array

    @property
    def standardised(self) -> Array:
        """Raw residuals in standard deviations."""
        found = np.zeros(self.raw.shape)
        np.divide(self.raw, np.sqrt(self.variance), out=found, where=self.variance > 0)
        return found


def iterate_residuals(fit: FitResult) -> Iterator[Residuals]:
    """Give the residuals of all items, a block of items at a time."""
    n_respondents, n_items = fit.responses.shape
    width = max(1, _BLOCK_CELLS // n_respondents)
    for first in range(0, n_items, width):
        yield residuals_of(fit, range(first, min(first + width, n_items)))


def residuals_of(fit: FitResult, columns: range) -> Residuals:
    """Give the residuals of the items at these positions."""
    model, estimates = fit.estimates.model, fit.estimates
    values = estimates.values[columns.start : columns.stop]
    eta = model.natural(NUMPY, estimates.abilities, values)
    responses = fit.responses.take(None, list(columns))
    weight = _dense(responses.weight(), responses.shape)
    sums = _dense(responses.accumulate(_float), responses.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        raw = np.where(weight > 0, sums / weight - model.family.mean(NUMPY, eta).T, 0.0)
        variance = np.where(weight > 0, model.family.variance(NUMPY, eta).T / weight, 0.0)
    return Residuals(columns, raw, variance, weight)


def _dense(cells: Array | None, shape: tuple[int, int]) -> Array:
    if cells is None:
        return np.ones(shape)
    dense = cells.toarray() if hasattr(cells, "toarray") else cells
    return np.asarray(dense, dtype=float)


def _float(values: Array) -> Array:
    return values.astype(float)
