"""Eigenvalues of symmetric matrices that come out whatever the LAPACK build."""

import numpy as np

from itemcurve.numerics.shapes import Estimated, EstimatedMatrix


def decompose(matrix: EstimatedMatrix) -> tuple[Estimated, EstimatedMatrix]:
    """Give eigenvalues, smallest first, and eigenvectors in columns.

    Divide and conquer, NumPy's choice, is fast and in some builds of OpenBLAS gives up on sound
    matrices ("Eigenvalues did not converge"); plain QR iteration then takes over.

    Examples
    --------
    >>> import numpy as np
    >>> from itemcurve.numerics.symmetric_eigen import decompose
    >>> decompose(np.array([[2.0, 0.0], [0.0, 1.0]]))[0].tolist()
    [1.0, 2.0]
    """
    try:
        values, vectors = np.linalg.eigh(matrix)
    except np.linalg.LinAlgError:
        from scipy.linalg import eigh

        values, vectors = eigh(matrix, driver="ev")
    return values, vectors
