"""Blocks of rows of sparse matrices, as each engine multiplies them fastest.

NumPy takes SciPy's compressed rows. Compiled code takes entries in the order of their rows, padded
so that blocks have one shape; sums over entries are then one indexed addition.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Entries of one block: enough that there are few sums over columns to add up. Compiled code holds
# as many rows of what they are multiplied by.
_ENTRIES = {"numpy": 2**20, "jax": 2**18}
# Compiled code multiplies full matrices so much faster that above this share it takes them as such.
_FULL_ENOUGH = 1 / 32


class SparseBlock(NamedTuple):
    """Entries of a block of rows, row by row.

    Attributes
    ----------
    values : what is added up; 0 for padding.
    rows, columns : where.
    size : rows × columns × 0. It holds nothing: its shape is known when code is compiled.
    """

    values: Annotated[Array, axes("entries")]
    rows: Annotated[Array, axes("entries")]
    columns: Annotated[Array, axes("entries")]
    size: Annotated[Array, axes("rows columns 0")]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows × columns."""
        return self.size.shape[:2]

    def times(self, engine: Engine, right: Annotated[Array, axes("columns points")]) -> Array:
        """Block @ right."""
        terms = self.values[:, None] * right[self.columns]
        return engine.sum_at(self.rows, terms, self.shape[0], is_sorted=True)

    def transposed_times(self, engine: Engine, right: Annotated[Array, axes("rows points")]) -> Any:
        """blockᵀ @ right."""
        return engine.sum_at(self.columns, self.values[:, None] * right[self.rows], self.shape[1])

    def toarray(self) -> Array:
        """The block as a plain array."""
        zeros: Any = self.size.sum(axis=2)
        return zeros.at[self.rows, self.columns].add(self.values)


class Bands(NamedTuple):
    """Rows sorted into bands of like ones.

    Attributes
    ----------
    order : the rows, band by band.
    edges : where bands begin in that order, and the number of all rows.
    """

    order: Annotated[Array, axes("rows")]
    edges: tuple[int, ...]


def is_sparse(block: object) -> bool:
    """Whether a matrix or block stores only some of its entries."""
    return isinstance(block, SparseBlock) or hasattr(block, "tocsr")


def suits(engine: Engine, matrices: Sequence[Any]) -> bool:
    """Whether matrices (None for ones) are to be multiplied as sparse ones."""
    if any(m is not None and not hasattr(m, "tocsr") for m in matrices):
        return False
    found = [m for m in matrices if m is not None]
    if engine.name == "numpy" or not found:
        return bool(found)
    rows, columns = found[0].shape
    return max(m.nnz for m in found) < _FULL_ENOUGH * rows * columns


def entrywise(one: Any, other: Any) -> Any:
    """Product entry by entry of two sparse blocks; None stands for ones.

    What the first has stored, the second has too, unless it left out zeros.
    """
    if one is None or other is None:
        return other if one is None else one
    if _has_ones(other) and (one is other or one.nnz <= other.nnz):
        return one
    if not isinstance(one, SparseBlock):
        return one.multiply(other).tocsr()
    return one._replace(values=one.values * other.values)


def split_sparse(
    engine: Engine, matrices: Sequence[Any], rows: int, size: int, bands: Bands | None = None
) -> list[tuple[Any, ...]]:
    """Cut sparse matrices of one shape (None for ones) into blocks of rows of about equal work.

    Parameters
    ----------
    size : the most rows of a block, roughly.
    bands : in which order rows come, and where a block must end.
    """
    # Compiled blocks keep stored zeros, so that all channels have one pattern.
    prepare = _ones_shared if engine.name == "numpy" else _as_floats
    compressed = [None if m is None else prepare(m.tocsr()) for m in matrices]
    present = [m for m in compressed if m is not None]
    counts = np.diff(max(present, key=lambda m: m.nnz).indptr)
    edges = _edges(engine, counts, size) if bands is None else _band_edges(counts, size, bands)
    order = None if bands is None else bands.order
    if engine.name == "numpy":
        return [
            tuple(None if m is None else _rows_of(m, *edge, order) for m in compressed)
            for edge in pairwise(edges)
        ]
    lengths = [0 if m is None else int(np.diff(m.indptr[edges]).max()) for m in compressed]
    return [
        tuple(
            None if m is None else _padded(engine, m, edge, length)
            for m, length in zip(compressed, lengths, strict=True)
        )
        for edge in pairwise(edges)
    ]


