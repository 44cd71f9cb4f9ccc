"""Responses stored as a full matrix."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import NUMPY
from itemcurve.responses.layouts.cells import Entries, Transform, share_count
from itemcurve.responses.layouts.compaction import compact_values, compact_weights


@dataclass(frozen=True, eq=False)
class DenseCells:
    """A full matrix of values, and weights where not every cell was observed once.

    Values are int8 or float64, 0 where not observed. Weights are None (each cell observed
    exactly once), boolean (observed or not) or float64. Use `dense_cells` to build one.
    """

    values: NDArray[Any]
    weights: NDArray[Any] | None

    @property
    def shape(self) -> tuple[int, int]:
        """Respondents × items."""
        return (self.values.shape[0], self.values.shape[1])

    @property
    def observed(self) -> NDArray[np.bool_]:
        """Which cells were observed, respondents × items."""
        if self.weights is None:
            return np.ones(self.shape, dtype=np.bool_)
        return self.weights if self.weights.dtype == np.bool_ else self.weights > 0

    def accumulate(self, transform: Transform) -> NDArray[Any]:
        """Give weight · transform(value) per cell, 0 where not observed."""
        if self.weights is None:
            return transform(self.values)
        # Only observed values are transformed: the stored 0 of the others may have no logarithm.
        observed = self.observed
        terms = transform(self.values[observed])
        if self.weights.dtype != np.bool_:
            terms = terms * self.weights[observed]
        sums = np.zeros(self.shape, dtype=terms.dtype)
        sums[observed] = terms
        return sums

    def weight(self) -> NDArray[Any] | None:
        """Give the weight of each cell; None when each is 1."""
        return self.weights

    def observed_values(self) -> NDArray[Any]:
        """List the values of all observed cells."""
        return self.values.ravel() if self.weights is None else self.values[self.observed]

    def counts(self, axis: int) -> NDArray[np.int64]:
        """Count the observed cells along an axis."""
        if self.weights is None:
            return np.full(self.shape[1 - axis], self.shape[axis], dtype=np.int64)
        return np.asarray(np.count_nonzero(self.weights, axis=axis), dtype=np.int64)

    def totals(self, axis: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum weight · value and weight along an axis."""
        if self.weights is None or self.weights.dtype == np.bool_:
            counts = self.counts(axis).astype(np.float64)
            if self.values.dtype.kind == "f":
                return self.values.sum(axis=axis, dtype=np.float64), counts
            ones = np.ones((self.shape[axis], 1))
            multiply = NUMPY.product if axis == 1 else NUMPY.transposed_product
            return multiply(self.values, ones)[:, 0], counts
        return (self.values * self.weights).sum(axis=axis), self.weights.sum(axis=axis)

    def array(self) -> NDArray[np.float64]:
        """Give respondents × items, NaN where not observed."""
        values = self.values.astype(np.float64)
        if self.weights is not None:
            values[~self.observed] = np.nan
        return values

    def entries(self) -> Entries:
        """List the observed cells, row by row."""
        rows, columns = np.nonzero(self.observed)
        is_weighted = self.weights is not None and self.weights.dtype != np.bool_
        weights = self.weights[rows, columns] if is_weighted and self.weights is not None else None
        return Entries(rows, columns, self.values[rows, columns], weights)

    def take(self, rows: Sequence[int] | None, columns: Sequence[int] | None) -> "DenseCells":
        """Keep these rows and columns, in this order; None keeps all."""
        chosen: Any = slice(None) if rows is None else list(rows)
        if columns is not None:
            chosen = (chosen, list(columns)) if rows is None else np.ix_(rows, columns)
        weights = None if self.weights is None else self.weights[chosen]
        return dense_cells(self.values[chosen], weights)

    def item_sums(self, right: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum weight · value · right over the respondents (items × columns of `right`)."""
        values = self.values
        if self.weights is not None and self.weights.dtype != np.bool_:
            values = values * self.weights
        return NUMPY.transposed_product(values, right)

    def part(self, rng: np.random.Generator, share: float) -> "tuple[DenseCells, DenseCells]":
        """Part the observed cells at random; the second part holds this share of them."""
        places = np.flatnonzero(self.observed)
        held = np.zeros(self.values.size, dtype=np.bool_)
        held[rng.choice(places, size=share_count(places.size, share), replace=False)] = True
        chosen = held.reshape(self.shape)
        weights = np.ones(self.shape, dtype=np.bool_) if self.weights is None else self.weights
        return (
            dense_cells(self.values, weights * ~chosen),
            dense_cells(self.values, weights * chosen),
        )


def dense_cells(values: NDArray[Any], weights: NDArray[Any] | None) -> DenseCells:
    """Store a matrix compactly; weights of 0 mark cells not observed, None means all 1."""
    observed = None if weights is None else weights > 0
    return DenseCells(compact_values(values, observed), compact_weights(weights))
