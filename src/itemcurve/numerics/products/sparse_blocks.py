"""Blocks of rows of sparse matrices, as each engine multiplies them fastest.

NumPy takes SciPy's compressed rows. Compiled code takes entries in the order of their rows, padded
so that blocks have one shape; sums over entries are then one indexed addition.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from itemcurve.numerics.engine import Array, Engine
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
    """Product entry by entry of two sparse blocks of one pattern; None stands for ones."""
    if one is None or other is None:
        return other if one is None else one
    if not isinstance(one, SparseBlock):
        return one.multiply(other).tocsr()
    return one._replace(values=one.values * other.values)


def split_sparse(
    engine: Engine, matrices: Sequence[Any], rows: int, size: int
) -> list[tuple[Any, ...]]:
    """Cut sparse matrices of one shape (None for ones) into blocks of rows of about equal work.

    Parameters
    ----------
    size : the most rows of a block, roughly.
    """
    # Compiled blocks keep stored zeros, so that all channels have one pattern.
    prepare = _ones_shared if engine.name == "numpy" else _as_floats
    compressed = [None if m is None else prepare(m.tocsr()) for m in matrices]
    largest = max((m for m in compressed if m is not None), key=lambda m: m.nnz)
    edges = _edges(engine, largest.indptr, rows, size)
    if engine.name == "numpy":
        return [
            tuple(None if m is None else _rows_of(m, *edge) for m in compressed)
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


def _edges(engine: Engine, starts: Array, rows: int, size: int) -> list[int]:
    """Where blocks begin and end."""
    count = max(1, -(-int(starts[-1]) // _ENTRIES[engine.name]), -(-rows // size))
    count = min(count, rows)
    if engine.name != "numpy":
        # As many rows in each, as nearly as can be: every other number is compiled anew.
        return np.linspace(0, rows, count + 1).astype(int).tolist()
    # A row costs about as much as a few dozen entries.
    work = starts + 32 * np.arange(rows + 1)
    inner = np.searchsorted(work, np.linspace(0, work[-1], count + 1)[1:-1])
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


def _rows_of(matrix: "csr_array", first: int, last: int) -> "csr_array":
    """Rows of a matrix, without a copy of their places."""
    begin, end = int(matrix.indptr[first]), int(matrix.indptr[last])
    starts = (matrix.indptr[first : last + 1] - begin).astype(np.int32)
    data = matrix.data[begin:end]
    if data.strides == (0,):
        data = _ones(end - begin)
    indices = matrix.indices[begin:end].astype(np.int32, copy=False)
    return _built(data, indices, starts, (last - first, matrix.shape[1]))


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