def _band_edges(counts: Array, size: int, bands: Bands) -> list[int]:
    """Where blocks begin and end, in the order of bands."""
    parts = [
        first + np.array(_edges(NUMPY, counts[bands.order[first:last]], size))
        for first, last in pairwise(bands.edges)
    ]
    return np.unique(np.concatenate(parts)).tolist()


def _edges(engine: Engine, counts: Array, size: int) -> list[int]:
    """Where blocks of rows with so many entries each begin and end."""
    rows = counts.size
    blocks = max(1, -(-int(counts.sum()) // _ENTRIES[engine.name]), -(-rows // size))
    blocks = min(blocks, rows)
    if engine.name != "numpy":
        # As many rows in each, as nearly as can be: every other number is compiled anew.
        return np.linspace(0, rows, blocks + 1).astype(int).tolist()
    # A row costs about as much as a few dozen entries.
    work = np.concatenate([[0], np.cumsum(counts + 32)])
    inner = np.searchsorted(work, np.linspace(0, work[-1], blocks + 1)[1:-1])
    return np.unique([0, *inner, rows]).tolist()


def _ones_shared(matrix: "csr_array") -> "csr_array":
    """The matrix without stored zeros; entries that are all one are kept once, not once each."""
    from scipy.sparse import csr_array

    data = matrix.data
    is_present = data != 0
    if not is_present.all():
        counts = np.concatenate([[0], np.cumsum(is_present)])
        starts = counts[matrix.indptr].astype(matrix.indptr.dtype)
        parts = data[is_present], matrix.indices[is_present], starts
        data, matrix = parts[0], csr_array(parts, shape=matrix.shape)
    if data.size and bool(np.all(data == 1)):
        ones = np.broadcast_to(np.float64(1.0), data.shape)
        return _built(ones, matrix.indices, matrix.indptr, matrix.shape)
    return _built(data.astype(float), matrix.indices, matrix.indptr, matrix.shape)


def _as_floats(matrix: "csr_array") -> "csr_array":
    return matrix.astype(float)


def _built(data: Array, indices: Array, starts: Array, shape: tuple[int, int]) -> "csr_array":
    """Compressed rows over these very arrays."""
    from scipy.sparse import csr_array

    made = csr_array(shape, dtype=data.dtype)
    made.data, made.indices, made.indptr = data, indices, starts
    return made


def _rows_of(matrix: "csr_array", first: int, last: int, order: Array | None) -> "csr_array":
    """Rows of a matrix; without a copy of their places where they are next to each other."""
    shape = last - first, matrix.shape[1]
    if order is None:
        begin, end = int(matrix.indptr[first]), int(matrix.indptr[last])
        starts = (matrix.indptr[first : last + 1] - begin).astype(np.int32)
        chosen: Any = slice(begin, end)
    else:
        rows = order[first:last]
        counts = matrix.indptr[rows + 1] - matrix.indptr[rows]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        chosen = np.repeat(matrix.indptr[rows] - starts[:-1], counts) + np.arange(starts[-1])
    is_ones = matrix.data.strides == (0,)
    data = _ones(int(starts[-1])) if is_ones else matrix.data[chosen]
    return _built(data, matrix.indices[chosen].astype(np.int32, copy=False), starts, shape)


def _has_ones(block: Any) -> bool:
    """Whether all entries of a block are the ones that blocks share."""
    return (
        hasattr(block, "data")
        and getattr(block.data, "base", None) is not None
        and (block.data.base is _power_of_ones(max(block.nnz - 1, 1).bit_length()))
    )


def _ones(count: int) -> Array:
    """That many ones, of an array that all blocks share."""
    return _power_of_ones(max(count - 1, 1).bit_length())[:count]


@cache
def _power_of_ones(bits: int) -> Array:
    ones = np.ones(2**bits)
    ones.setflags(write=False)
    return ones


def _padded(engine: Engine, matrix: "csr_array", edge: tuple[int, int], length: int) -> SparseBlock:
    """Rows of a matrix as entries, of which there are as many as in any other block."""
    first, last = edge
    begin, end = int(matrix.indptr[first]), int(matrix.indptr[last])
    rows = np.repeat(np.arange(last - first), np.diff(matrix.indptr[first : last + 1]))
    added = length - (end - begin)
    place = engine.place
    return SparseBlock(
        place(np.pad(np.asarray(matrix.data[begin:end], dtype=float), (0, added))),
        place(np.pad(rows.astype(np.int32), (0, added), constant_values=last - first - 1)),
        place(np.pad(matrix.indices[begin:end].astype(np.int32), (0, added))),
        place(np.zeros((last - first, matrix.shape[1], 0))),
    )
