"""Names beside points, where none covers another."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.plots.drawing.style import FAINT, GRID, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of a sign, in points, at the size of font below.
_FONT, _WIDTH, _HEIGHT = 8.0, 4.9, 10.5
_GAP, _DOT = 5.0, 3.0


def name_points(
    ax: "Axes", names: Sequence[object], xs: Sequence[float], ys: Sequence[float]
) -> None:
    """Write names beside points, each moved up until it covers no other name or point.

    Called last: where names fit depends on the limits of the axes and on their place.
    """
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    per_point = figure.dpi / 72.0
    places = ax.transData.transform(np.column_stack([xs, ys])) / per_point
    right = ax.get_window_extent().x1 / per_point
    taken = [(x - _DOT, x + _DOT, y) for x, y in places]
    for index in np.argsort(places[:, 1], kind="stable"):
        text = short(names[index], 20)
        x, y = places[index]
        width = _WIDTH * len(text)
        # Names that would leave the picture stand to the left of their point.
        start = x + _GAP if x + _GAP + width <= right + 0.25 * width else x - _GAP - width
        level = _free_level(taken, start, start + width, y)
        taken.append((start, start + width, level))
        is_moved = level > y + 0.5 * _HEIGHT
        ax.annotate(
            text,
            (xs[index], ys[index]),
            (start - x, level - y),
            textcoords="offset points",
            fontsize=_FONT,
            color=FAINT,
            va="center",
            # Bars and curves run behind names, not through them.
            bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "alpha": 0.8, "pad": 0.3},
            arrowprops={"arrowstyle": "-", "color": GRID, "lw": 0.6} if is_moved else None,
        )


def _free_level(
    taken: Sequence[tuple[float, float, float]], start: float, end: float, level: float
) -> float:
    while any(
        abs(level - other) < _HEIGHT and start < last and first < end
        for first, last, other in taken
    ):
        level += 0.25 * _HEIGHT
    return level
