"""Functions orthonormal under many discrete distributions at once.

With h_1, h_2, … orthonormal to each other and to constants under a distribution, the covariance
of two functions is Σ_r E[f h_r] E[g h_r]. A few polynomials suffice for smooth functions, which
turns a covariance between thousands of functions into a few matrix products.
"""

from collections.abc import Sequence

from itemcurve.numerics.engine import Array, Engine


def orthonormal_polynomials(
    engine: Engine, weights: Array, points: Array, degree: int
) -> list[Array]:
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


def orthonormal_functions(engine: Engine, weights: Array, features: Sequence[Array]) -> list[Array]:
    """Orthonormalise the features by modified Gram-Schmidt, constants first.

    Parameters
    ----------
    weights : probabilities; each row sums to one (rows × points).
    features : functions of the points (points each).
    """
    found: list[Array] = []
    for feature in features:
        raw = feature - (weights * feature).sum(axis=1, keepdims=True)
        for known in found:
            raw = raw - known * (weights * known * raw).sum(axis=1, keepdims=True)
        found.append(raw / _norm(engine, weights, raw))
    return found


def _norm(engine: Engine, weights: Array, values: Array) -> Array:
    # A distribution on fewer points than functions leaves nothing to normalise: the floor keeps
    # such leftovers (rounding errors) at zero instead of blowing them up.
    square = (weights * values**2).sum(axis=1, keepdims=True)
    return engine.xp.sqrt(engine.xp.maximum(square, 1e-24))
