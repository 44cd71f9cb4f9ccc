"""Responses of one byte each that lie on a device, every cell observed once.

Sums over respondents or items are taken there; what is not a sum comes back to the host first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import get_engine
from itemcurve.responses.layouts.cells import Entries, ResponseCells, Transform
from itemcurve.responses.layouts.compaction import LARGEST_SMALL_INTEGER
from itemcurve.responses.layouts.dense_cells import DenseCells, dense_cells


@dataclass(frozen=True, eq=False)
class PlacedCells:
    """A full matrix of small integers as an array of JAX."""

    values: Any

    @property
    def shape(self) -> tuple[int, int]:
        """Respondents × items."""
        return (int(self.values.shape[0]), int(self.values.shape[1]))

    @property
    def on_host(self) -> DenseCells:
        """The same cells in the memory of the host."""
        return dense_cells(np.asarray(self.values), None)

    def accumulate(self, transform: Transform) -> Any:
        """Give transform(value) per cell; a transform that knows NumPy alone brings cells back."""
        return transform(self.values)

    def weight(self) -> None:
        """Each is 1."""
        return

    def observed_values(self) -> NDArray[Any]:
        """List the values of all cells."""
        return self.on_host.observed_values()

    def counts(self, axis: int) -> NDArray[np.int64]:
        """Count the cells along an axis."""
        return np.full(self.shape[1 - axis], self.shape[axis], dtype=np.int64)

    def totals(self, axis: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum values and weights along an axis."""
        sums = self.values.sum(axis=axis, dtype=np.int32)
        return np.asarray(sums, dtype=np.float64), self.counts(axis).astype(np.float64)

    def item_sums(self, right: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum value · right over the respondents (items × columns of `right`)."""
        engine = get_engine("jax")
        with engine.double_precision():
            run = engine.compile(type(engine).transposed_product, static=("self",))
            return np.asarray(run(engine, self.values, engine.place(right)))

    def array(self) -> NDArray[np.float64]:
        """Give respondents × items."""
        return self.on_host.array()

    def entries(self) -> Entries:
        """List the cells, row by row."""
        return self.on_host.entries()

    def take(self, rows: Sequence[int] | None, columns: Sequence[int] | None) -> "PlacedCells":
        """Keep these rows and columns, in this order; None keeps all."""
        chosen = self.values if rows is None else self.values[np.asarray(rows)]
        return PlacedCells(chosen if columns is None else chosen[:, np.asarray(columns)])

    def part(self, rng: np.random.Generator, share: float) -> tuple[ResponseCells, ResponseCells]:
        """Part the cells at random; the second part holds this share of them."""
        return self.on_host.part(rng, share)


def placed_cells(values: Any) -> PlacedCells | None:
    """Keep an array where it lies, if it is one of JAX that holds small integers."""
    is_placed = hasattr(values, "addressable_shards") and values.dtype in (np.int8, np.bool_)
    if not is_placed or values.ndim != 2 or not values.size:
        return None
    if int(values.min()) < 0 or int(values.max()) > LARGEST_SMALL_INTEGER:
        return None
    return PlacedCells(values)
