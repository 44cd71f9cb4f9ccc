"""Responses right or wrong, one bit each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.products.packed_bits import PackedBlock, packed
from itemcurve.responses.layouts.cells import Entries, ResponseCells, Transform
from itemcurve.responses.layouts.dense_cells import DenseCells, dense_cells

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class BitCells:
    """A full matrix of zeros and ones, and which cells were observed (None: all)."""

    values: PackedBlock
    observed: PackedBlock | None

    @property
    def shape(self) -> tuple[int, int]:
        """Respondents × items."""
        return self.values.shape

    def accumulate(self, transform: Transform) -> "NDArray[Any] | csr_array | Any":
        """Sum transform(value) per cell, 0 where not observed; bits where that is what they are."""
        wrong, right = np.asarray(transform(np.array([0, 1], dtype=np.int8)), dtype=float)
        if (wrong, right) == (0.0, 1.0):
            return self.values
        if (wrong, right) == (0.0, 0.0):
            from scipy.sparse import csr_array

            return csr_array(self.shape)
        return self.dense().accumulate(transform)

    def weight(self) -> Any:
        """Which cells were observed; None when all were."""
        return self.observed

    def observed_values(self) -> NDArray[Any]:
        """List the values of all observations."""
        return self.dense().observed_values()

    def distinct_values(self) -> NDArray[Any]:
        """Every value that may occur."""
        return np.array([0, 1], dtype=np.int8)

    def counts(self, axis: int) -> NDArray[np.int64]:
        """Count the observed cells along an axis."""
        if self.observed is None:
            return np.full(self.shape[1 - axis], self.shape[axis], dtype=np.int64)
        return _sums(self.observed, axis).astype(np.int64)

    def totals(self, axis: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum weight · value and weight along an axis."""
        return _sums(self.values, axis), self.counts(axis).astype(np.float64)

    def array(self) -> NDArray[np.float64]:
        """Give respondents × items, NaN where not observed."""
        return self.dense().array()

    def entries(self) -> Entries:
        """List the observed cells, row by row."""
        return self.dense().entries()

    def take(self, rows: Sequence[int] | None, columns: Sequence[int] | None) -> ResponseCells:
        """Keep these rows and columns, in this order, a byte each; None keeps all."""
        chosen = np.arange(self.shape[0]) if rows is None else np.asarray(rows, dtype=np.int64)
        observed = None if self.observed is None else _chosen(self.observed, chosen)
        part = BitCells(_chosen(self.values, chosen), observed)
        return part.dense().take(None, columns)

    def part(self, rng: np.random.Generator, share: float) -> tuple[ResponseCells, ResponseCells]:
        """Part the observed cells at random."""
        return self.dense().part(rng, share)

    def dense(self) -> DenseCells:
        """The same responses, a byte each."""
        observed = None if self.observed is None else self.observed.toarray().astype(np.bool_)
        return dense_cells(self.values.toarray(), observed)


def bit_cells(values: NDArray[Any], observed: NDArray[Any] | None) -> BitCells:
    """Pack a matrix of zeros and ones, 0 where not observed."""
    return BitCells(packed(values), None if observed is None else packed(observed))


def _chosen(block: PackedBlock, rows: NDArray[np.int64]) -> PackedBlock:
    return PackedBlock(block.bits[rows], np.zeros((rows.size, block.shape[1], 0)))


def _sums(block: PackedBlock, axis: int) -> NDArray[np.float64]:
    if axis == 1:
        found: NDArray[np.float64] = np.bitwise_count(block.bits).sum(axis=1, dtype=np.float64)
        return found
    # Exact in 32 bits too: tiles have few rows, and sums of ones are whole numbers.
    return np.asarray(block.transposed_times(NUMPY, np.ones((block.shape[0], 1)))[:, 0])
