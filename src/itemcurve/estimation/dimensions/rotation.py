"""Axes on which explored abilities are reported.

Loadings F = A T⁻ᵀ of oblique axes, F = A T of orthogonal ones, are made simple by gradient
projection (Jennrich 2001, 2002) on a criterion: varimax (Kaiser 1958), oblimin with γ = 0 (Jennrich
and Sampson 1966), geomin (Yates 1987) with ε = 0.01. Several starts are tried and the best taken.
"""

from collections.abc import Callable
from typing import Annotated, Literal, NamedTuple

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

Rotation = Literal["varimax", "oblimin", "geomin", "none"]
ROTATIONS = ("oblimin", "varimax", "geomin", "none")
Loadings = Annotated[Array, axes("items dimensions")]
Turn = Annotated[Array, axes("dimensions dimensions")]
Criterion = Callable[[Loadings], tuple[float, Loadings]]

_STARTS = 8
_MOST_STEPS = 500
_SETTLED = 1e-7
_GEOMIN_EPSILON = 0.01
# A logistic slope is so many times that of the normal ogive that is nearest to it.
_OGIVE = 1.702


class Rotated(NamedTuple):
    """Turned axes.

    Attributes
    ----------
    matrix : M with θ' = M θ.
    correlation : of the turned abilities.
    """

    matrix: Turn
    correlation: Turn


def standard_loadings(slopes: Loadings, correlation: Turn | None = None) -> Loadings:
    """Loadings as factor analysis has them: of a latent response of unit variance on abilities.

    Parameters
    ----------
    correlation : of the abilities; uncorrelated when left out.
    """
    return slopes / _OGIVE / np.sqrt(1 + explained_variance(slopes, correlation))[:, np.newaxis]


def explained_variance(
    slopes: Loadings, correlation: Turn | None = None
) -> Annotated[Array, axes("items")]:
    """Variance of the latent response that abilities explain, in units of what they do not."""
    moved = slopes if correlation is None else slopes @ correlation
    return (moved * slopes).sum(axis=1) / _OGIVE**2


def check_rotation(rotation: str) -> None:
    """Refuse an unknown rotation."""
    if rotation not in ROTATIONS:
        raise ModelError(
            f"The rotation is one of {', '.join(ROTATIONS)}.",
            f"Got {rotation!r}.",
            "Leave it out for oblimin, whose axes may be correlated.",
        )


def rotate(slopes: Loadings, rotation: Rotation, seed: int = 0) -> Rotated:
    """Axes for uncorrelated abilities with these slopes; those of the largest loadings first.

    Signs are such that the largest loading of each axis is positive.

    Examples
    --------
    >>> import numpy as np
    >>> slopes = np.array([[1.0, 1.0], [2.0, 2.0], [1.0, -1.0], [2.0, -2.0]])
    >>> turned = rotate(slopes, "varimax")
    >>> np.abs(slopes @ turned.matrix.T).round(2).tolist()
    [[1.41, 0.0], [2.83, 0.0], [0.0, 1.41], [0.0, 2.83]]
    """
    check_rotation(rotation)
    size = slopes.shape[1]
    loadings = standard_loadings(slopes)
    is_oblique = rotation in ("oblimin", "geomin")
    turn = np.eye(size)
    if rotation == "none":
        # Principal axes: the first takes as much as one can.
        turn = np.linalg.svd(loadings, full_matrices=False)[2].T
    elif size > 1:
        turn = _search(loadings, _CRITERIA[rotation], is_oblique, np.random.default_rng(seed))
    found = loadings @ np.linalg.inv(turn).T if is_oblique else loadings @ turn
    signs = np.sign(found[np.abs(found).argmax(axis=0), np.arange(size)])
    order = np.argsort(-(found**2).sum(axis=0), kind="stable")
    turn = (turn * np.where(signs == 0, 1.0, signs))[:, order]
    return Rotated(turn.T, turn.T @ turn)


def _search(
    loadings: Loadings, criterion: Criterion, is_oblique: bool, rng: np.random.Generator
) -> Turn:
    size = loadings.shape[1]
    starts = [np.eye(size)]
    starts += [np.linalg.qr(rng.normal(size=(size, size)))[0] for _ in range(_STARTS)]
    climb = _oblique if is_oblique else _orthogonal
    found = [climb(loadings, criterion, start) for start in starts]
    return min(found, key=lambda pair: pair[1])[0]


def _orthogonal(loadings: Loadings, criterion: Criterion, turn: Turn) -> tuple[Turn, float]:
    """Gradient projection on rotations."""
    step, (height, slope) = 1.0, criterion(loadings @ turn)
    for _ in range(_MOST_STEPS):
        gradient = loadings.T @ slope
        inner = turn.T @ gradient
        along = gradient - turn @ (inner + inner.T) / 2
        size = float((along**2).sum())
        if size < _SETTLED**2:
            break
        step *= 2
        for _ in range(20):
            left, _, right = np.linalg.svd(turn - step * along)
            moved = left @ right
            other, other_slope = criterion(loadings @ moved)
            if other < height - 0.5 * size * step:
                break
            step /= 2
        turn, height, slope = moved, other, other_slope
    return turn, height


def _oblique(loadings: Loadings, criterion: Criterion, turn: Turn) -> tuple[Turn, float]:
    """Gradient projection on axes of unit length."""
    step, back = 1.0, np.linalg.inv(turn)
    height, slope = criterion(loadings @ back.T)
    for _ in range(_MOST_STEPS):
        gradient = -(((loadings @ back.T).T @ slope) @ back).T
        along = gradient - turn * (turn * gradient).sum(axis=0)
        size = float((along**2).sum())
        if size < _SETTLED**2:
            break
        step *= 2
        for _ in range(20):
            moved = turn - step * along
            moved = moved / np.sqrt((moved**2).sum(axis=0))
            back = np.linalg.inv(moved)
            other, other_slope = criterion(loadings @ back.T)
            if other < height - 0.5 * size * step:
                break
            step /= 2
        turn, height, slope = moved, other, other_slope
    return turn, height


def _varimax(loadings: Loadings) -> tuple[float, Loadings]:
    squares = loadings**2
    centred = squares - squares.mean(axis=0)
    return -float((centred**2).sum()) / 4, -loadings * centred


def _oblimin(loadings: Loadings) -> tuple[float, Loadings]:
    squares = loadings**2
    others = squares.sum(axis=1, keepdims=True) - squares
    return float((squares * others).sum()) / 4, loadings * others


def _geomin(loadings: Loadings) -> tuple[float, Loadings]:
    squares, size = loadings**2 + _GEOMIN_EPSILON, loadings.shape[1]
    means = np.exp(np.log(squares).sum(axis=1, keepdims=True) / size)
    return float(means.sum()), 2 / size * loadings / squares * means


_CRITERIA: dict[str, Criterion] = {"varimax": _varimax, "oblimin": _oblimin, "geomin": _geomin}
