"""Responses stored as one entry per observation, for sparse and repeated measurements."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.responses.layouts.cells import Entries, Transform, share_count
from itemcurve.responses.layouts.compaction import compact_values, compact_weights

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class LongCells:
    """One entry per observation; cells may repeat or be absent.

    Weights are None (1 each) or float64, all above 0. Use `long_cells` to build one.
    """

    rows: NDArray[np.integer]
    columns: NDArray[np.integer]
    values: NDArray[Any]
    weights: NDArray[np.float64] | None
    shape: tuple[int, int]

    def accumulate(self, transform: Transform) -> "csr_array":
        """Sum weight · transform(value) over the observations of each cell.

        A cell whose sum is 0 stays stored, so the pattern is that of the weights.
        """
        terms = np.asarray(transform(self.values), dtype=np.float64)
        return self._sum_cells(terms if self.weights is None else terms * self.weights)

    def weight(self) -> "csr_array | None":
        """Sum the weights of each cell; None when each is 1."""
        weights = self._weights()
        is_complete = weights.nnz == self.shape[0] * self.shape[1]
        return None if is_complete and bool(np.all(weights.data == 1)) else weights

    def observed_values(self) -> NDArray[Any]:
        """List the values of all observations."""
        return self.values

    def counts(self, axis: int) -> NDArray[np.int64]:
        """Count the observed cells along an axis; a repeated cell counts once."""
        weights = self._weights()
        if axis == 1:
            return np.diff(weights.indptr).astype(np.int64)
        return np.bincount(weights.indices, minlength=self.shape[1]).astype(np.int64)

    def totals(self, axis: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum weight · value and weight along an axis."""
        places, size = (self.rows, self.shape[0]) if axis == 1 else (self.columns, self.shape[1])
        weights = np.ones(self.values.size) if self.weights is None else self.weights
        sums = np.bincount(places, weights=weights * self.values, minlength=size)
        totals = np.bincount(places, weights=weights, minlength=size)
        return sums.astype(np.float64), totals.astype(np.float64)

    def array(self) -> NDArray[np.float64]:
        """Give respondents × items, the weighted mean of each cell, NaN where not observed."""
        weights = self._weights()
        sums = self.accumulate(lambda values: values)
        values = np.full(self.shape, np.nan)
        rows = np.repeat(np.arange(self.shape[0]), np.diff(weights.indptr))
        values[rows, weights.indices] = sums.data / weights.data
        return values

    def entries(self) -> Entries:
        """List the observations, row by row."""
        order = np.lexsort((self.columns, self.rows))
        weights = None if self.weights is None else self.weights[order]
        return Entries(self.rows[order], self.columns[order], self.values[order], weights)

    def take(self, rows: Sequence[int] | None, columns: Sequence[int] | None) -> "LongCells":
        """Keep these rows and columns, in this order; None keeps all."""
        rows = range(self.shape[0]) if rows is None else rows
        columns = range(self.shape[1]) if columns is None else columns
        new_rows = _new_places(rows, self.shape[0])[self.rows]
        new_columns = _new_places(columns, self.shape[1])[self.columns]
        kept = (new_rows >= 0) & (new_columns >= 0)
        weights = None if self.weights is None else self.weights[kept]
        shape = (len(rows), len(columns))
        return long_cells(new_rows[kept], new_columns[kept], self.values[kept], weights, shape)

    def part(self, rng: np.random.Generator, share: float) -> "tuple[LongCells, LongCells]":
        """Part the observed cells at random; the repeats of a cell stay together."""
        keys = self.rows.astype(np.int64) * self.shape[1] + self.columns
        cells, cell_of_entry = np.unique(keys, return_inverse=True)
        held = np.zeros(cells.size, dtype=np.bool_)
        held[rng.choice(cells.size, size=share_count(cells.size, share), replace=False)] = True
        is_held = held[cell_of_entry]
        return self._keep(~is_held), self._keep(is_held)

    def _keep(self, kept: NDArray[np.bool_]) -> "LongCells":
        weights = None if self.weights is None else self.weights[kept]
        return long_cells(
            self.rows[kept], self.columns[kept], self.values[kept], weights, self.shape
        )

    def _weights(self) -> "csr_array":
        return self._sum_cells(np.ones(self.values.size) if self.weights is None else self.weights)

    def _sum_cells(self, terms: NDArray[np.float64]) -> "csr_array":
        # scipy.sparse is imported here because dense data, the common case, never need it.
        from scipy.sparse import coo_array

        return coo_array((terms, (self.rows, self.columns)), shape=self.shape).tocsr()


def long_cells(
    rows: NDArray[np.integer],
    columns: NDArray[np.integer],
    values: NDArray[Any],
    weights: NDArray[Any] | None,
    shape: tuple[int, int],
) -> LongCells:
    """Store observations compactly; those of weight 0 are left out, None means all 1."""
    if weights is not None and not np.all(weights > 0):
        kept = weights > 0
        rows, columns, values, weights = rows[kept], columns[kept], values[kept], weights[kept]
    index_type = np.int32 if max(shape) <= np.iinfo(np.int32).max else np.int64
    rows, columns = rows.astype(index_type), columns.astype(index_type)
    rows.setflags(write=False)
    columns.setflags(write=False)
    return LongCells(rows, columns, compact_values(values, None), compact_weights(weights), shape)


def _new_places(kept: Sequence[int], count: int) -> NDArray[np.int64]:
    """Map old positions to new ones, -1 for those left out."""
    places = np.full(count, -1, dtype=np.int64)
    places[np.asarray(kept, dtype=np.int64)] = np.arange(len(kept))
    return places
