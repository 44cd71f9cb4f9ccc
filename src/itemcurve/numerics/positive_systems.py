"""Systems with a symmetric, positive definite matrix: one factorisation tells both of them.

That it exists says that the matrix is positive definite; half the work of a general solution is
left, and a third of that of a general inverse.
"""

from typing import Any

import numpy as np

from itemcurve.numerics.shapes import Estimated, EstimatedMatrix


def solve_positive(matrix: EstimatedMatrix, right: Estimated) -> Estimated | None:
    """Solve matrix · x = right; None where the matrix is not positive definite."""
    if not len(matrix):
        return right
    # LAPACK has columns first: what is symmetric needs no copy for it.
    _, found, failed = _lapack().dposv(matrix.T, right, lower=1)
    return None if failed else found


def invert_positive(matrix: EstimatedMatrix) -> EstimatedMatrix | None:
    """The inverse; None where the matrix is not positive definite."""
    if not len(matrix):
        return matrix
    lapack = _lapack()
    root, failed = lapack.dpotrf(matrix.T, lower=1, clean=0)
    if failed:
        return None
    inverse, failed = lapack.dpotri(root, lower=1, overwrite_c=1)
    if failed:
        return None
    # Known below the diagonal only.
    found = np.tril(inverse)
    found += np.tril(inverse, -1).T
    return found


def _lapack() -> Any:
    # Imported where a fit needs it, not when the package is.
    from scipy.linalg import lapack

    return lapack
