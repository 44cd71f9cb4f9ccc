"""Matrices in blocks of rows, so that memory stays bounded whatever their number."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Annotated, Any

import numpy as np

from itemcurve.numerics.engine import Array, Engine, Matrix, as_dense
from itemcurve.numerics.products.packed_bits import PackedBlock
from itemcurve.numerics.products.sparse_blocks import (
    SparseBlock,
    split_sparse,
    suits,
)
from itemcurve.numerics.shapes import (
    PerColumn,
    PerRow,
    RowPoints,
    RowsByColumns,
    SameShape,
    axes,
)

Block = tuple[Matrix | None, ...]
"""One block of rows of several matrices of one shape; None stands for a matrix of ones."""

# Up to here, integers are turned into 64-bit floats once; beyond, a few rows at a time on each
# pass, which takes no longer and an eighth of the memory.
_KEEP_AS_FLOAT_BYTES = 2**25


def split_rows(
    engine: Engine, matrices: Sequence[RowsByColumns | None], rows: int, columns: int, size: int
) -> list[Block]:
    """Cut matrices (rows × columns; dense or scipy sparse; None for ones) into blocks of rows.

    Sparse matrices stay sparse, unless they are too full for it. A block has about `size` rows; of
    sparse matrices fewer, where rows are full.
    """
    if suits(engine, matrices):
        return split_sparse(engine, matrices, rows, size)
    n_blocks = max(1, -(-rows // size))
    edges = np.linspace(0, rows, n_blocks + 1).astype(int)
    present = [m for m in matrices if m is not None]
    is_small = len(present) * rows * columns * 8 <= _KEEP_AS_FLOAT_BYTES
    return [
        tuple(None if m is None else _rows(engine, m, start, stop, is_small) for m in matrices)
        for start, stop in pairwise(edges)
    ]


def _rows(engine: Engine, matrix: Any, start: int, stop: int, is_small: bool) -> Any:
    if isinstance(matrix, PackedBlock):
        part = matrix.rows(start, stop)
        return PackedBlock(*(engine.place(own) for own in part))
    return _prepared(engine, matrix[start:stop], is_small)


def _prepared(engine: Engine, block: Matrix, is_small: bool) -> Matrix:
    if hasattr(block, "tocsr") and engine.name == "numpy":
        return block.tocsr().astype(float)
    block = as_dense(block)
    if engine.name == "numpy":
        is_float = is_small or block.dtype.kind == "f"
        return np.ascontiguousarray(block, dtype=float if is_float else None)
    return engine.place(block)


def is_packed(block: object) -> bool:
    """Whether a block holds single bits."""
    return isinstance(block, PackedBlock)


def as_float(engine: Engine, block: SameShape) -> SameShape:
    """Give a dense block as 64-bit floats."""
    return engine.xp.asarray(block, dtype=engine.xp.float64)


def product(
    engine: Engine,
    block: RowsByColumns | SparseBlock | PackedBlock | None,
    right: Annotated[Array, axes("columns points")],
) -> Annotated[Array, axes("rows|1 points")]:
    """Block @ right; a block of ones sums over rows of `right` (broadcast over units)."""
    if isinstance(block, SparseBlock | PackedBlock):
        return block.times(engine, right)
    return right.sum(axis=0)[None, :] if block is None else engine.product(block, right)


def transposed_product(
    engine: Engine,
    block: RowsByColumns | SparseBlock | PackedBlock | None,
    right: RowPoints,
    columns: int,
) -> Annotated[Array, axes("columns points")]:
    """blockᵀ @ right (columns × right's columns)."""
    if block is None:
        total = right.sum(axis=0)
        return engine.xp.broadcast_to(total, (columns, total.shape[0]))
    if isinstance(block, SparseBlock | PackedBlock):
        return block.transposed_times(engine, right)
    return engine.transposed_product(block, right)


def there_and_back(
    engine: Engine,
    block: RowsByColumns | PackedBlock,
    right: PerColumn,
    answer: Callable[[PerRow], tuple[Array, ...]],
) -> tuple[PerColumn, tuple[Array, ...]]:
    """blockᵀ @ what rows answer to block @ right, and all that they answer.

    Parameters
    ----------
    answer : of some rows' products, what goes back, and more (arrays of rows each).
    """
    if isinstance(block, PackedBlock) and engine.name == "numpy" and block.is_narrow:
        return block.there_and_back(right, answer)
    answers = answer(product(engine, block, right[:, None])[:, 0])
    return transposed_product(engine, block, answers[0][:, None], right.shape[0])[:, 0], answers


def hadamard(engine: Engine, block: SameShape | None, right: SameShape) -> SameShape:
    """Block ∘ right, of a plain block."""
    return right if block is None else block * right
