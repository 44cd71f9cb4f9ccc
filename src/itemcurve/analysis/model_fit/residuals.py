"""Residuals of responses: observed minus expected, in standard deviations of the response."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.result import FitResult
from itemcurve.models.mixed_likelihood import likelihood_of
from itemcurve.numerics.engine import NUMPY, Array, Matrix, as_dense
from itemcurve.responses.matrix import Responses

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
    # Columns of a sparse matrix are cheap to cut only from one that is stored by columns.
    whole = _by_columns(fit.responses) if fit.responses.is_sparse else None
    for first in range(0, n_items, width):
        columns = range(first, min(first + width, n_items))
        sums, weight = _cells_of(fit.responses, whole, columns)
        yield _residuals(fit, columns, as_dense(sums), None if weight is None else as_dense(weight))


def residuals_of(fit: FitResult, respondent: int) -> Array:
    """Give one respondent's residuals of all items in standard deviations, 0 where unanswered."""
    part = fit.responses.take([respondent], None)
    weight = part.weight()
    points = fit.estimates.ability_points[respondent : respondent + 1]
    return _residuals(
        fit,
        range(fit.responses.shape[1]),
        as_dense(part.accumulate(_float)),
        None if weight is None else as_dense(weight),
        points,
    ).standardised[0]


def _cells_of(
    responses: Responses, whole: tuple[Matrix, Matrix] | None, columns: range
) -> tuple[Matrix, Matrix | None]:
    """Sums and weights of some columns."""
    if whole is not None:
        sums, weight = whole
        return sums[:, columns.start : columns.stop], weight[:, columns.start : columns.stop]
    part = responses.take(None, list(columns))
    return part.accumulate(_float), part.weight()


def _by_columns(responses: Responses) -> tuple[Matrix, Matrix]:
    sums, weight = responses.accumulate(_float), responses.accumulate(_ones)
    assert not isinstance(sums, np.ndarray)
    assert not isinstance(weight, np.ndarray)
    return sums.tocsc(), weight.tocsc()


def _residuals(
    fit: FitResult,
    columns: range,
    sums: Array,
    weight: Array | None,
    points: Array | None = None,
) -> Residuals:
    model, estimates = fit.estimates.model, fit.estimates
    at = estimates.ability_points if points is None else points
    values = estimates.values[columns.start : columns.stop]
    moments = likelihood_of(model).response_moments(NUMPY, at, values)
    known = np.ones(sums.shape) if weight is None else np.asarray(weight, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        raw = np.where(known > 0, sums / known - moments[0].T, 0.0)
        variance = np.where(known > 0, moments[1].T / known, 0.0)
    return Residuals(columns, raw, variance, known)


def _float(values: Array) -> Array:
    return values.astype(float)


def _ones(values: Array) -> Array:
    return np.ones(values.shape)
