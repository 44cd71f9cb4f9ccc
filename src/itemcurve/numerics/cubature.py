"""Integrals over several independent normal variables at few points."""

from functools import lru_cache
from itertools import combinations, product
from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerPoint, axes


@lru_cache(maxsize=16)
def normal_cubature(size: int) -> tuple[Annotated[Array, axes("points dimensions")], PerPoint]:
    """Points (points × size) and weights for E[f(ε)], ε ~ N(0, 1) each, exact to degree 5.

    Up to four variables the rule of 2n² + 1 points of McNamee and Stenger (1967), beyond that of
    2n + 2ⁿ points of Stroud and Secrest (1963): none of their weights is negative there.

    Examples
    --------
    >>> points, weights = normal_cubature(3)
    >>> len(points), round(float(weights @ points[:, 0] ** 4), 6)
    (19, 3.0)
    """
    if size > 4:
        return _with_corners(size)
    points, shares = [np.zeros(size)], [2.0 / (size + 2)]
    for axis, sign in product(range(size), (1.0, -1.0)):
        points.append(sign * np.sqrt(size + 2.0) * np.eye(size)[axis])
        shares.append((4.0 - size) / (2.0 * (size + 2) ** 2))
    for first, second in combinations(range(size), 2):
        for signs in product((1.0, -1.0), repeat=2):
            point = np.zeros(size)
            point[[first, second]] = np.array(signs) * np.sqrt((size + 2.0) / 2.0)
            points.append(point)
            shares.append(1.0 / (size + 2) ** 2)
    used = np.array(shares) > 0
    return np.array(points)[used], np.array(shares)[used]


def _with_corners(size: int) -> tuple[Annotated[Array, axes("points dimensions")], PerPoint]:
    """Points on the axes and at the corners of a cube."""
    on_axes, at_corners = np.sqrt((size + 2.0) / 2.0), np.sqrt((size + 2.0) / (size - 2.0))
    axis_points = np.concatenate([np.eye(size), -np.eye(size)]) * on_axes
    corners = np.array(list(product((1.0, -1.0), repeat=size))) * at_corners
    weights = [
        np.full(2 * size, on_axes**-4.0),
        np.full(2**size, at_corners**-4.0 / 2**size),
    ]
    return np.concatenate([axis_points, corners]), np.concatenate(weights)
