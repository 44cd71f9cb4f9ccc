"""Functions orthonormal under many discrete distributions at once.

With h_1, h_2, … orthonormal to each other and to constants under a distribution, the covariance
of two functions is Σ_r E[f h_r] E[g h_r]. A few polynomials suffice for smooth functions, which
turns a covariance between thousands of functions into a few matrix products.
"""

from typing import Annotated

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import RowPoints, SharedPoints, axes


def orthonormal_polynomials(
    engine: Engine, weights: RowPoints, points: SharedPoints, degree: int
) -> list[RowPoints]:
    """Give polynomials of degree 1..degree in one variable, by Stieltjes' recurrence.

    Parameters
    ----------
    weights : probabilities; each row sums to one (rows × points).
    points : where they sit (rows × points, or points).
    """
    xp = engine.xp
    previous, current = xp.zeros_like(weights), xp.ones_like(weights)
    scale = xp.zeros_like(weights[:, :1])
    found = []
    for _ in range(degree):
        shift = (weights * points * current**2).sum(axis=1, keepdims=True)
        raw = (points - shift) * current - scale * previous
        scale = _norm(engine, weights, raw)
        previous, current = current, raw / scale
        found.append(current)
    return found


def whitening(
    engine: Engine, weights: RowPoints, features: Annotated[Array, axes("features points")]
) -> tuple[
    Annotated[Array, axes("rows features")], Annotated[Array, axes("rows features features")]
]:
    """Means of the features and the matrix that makes their residuals orthonormal, row by row.

    With L from the Cholesky factorisation of the features' covariance under a row's distribution,
    L⁻¹ (features − means) is orthonormal: for features of several variables, where there is no
    recurrence.

    Parameters
    ----------
    weights : probabilities; each row sums to one (rows × points).
    features : functions of the points (features × points).

    Returns
    -------
    Means (rows × features) and L (rows × features × features).
    """
    xp = engine.xp
    size = features.shape[0]
    means = weights @ features.T
    products = (features[:, None, :] * features[None, :, :]).reshape(size * size, -1)
    second = (weights @ products.T).reshape(-1, size, size)
    covariance = second - means[:, :, None] * means[:, None, :]
    # Features may depend on each other under a narrow distribution: the ridge drops the surplus.
    # On a single node nothing but rounding is left, which must not make it indefinite.
    scale = 1e-10 * xp.einsum("raa->ra", covariance).max(axis=1)
    ridge = scale + 1e-13 * xp.einsum("raa->ra", second).max(axis=1)
    return means, xp.linalg.cholesky(covariance + ridge[:, None, None] * xp.eye(size))


def _norm(
    engine: Engine, weights: RowPoints, values: RowPoints
) -> Annotated[Array, axes("rows 1")]:
    # A distribution on fewer points than functions leaves nothing to normalise: the floor keeps
    # such leftovers (rounding errors) at zero instead of blowing them up.
    square = (weights * values**2).sum(axis=1, keepdims=True)
    return engine.xp.sqrt(engine.xp.maximum(square, 1e-24))
