"""Correlation matrices by unbounded numbers.

Row r of a lower triangular root is (t_1, …, t_{r−1}, 1) divided by its length, so that any t give a
correlation matrix, and every one of full rank is given once.
"""

from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

Angles = Annotated[Array, axes("angles")]
Square = Annotated[Array, axes("dimensions dimensions")]


def correlation_at(angles: Angles, size: int) -> Square:
    """The correlation matrix of these numbers.

    Examples
    --------
    >>> correlation_at(np.zeros(1), 2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    root = _root(angles, size)
    return root @ root.T


def angles_of(correlation: Square) -> Angles:
    """The numbers of a correlation matrix."""
    root = np.linalg.cholesky(correlation)
    rows, columns = np.tril_indices(len(correlation), -1)
    return root[rows, columns] / np.diag(root)[rows]


def correlation_slopes(angles: Angles, size: int) -> Annotated[Array, axes("angles size size")]:
    """Derivatives of the correlation matrix in each number."""
    root = _root(angles, size)
    rows, columns = np.tril_indices(size, -1)
    found = np.zeros((len(angles), size, size))
    for place, (row, column) in enumerate(zip(rows, columns, strict=True)):
        # d(v/|v|) = (dv − u (u·dv))/|v|, with 1/|v| the last entry of the row.
        change = -root[row] * root[row, column]
        change[column] += 1.0
        found[place, row] = change * root[row, row]
    return found @ root.T + root @ found.transpose(0, 2, 1)


def pulled_back(angles: Angles, slope: Square) -> Angles:
    """Gradient in the numbers, from that in the entries of the matrix."""
    return np.einsum("akl,kl->a", correlation_slopes(angles, len(slope)), slope)


def _root(angles: Angles, size: int) -> Square:
    root = np.eye(size)
    root[np.tril_indices(size, -1)] = angles
    return root / np.sqrt((root**2).sum(axis=1, keepdims=True))
