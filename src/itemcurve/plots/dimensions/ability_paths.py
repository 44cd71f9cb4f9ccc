"""The path from abilities to items: a line for each loading, the broader the larger."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.plots.drawing.style import COLOURS, FAINT, INK, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_ITEMS = 40
# Loadings below are no more than noise to the eye.
_LEAST = 0.15
_BROADEST = 4.0
# Width of a box: its frame, and each letter.
_FRAME, _LETTER, _LONGEST = 0.08, 0.034, 18


class _Place(NamedTuple):
    x: float
    y: float


def ability_paths(
    result: DimensionsFit, *, most: int = _MOST_ITEMS, ax: "Axes | None" = None
) -> "Axes":
    """Draw which abilities each item depends on: bifactor, correlated, second order, explored.

    A general ability stands at the left, items in the middle, the abilities of groups of items at
    the right; above these an ability that they depend on, or arcs between those that correlate.

    Parameters
    ----------
    result : of `itemcurve.fit` with `dimensions=`.
    most : how many items to draw; those with the largest loadings where there are more.
    ax : axes to draw on; new ones when left out.
    """
    if result.pattern.size < 2:
        raise ModelError(
            "Paths are drawn between items and several abilities.",
            "The fit has one.",
            "Draw itemcurve.plots.loadings, or fit more.",
        )
    names, table = list(result.names), result.loadings
    values = table[names].to_numpy(float)
    has_general = result.pattern.groups is not None
    rows = _shown(values, has_general, most)
    ax = new_axes(ax, (7.4, max(3.6, 0.22 * len(rows) + 1.0)))
    items = [_Place(0.0, -float(k)) for k in range(len(rows))]
    abilities = _place_abilities(values[rows], items, has_general)
    for row, item in enumerate(items):
        for column, ability in enumerate(abilities):
            _line(ax, item, ability, values[rows[row], column], COLOURS[column % len(COLOURS)])
    _write_items(ax, items, table["item"].to_numpy()[rows])
    for name, place, colour in zip(names, abilities, COLOURS * len(names), strict=False):
        _write_ability(ax, place, name, colour)
    note = _join_abilities(ax, result, abilities, has_general)
    ax.set_axis_off()
    ax.set_xlim(-1.8 if has_general else -0.6, 3.0 if result.pattern.is_second_order else 2.4)
    ax.set_ylim(-len(rows) - 0.2, 1.2)
    left = f"{len(rows)} of {len(table):,} items. " if len(rows) < len(table) else ""
    set_title(ax, f"What items depend on ({result.pattern.kind})", f"{left}{note}")
    return ax


def _shown(values: "np.ndarray", has_general: bool, most: int) -> "np.ndarray":
    """Items with the largest loadings, those of an ability together."""
    best = np.sort(np.argsort(-np.abs(values).max(axis=1), kind="stable")[:most])
    own = np.abs(values[best][:, 1:] if has_general else values[best])
    return best[np.lexsort((-own.max(axis=1), own.argmax(axis=1)))]


def _place_abilities(values: "np.ndarray", items: list[_Place], has_general: bool) -> list[_Place]:
    """Each beside the middle of its items, with room between."""
    heights = np.array([item.y for item in items])
    first = 1 if has_general else 0
    share = np.abs(values[:, first:]) ** 2 + 1e-9
    middle = (share * heights[:, None]).sum(axis=0) / share.sum(axis=0)
    order = np.argsort(-middle)
    steps = np.linspace(heights.max() - 0.5, heights.min() + 0.5, len(middle) + 2)[1:-1]
    found = np.empty(len(middle))
    found[order] = 0.5 * middle[order] + 0.5 * steps
    places = [_Place(1.1, float(y)) for y in found]
    return [_Place(-1.1, float(heights.mean())), *places] if has_general else places


def _line(ax: "Axes", item: _Place, ability: _Place, loading: float, colour: str) -> None:
    if abs(loading) < _LEAST:
        return
    side = 0.34 if ability.x > 0 else -0.34
    style = "-" if loading > 0 else "--"
    width = _BROADEST * abs(loading)
    end = ability.x - np.sign(ability.x) * 0.05
    ax.plot([item.x + side, end], [item.y, ability.y], style, color=colour, lw=width, alpha=0.55)


def _write_items(ax: "Axes", items: list[_Place], names: "np.ndarray") -> None:
    for place, name in zip(items, names, strict=True):
        ax.text(place.x, place.y, short(name, 22), ha="center", va="center", fontsize=8, color=INK)


def _write_ability(ax: "Axes", place: _Place, name: str, colour: str) -> None:
    box = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour, "linewidth": 2}
    side = "left" if place.x > 0 else "right"
    ax.text(
        place.x,
        place.y,
        short(name, _LONGEST),
        ha=side,
        va="center",
        fontsize=9,
        color=INK,
        bbox=box,
    )


def _join_abilities(
    ax: "Axes", result: DimensionsFit, places: list[_Place], has_general: bool
) -> str:
    """The ability above the others, or their correlations; gives what to say of them."""
    said = "Broad: large loading; broken: negative"
    if has_general:
        return f"{said}. The general ability at the left"
    ends = [
        _Place(place.x + _FRAME + _LETTER * min(len(name), _LONGEST), place.y)
        for name, place in zip(result.names, places, strict=True)
    ]
    if result.pattern.is_second_order:
        above = _Place(2.45, float(np.mean([place.y for place in places])))
        for end, loading in zip(ends, result.second_order["loading"], strict=True):
            style = "-" if loading > 0 else "--"
            across = [end.x, above.x - 0.04], [end.y, above.y]
            ax.plot(*across, style, color=FAINT, lw=_BROADEST * abs(loading), alpha=0.5)
            _write_number(ax, _Place((end.x + above.x) / 2, (end.y + above.y) / 2), loading)
        _write_ability(ax, above, "general", FAINT)
        return f"{said}. The general ability acts through the others"
    for one in range(len(places)):
        for other in range(one):
            _arc(ax, ends[one], ends[other], float(result.correlation[one, other]))
    return f"{said}. Arcs: correlations"


def _arc(ax: "Axes", one: _Place, other: _Place, correlation: float) -> None:
    """Half an ellipse at the right of two boxes, the wider the further these are apart."""
    if abs(correlation) < _LEAST:
        return
    turn = np.linspace(-np.pi / 2, np.pi / 2, 60)
    middle, half = (one.y + other.y) / 2, abs(one.y - other.y) / 2
    start = np.interp(
        np.sin(turn), [-1, 1], [min(one, other, key=_height).x, max(one, other, key=_height).x]
    )
    reach = 0.12 + 0.03 * half
    x = start + reach * np.cos(turn)
    style = "-" if correlation > 0 else "--"
    width = 0.5 + 2.5 * abs(correlation)
    ax.plot(x, middle + half * np.sin(turn), style, color=FAINT, lw=width)
    _write_number(ax, _Place(float(x.max()), middle), correlation)


def _height(place: _Place) -> float:
    return place.y


def _write_number(ax: "Axes", place: _Place, value: float) -> None:
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    ax.text(
        place.x, place.y, f"{value:.2f}", ha="center", va="center", fontsize=8, color=INK, bbox=box
    )
