"""Difficulties of items too flat to have one.

The difficulty b = −e/a of an item with a ≈ 0 can be any number: at a = −0.01 ± 0.19 it is 22 ± 400,
and no mean over items survives it. Where responses cannot tell that number from one within reach
of some respondent, the item is moved to the nearest point, in standard errors, with a difficulty
within reach. Slope, intercept and difficulty still belong together; the likelihood hardly changes.
"""

from typing import Annotated

import numpy as np

from itemcurve.models.contract import ItemModel
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import ItemCoordinates, PerCoordinate, axes

# Nobody lies beyond eight standard deviations of the population.
_REACH = 8.0
# An item that would have to move further, in standard errors, is known to be that far off.
_FARTHEST = 1.0


def bring_within_reach(
    model: ItemModel,
    x: ItemCoordinates,
    covariance: Annotated[Array, axes("items own own")],
    location: float,
    unit: float,
) -> ItemCoordinates:
    """Give the items' coordinates with difficulties beyond reach brought back where they may be.

    Parameters
    ----------
    x : free coordinates of the items (items × free).
    covariance : of each item's coordinates (items × free or more × free or more).
    location, unit : of the reported scale of abilities.
    """
    places = linear_places(model)
    if places is None:
        return x
    slope, intercept = places
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        difficulty = (-x[:, intercept] / x[:, slope] - location) / unit
    candidates = np.flatnonzero(~(np.abs(difficulty) <= _REACH) & (x[:, intercept] != 0))
    moved = x.copy()
    for item in candidates:
        own = covariance[item, : x.shape[1], : x.shape[1]]
        moves = [_move(x[item], own, places, location + side * unit) for side in (-_REACH, _REACH)]
        distance, best = min(moves, key=lambda move: move[0])
        if distance <= _FARTHEST:
            moved[item] = best
    return moved


def _move(
    x: PerCoordinate,
    covariance: Annotated[Array, axes("free free")],
    places: tuple[int, int],
    difficulty: float,
) -> tuple[float, PerCoordinate]:
    """Distance in standard errors to the nearest point with this difficulty, and the point."""
    normal = np.zeros(len(x))
    normal[list(places)] = difficulty, 1.0
    # The points with e + a b = 0 are a plane: the nearest in the metric of the information.
    off, spread = normal @ x, normal @ covariance @ normal
    if not spread > 0:
        return np.inf, x
    return float(abs(off) / np.sqrt(spread)), x - covariance @ normal * (off / spread)


def linear_places(model: ItemModel) -> tuple[int, int] | None:
    """Places of a free slope and a free intercept with priors among the free coordinates."""
    free = [spec for spec in model.parameters if spec.is_free]
    roles = [spec.role for spec in free]
    if roles.count(Role.SLOPE) != 1 or roles.count(Role.INTERCEPT) != 1:
        return None
    places = roles.index(Role.SLOPE), roles.index(Role.INTERCEPT)
    chosen = [free[place] for place in places]
    if any(spec.transform.name != "free" or spec.prior is None or spec.is_mixed for spec in chosen):
        return None
    return places
