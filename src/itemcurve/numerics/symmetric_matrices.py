"""Symmetric matrices: eigenvalues whatever the LAPACK build, systems by one Cholesky factor.

That there is such a factor says that a matrix is positive definite; with it, half the work of a
general solution is left, and a third of that of a general inverse.
"""

from typing import Any

import numpy as np

from itemcurve.numerics.shapes import Estimated, EstimatedMatrix


def decompose(matrix: EstimatedMatrix) -> tuple[Estimated, EstimatedMatrix]:
    """Give eigenvalues, smallest first, and eigenvectors in columns.

    Divide and conquer, NumPy's choice, is fast and in some builds of OpenBLAS gives up on sound
    matrices ("Eigenvalues did not converge"); plain QR iteration then takes over.

    Examples
    --------
    >>> import numpy as np
    >>> from itemcurve.numerics.symmetric_matrices import decompose
    >>> decompose(np.array([[2.0, 0.0], [0.0, 1.0]]))[0].tolist()
    [1.0, 2.0]
    """
    try:
        values, vectors = np.linalg.eigh(matrix)
    except np.linalg.LinAlgError:
        from scipy.linalg import eigh

        values, vectors = eigh(matrix, driver="ev")
    return values, vectors


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
