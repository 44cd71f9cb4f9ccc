"""Responses stored as one entry per observation, for sparse and repeated measurements."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.responses.layouts.cells import Entries, Transform, share_count
from itemcurve.responses.layouts.compaction import compact_values, compact_weights

if TYPE_CHECKING:
    from scipy.sparse import csr_array


# Entries worked on at a time where numbers of eight bytes are made of those of one.
_CHUNK = 2**24


@dataclass(frozen=True, eq=False)
class LongCells:
    """One entry per observation, row by row and by column within each; cells may repeat or lack.

    Weights are None (1 each) or float64, all above 0. Use `long_cells` to build one.

    Attributes
    ----------
    starts : where the entries of each row begin, and the number of all (rows + 1).
    """

    starts: NDArray[np.integer]
    columns: NDArray[np.integer]
    values: NDArray[Any]
    weights: NDArray[np.float64] | None
    shape: tuple[int, int]

    @property
    def rows(self) -> NDArray[np.integer]:
        """The row of each entry."""
        return np.repeat(np.arange(self.shape[0], dtype=self.columns.dtype), np.diff(self.starts))

    @cached_property
    def has_repeats(self) -> bool:
        """Whether a cell was observed more than once."""
        is_same = self.columns[1:] == self.columns[:-1]
        # The first entry of a row is a cell of its own.
        inner = self.starts[(self.starts > 0) & (self.starts < self.columns.size)]
        is_same[inner - 1] = False
        return bool(is_same.any())

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
        starts, columns = self.starts, self.columns
        if self.has_repeats:
            weights = self._weights()
            starts, columns = weights.indptr, weights.indices
        if axis == 1:
            return np.diff(starts).astype(np.int64)
        return np.bincount(columns, minlength=self.shape[1]).astype(np.int64)

    def totals(self, axis: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum weight · value and weight along an axis."""
        return self._row_totals if axis == 1 else self._column_totals

    @cached_property
    def _row_totals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        counts = np.diff(self.starts).astype(np.float64)
        if self.weights is None:
            return self._sums_of_rows(self.values), counts
        return self._sums_of_rows(self.weights * self.values), self._sums_of_rows(self.weights)

    def _sums_of_rows(self, terms: NDArray[Any]) -> NDArray[np.float64]:
        """Sum terms, one per entry, row by row; rows without entries have none."""
        sums, has_entries = np.zeros(self.shape[0]), np.diff(self.starts) > 0
        if terms.size:
            begins = self.starts[:-1][has_entries]
            sums[has_entries] = np.add.reduceat(terms, begins, dtype=np.float64)
        return sums

    @cached_property
    def _column_totals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        places, found = self.columns, np.zeros((2, self.shape[1]))
        for first in range(0, self.values.size, _CHUNK):
            part = slice(first, first + _CHUNK)
            weights = None if self.weights is None else self.weights[part]
            terms = self.values[part] if weights is None else weights * self.values[part]
            for sums, own in zip(found, (terms, weights), strict=True):
                sums += np.bincount(places[part], weights=own, minlength=sums.size)
        return found[0], found[1]

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
        return Entries(self.rows, self.columns, self.values, self.weights)

    def take(self, rows: Sequence[int] | None, columns: Sequence[int] | None) -> "LongCells":
        """Keep these rows and columns, in this order; None keeps all."""
        found = self if rows is None else self._taken_rows(np.asarray(rows, dtype=np.intp))
        return found if columns is None else found._taken_columns(columns)

    def _taken_rows(self, rows: NDArray[np.intp]) -> "LongCells":
        counts = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(self.starts.dtype)
        places = np.repeat(self.starts[rows] - starts[:-1], counts) + np.arange(starts[-1])
        weights = None if self.weights is None else self.weights[places]
        parts = starts, self.columns[places], self.values[places], weights
        return _read_only(LongCells(*parts, (len(rows), self.shape[1])))

    def _taken_columns(self, columns: Sequence[int]) -> "LongCells":
        places = _new_places(columns, self.shape[1])[self.columns]
        kept, shape = places >= 0, (self.shape[0], len(columns))
        weights = None if self.weights is None else self.weights[kept]
        if not bool(np.all(np.diff(columns) > 0)):
            return long_cells(self.rows[kept], places[kept], self.values[kept], weights, shape)
        starts = np.concatenate([[0], np.cumsum(kept)])[self.starts].astype(self.starts.dtype)
        found = places[kept].astype(self.columns.dtype)
        return _read_only(LongCells(starts, found, self.values[kept], weights, shape))

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
        from scipy.sparse import csr_array

        parts = terms, self.columns, self.starts
        if not self.has_repeats:
            return csr_array(parts, shape=self.shape)
        found = csr_array(parts, shape=self.shape, copy=True)
        found.sum_duplicates()
        return found


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
    values, weights = compact_values(values, None), compact_weights(weights)
    index_type = np.int32 if max(*shape, values.size) <= np.iinfo(np.int32).max else np.int64
    rows, columns = rows.astype(index_type, copy=False), columns.astype(index_type, copy=False)
    if _is_in_order(rows, columns):
        starts: NDArray[Any] = np.searchsorted(rows, np.arange(shape[0] + 1)).astype(index_type)
        columns = columns.copy()
    else:
        starts, columns, order = _in_order(rows, columns, shape)
        values = values[order]
        weights = None if weights is None else weights[order]
    return _read_only(LongCells(starts, columns, values, weights, shape))


def _read_only(cells: LongCells) -> LongCells:
    for array in (cells.starts, cells.columns, cells.values, cells.weights):
        if array is not None:
            array.setflags(write=False)
    return cells


def _is_in_order(rows: NDArray[np.integer], columns: NDArray[np.integer]) -> bool:
    """Whether entries come row by row, and by column within each."""
    is_later = columns[1:] >= columns[:-1]
    is_later &= rows[1:] == rows[:-1]
    is_later |= rows[1:] > rows[:-1]
    return bool(is_later.all())


def _in_order(
    rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]
) -> tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.integer]]:
    """Where rows start, the columns row by row, and which entry each was.

    Sorted by column, then by row: counting twice takes a fraction of the time of comparing.
    """
    from scipy.sparse import coo_array

    places = np.arange(rows.size, dtype=rows.dtype)
    entries = coo_array((places, (columns, rows)), shape=shape[::-1])
    # Otherwise repeats would be added up.
    entries.has_canonical_format = True
    found = entries.tocsr().tocsc()
    return found.indptr, found.indices, found.data


def _new_places(kept: Sequence[int], count: int) -> NDArray[np.int64]:
    """Map old positions to new ones, -1 for those left out."""
    places = np.full(count, -1, dtype=np.int64)
    places[np.asarray(kept, dtype=np.int64)] = np.arange(len(kept))
    return places
