"""Matrices of zeros and ones kept as single bits, eight to a byte, and products with them.

The bits of a tile that fits into the cache are turned into numbers, multiplied and forgotten:
memory is read once, one bit per entry.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import axes

# A tile of 512 × 512 numbers of eight bytes stays in the second cache of a processor.
_TILE_ROWS, _TILE_BYTES = 512, 64


class PackedBlock(NamedTuple):
    """A block of rows of bits.

    Attributes
    ----------
    bits : eight entries to a byte, the first in the highest bit; zeros beyond the last column.
    size : rows × columns × 0. It holds nothing: its shape is known when code is compiled.
    """

    bits: Annotated[Array, axes("rows bytes")]
    size: Annotated[Array, axes("rows columns 0")]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows × columns."""
        return self.size.shape[:2]

    def rows(self, first: int, last: int) -> "PackedBlock":
        """Some rows, next to each other."""
        return PackedBlock(self.bits[first:last], self.size[first:last])

    def times(self, engine: Engine, right: Annotated[Array, axes("columns points")]) -> Array:
        """Block @ right."""
        if engine.name != "numpy":
            return self._numbers(engine) @ right
        found = np.zeros((self.shape[0], right.shape[1]))
        right = np.pad(right, ((0, 8 * self.bits.shape[1] - right.shape[0]), (0, 0)))
        for first in range(0, self.bits.shape[1], _TILE_BYTES):
            columns = right[8 * first : 8 * (first + _TILE_BYTES)]
            for top in range(0, self.shape[0], _TILE_ROWS):
                rows = slice(top, top + _TILE_ROWS)
                found[rows] += _tile_times(self._tile(rows, first), columns)
        return found

    def transposed_times(self, engine: Engine, right: Annotated[Array, axes("rows points")]) -> Any:
        """blockᵀ @ right."""
        if engine.name != "numpy":
            return self._numbers(engine).T @ right
        found = np.zeros((8 * self.bits.shape[1], right.shape[1]))
        for first in range(0, self.bits.shape[1], _TILE_BYTES):
            columns = slice(8 * first, 8 * (first + _TILE_BYTES))
            for top in range(0, self.shape[0], _TILE_ROWS):
                rows = slice(top, top + _TILE_ROWS)
                found[columns] += _tile_times(self._tile(rows, first).T, right[rows])
        return found[: self.shape[1]]

    def toarray(self) -> Array:
        """The block as a plain array."""
        if isinstance(self.bits, np.ndarray):
            return np.unpackbits(self.bits, axis=1, count=self.shape[1])
        shifts = np.arange(7, -1, -1, dtype=np.uint8)
        bits: Any = (self.bits[:, :, None] >> shifts) & 1
        return bits.reshape(self.shape[0], -1)[:, : self.shape[1]]

    def _numbers(self, engine: Engine) -> Array:
        count = self.shape[1]
        return engine.xp.unpackbits(self.bits, axis=1, count=count).astype(engine.xp.float64)

    def _tile(self, rows: slice, first: int) -> Array:
        part = np.ascontiguousarray(self.bits[rows, first : first + _TILE_BYTES])
        return np.unpackbits(part, axis=1).astype(np.float64)


def _tile_times(tile: Array, right: Array) -> Array:
    """Of one or two columns, two products with a vector are faster than one with a matrix."""
    if right.shape[1] > 4:
        return tile @ right
    return np.stack([tile @ column for column in np.ascontiguousarray(right.T)], axis=1)


def packed(values: Array) -> PackedBlock:
    """Pack a matrix of zeros and ones."""
    rows, columns = values.shape
    return PackedBlock(np.packbits(values != 0, axis=1), np.zeros((rows, columns, 0)))
