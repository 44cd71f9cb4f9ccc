"""Products of a matrix of small integers with a few columns of 64-bit numbers.

Responses take one byte each; as 64-bit floats they would take eight, and reading them would cost
more than multiplying them. So a few rows at a time are turned into floats, which stay in the cache
of a processor while they are multiplied.
"""

from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import RowPoints, axes

Bytes = Annotated[Array, axes("rows columns")]

# Cells that are floats at one time: 1 MB, which stays in the nearer caches. Many columns keep a
# processor busy with more.
_CELLS_AT_ONCE = 2**17
_CELLS_FOR_MANY = 2**20
# Up to so many columns, one product with a vector each is faster than one with a matrix.
_FEW_COLUMNS = 2
_SOME_COLUMNS = 8


def rows_at_once(matrix: Bytes, columns: int = 1) -> int:
    """How many rows of a matrix are turned into floats at one time, for so many columns."""
    cells = _CELLS_AT_ONCE if columns <= _SOME_COLUMNS else _CELLS_FOR_MANY
    return max(1, min(matrix.shape[0], cells // max(matrix.shape[1], 1)))


def product(matrix: Bytes, right: Annotated[Array, axes("columns points")]) -> RowPoints:
    """Matrix @ right, of NumPy arrays."""
    size, count = rows_at_once(matrix, right.shape[1]), matrix.shape[0]
    floats = np.empty((size, matrix.shape[1]))
    found = np.empty((count, right.shape[1]))
    columns = list(np.ascontiguousarray(right.T)) if right.shape[1] <= _FEW_COLUMNS else []
    for start in range(0, count, size):
        part = floats[: min(size, count - start)]
        np.copyto(part, matrix[start : start + size])
        into = found[start : start + size]
        if not columns:
            np.matmul(part, right, out=into)
        for place, column in enumerate(columns):
            into[:, place] = part @ column
    return found


def transposed_product(matrix: Bytes, right: RowPoints) -> Annotated[Array, axes("columns points")]:
    """matrixᵀ @ right, of NumPy arrays."""
    size, count = rows_at_once(matrix, right.shape[1]), matrix.shape[0]
    floats = np.empty((size, matrix.shape[1]))
    found = np.zeros((right.shape[1], matrix.shape[1]))
    across = np.ascontiguousarray(right.T)
    for start in range(0, count, size):
        part = floats[: min(size, count - start)]
        np.copyto(part, matrix[start : start + size])
        own = across[:, start : start + size]
        if len(across) > _FEW_COLUMNS:
            found += own @ part
        else:
            for place, row in enumerate(own):
                found[place] += row @ part
    return found.T
