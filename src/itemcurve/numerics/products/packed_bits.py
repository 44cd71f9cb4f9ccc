"""Matrices of zeros and ones kept as single bits, eight to a byte, and products with them.

The bits of a tile that fits into the cache are turned into numbers, multiplied and forgotten:
memory is read once, one bit per entry.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np

from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import PerColumn, PerRow, axes

# Bytes of a tile, and of one row of it at most: its numbers stay near the processor.
_TILE, _TILE_BYTES = 2**15, 1536
_FEW_COLUMNS = 4
# Bytes of a tile of whole rows, whose numbers stay near the processor, too; of as many rows as
# answer together, since every asking takes a while; and of the longest such row.
_TILE_OF_ROWS, _ROWS_THAT_ANSWER, _NARROW_BYTES = 2**15, 2**20, 2**15
# Sums over this many entries are multiplied in 32 bits and added up in 64 from tile to tile: of ten
# thousand terms they are right to 4e-5, a millionth of what chance makes of them. Of fewer terms
# they are exact, for searches that end at the last digit.
_MANY_ENTRIES = 2048


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
        # Around their mean, sums stay small and lose few digits; the mean counts once per bit.
        mean = right.mean(axis=0) if self.is_rough(engine, right.shape[1]) else 0 * right[0]
        found = _ones_in_rows(self.bits)[:, None] * mean
        right = np.pad(right - mean, ((0, 8 * self.bits.shape[1] - right.shape[0]), (0, 0)))
        right = right.astype(self._kind(right), copy=False)
        for rows, bytes_ in self._tiles():
            columns = slice(8 * bytes_.start, 8 * bytes_.stop)
            found[rows] += _times(self._numbers_of(rows, bytes_, right.dtype), right[columns])
        return found

    def transposed_times(self, engine: Engine, right: Annotated[Array, axes("rows points")]) -> Any:
        """blockᵀ @ right."""
        if engine.name != "numpy":
            return self._numbers(engine).T @ right
        found = np.zeros((8 * self.bits.shape[1], right.shape[1]))
        right = right.astype(self._kind(right), copy=False)
        for rows, bytes_ in self._tiles():
            columns = slice(8 * bytes_.start, 8 * bytes_.stop)
            found[columns] += _times(self._numbers_of(rows, bytes_, right.dtype).T, right[rows])
        return found[: self.shape[1]]

    @property
    def is_narrow(self) -> bool:
        """Whether the numbers of a few whole rows fit into the cache."""
        return bool(self.bits.shape[1] <= _NARROW_BYTES)

    def there_and_back(
        self, right: PerColumn, answer: Callable[[PerRow], tuple[Array, ...]]
    ) -> tuple[PerColumn, tuple[Array, ...]]:
        """blockᵀ @ what rows answer to block @ right.

        Bits become numbers for each product anew: to keep those of all rows that answer together
        would take longer than to make them twice.

        Parameters
        ----------
        answer : of some rows' products, what goes back, and more (arrays of rows each).
        """
        wide = right[:, None]
        kind, width = self._kind(wide), self.bits.shape[1]
        mean = float(right.mean()) if self.is_rough(NUMPY, 1) else 0.0
        padded = np.pad(right - mean, (0, 8 * width - right.size)).astype(kind, copy=False)
        found, answers = np.zeros(8 * width), []
        height = max(8, _ROWS_THAT_ANSWER // width)
        for top in range(0, self.bits.shape[0], height):
            part = self.bits[top : top + height]
            sums = [_row_sums(tile, padded) for _, tile in _whole_rows(part, kind)]
            answers.append(answer(np.concatenate(sums) + mean * _ones_in_rows(part)))
            back = answers[-1][0].astype(kind, copy=False)
            for own, tile in _whole_rows(part, kind):
                found += back[own] @ tile
        rows = tuple(map(np.concatenate, zip(*answers, strict=True)))
        return found[: self.shape[1]], rows

    def toarray(self) -> Array:
        """The block as a plain array."""
        bits: Any = self.bits
        if isinstance(bits, np.ndarray):
            return np.unpackbits(bits, axis=1, count=self.shape[1])
        bits = (bits[:, :, None] >> np.arange(7, -1, -1, dtype=np.uint8)) & 1
        return bits.reshape(self.shape[0], -1)[:, : self.shape[1]]

    def _numbers(self, engine: Engine) -> Array:
        count = self.shape[1]
        return engine.xp.unpackbits(self.bits, axis=1, count=count).astype(engine.xp.float64)

    def is_rough(self, engine: Engine, width: int) -> bool:
        """Whether products with so many columns are taken in 32 bits."""
        is_long = self.shape[1] >= _MANY_ENTRIES
        return engine.name == "numpy" and width <= _FEW_COLUMNS and is_long

    def _kind(self, right: Array) -> Any:
        return np.float32 if self.is_rough(NUMPY, right.shape[1]) else np.float64

    def _tiles(self) -> Iterator[tuple[slice, slice]]:
        """Rows and bytes of each tile."""
        rows, width = self.bits.shape
        step = min(width, _TILE_BYTES)
        height = max(8, _TILE // step)
        for first in range(0, width, step):
            for top in range(0, rows, height):
                yield slice(top, top + height), slice(first, min(first + step, width))

    def _numbers_of(self, rows: slice, bytes_: slice, dtype: Any) -> Array:
        part = np.ascontiguousarray(self.bits[rows, bytes_])
        return np.unpackbits(part, axis=1).astype(dtype)


def _times(tile: Array, right: Array) -> Array:
    """Of few columns, products with one vector after the other are faster than with a matrix."""
    if right.shape[1] > _FEW_COLUMNS:
        return tile @ right
    return np.stack([tile @ column for column in np.ascontiguousarray(right.T)], axis=1)


def _ones_in_rows(bits: Annotated[Array, axes("rows bytes")]) -> PerRow:
    """How many bits of each row are set: of eight bytes at a time, then of those left over."""
    whole = bits.shape[1] - bits.shape[1] % 8
    words = np.ascontiguousarray(bits[:, :whole]).view(np.uint64)
    parts = (words, bits[:, whole:])
    counts = [np.bitwise_count(part).sum(axis=1, dtype=np.uint32) for part in parts]
    return np.add(*counts).astype(np.float64)


def _whole_rows(
    bits: Annotated[Array, axes("rows bytes")], dtype: Any
) -> Iterator[tuple[slice, Array]]:
    """Some rows at a time, and their bits as numbers, which the next ones replace."""
    height = max(8, _TILE_OF_ROWS // bits.shape[1])
    numbers = np.empty((height, 8 * bits.shape[1]), dtype)
    for top in range(0, len(bits), height):
        rows = slice(top, top + height)
        own = numbers[: len(bits[rows])]
        np.copyto(own, np.unpackbits(bits[rows], axis=1))
        yield rows, own


def _row_sums(tile: Array, right: Array) -> Array:
    """Tile @ right, added up in 64 bits from one run of columns to the next."""
    found = np.zeros(len(tile))
    for first in range(0, right.size, 8 * _TILE_BYTES):
        run = slice(first, first + 8 * _TILE_BYTES)
        found += tile[:, run] @ right[run]
    return found


def packed(values: Array) -> PackedBlock:
    """Pack a matrix of zeros and ones."""
    rows, columns = values.shape
    return PackedBlock(np.packbits(values != 0, axis=1), np.zeros((rows, columns, 0)))
