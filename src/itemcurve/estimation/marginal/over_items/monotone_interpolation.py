"""Values between those of many monotone tables at once, by cubics that never overshoot.

In each cell the cubic has at either end the slope of the parabola through three neighbours, but at
most three times the slope of the chord, which keeps it monotone (Fritsch and Carlson 1980).
"""

from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerRow, RowPoints, axes

_TINY = 1e-300


def interpolate_rows(x: RowPoints, y: RowPoints, at: float) -> PerRow:
    """Each row's y where its x, which never falls, is `at`; the nearest end beyond its ends.

    Parameters
    ----------
    x, y : rows × points, y rising or falling with x.
    """
    last = x.shape[1] - 1
    first = np.clip((x <= at).sum(axis=1) - 1, 0, last - 1)
    columns = np.clip(first[:, None] + np.arange(-1, 3), 0, last)
    steps = np.diff(np.take_along_axis(x, columns, axis=1), axis=1)
    rises = np.diff(np.take_along_axis(y, columns, axis=1), axis=1)
    rows = np.arange(len(x))
    share = (at - x[rows, first]) / np.maximum(steps[:, 1], _TINY)
    share = np.clip(share, 0.0, 1.0)
    # Slopes at both ends of the cell, in units of its chord; where there is no chord, no matter.
    left, right = _end_slopes(steps, rises)
    cubic = share * (left + share * (3 - 2 * left - right + share * (left + right - 2)))
    found: Array = y[rows, first] + rises[:, 1] * cubic
    return found


def _end_slopes(
    steps: Annotated[Array, axes("rows 3")], rises: Annotated[Array, axes("rows 3")]
) -> tuple[PerRow, PerRow]:
    """Slopes of the parabolas through three of four points, in chords of the middle cell."""
    chords = rises / np.maximum(steps, _TINY)
    weights = steps[:, :2] + steps[:, 1:]
    through = chords[:, :2] * steps[:, 1:] + chords[:, 1:] * steps[:, :2]
    middle = chords[:, 1:2]
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = through / weights / middle
    # A missing neighbour, or none that moves: the chord itself.
    known = (steps[:, :2] > 0) & (steps[:, 1:] > 0) & np.isfinite(slopes)
    limited = np.where(known, np.clip(slopes, 0.0, 3.0), 1.0)
    return limited[:, 0], limited[:, 1]
