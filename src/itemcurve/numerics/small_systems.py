"""Many small linear systems at once."""

from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import axes


def solve_small(
    matrices: Annotated[Array, axes("rows free free")],
    right: Annotated[Array, axes("rows free")],
    engine: Engine = NUMPY,
) -> Annotated[Array, axes("rows free")]:
    """Solve matrices · x = right, row by row (rows × n × n, rows × n in; rows × n out).

    Systems of one and two unknowns, nearly all there are here, are solved in closed form: a
    hundred thousand of them take milliseconds instead of a LAPACK call each.
    """
    size = right.shape[1]
    if size == 1:
        return right / matrices[:, 0]
    if size > 2:
        return engine.xp.linalg.solve(matrices, right[:, :, None])[:, :, 0]
    a, b, c, d = (matrices[:, i, j] for i in (0, 1) for j in (0, 1))
    first, second = right[:, 0], right[:, 1]
    solution = engine.xp.stack([d * first - b * second, a * second - c * first], axis=1)
    return solution / (a * d - b * c)[:, None]


def invert_small(
    matrices: Annotated[Array, axes("rows free free")], engine: Engine = NUMPY
) -> Annotated[Array, axes("rows free free")]:
    """Invert matrices row by row (rows × n × n); what has no inverse gives no finite numbers."""
    xp, size = engine.xp, matrices.shape[1]
    if size == 1:
        return 1.0 / matrices
    if size > 2:
        try:
            return xp.linalg.inv(matrices)
        except np.linalg.LinAlgError:
            return np.stack([_inverted(matrix) for matrix in matrices])
    a, b, c, d = (matrices[:, i, j] for i in (0, 1) for j in (0, 1))
    adjugate = xp.stack([d, -b, -c, a], axis=1).reshape(-1, 2, 2)
    return adjugate / (a * d - b * c)[:, None, None]


def without_empty_rows(
    matrices: Annotated[Array, axes("rows free free")], engine: Engine = NUMPY
) -> Annotated[Array, axes("rows free free")]:
    """Put one on the diagonals of symmetric matrices where it is zero (rows × n × n).

    A coordinate of which nothing is known, not even where others have it, then has an inverse.
    """
    xp, unit = engine.xp, np.eye(matrices.shape[1])
    return matrices + unit * xp.where((matrices * unit).sum(axis=1) == 0, 1.0, 0.0)[:, None, :]


def _inverted(matrix: Annotated[Array, axes("free free")]) -> Annotated[Array, axes("free free")]:
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.full(matrix.shape, np.nan)
