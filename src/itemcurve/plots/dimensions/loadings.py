"""Which items load on which abilities, as a table of colours."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.plots.drawing.style import INK, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_ITEMS = 60
# Up to so many, numbers and names are legible.
_MOST_NUMBERS, _MOST_NAMES = 30, 60
_WHITE_FROM = 0.6


def loadings(result: DimensionsFit, *, most: int = _MOST_ITEMS, ax: "Axes | None" = None) -> "Axes":
    """Draw standardised loadings: items below the ability on which they load most.

    Parameters
    ----------
    result : of `itemcurve.fit` with `dimensions=`.
    most : how many items to draw; those with the largest loadings where there are more.
    ax : axes to draw on; new ones when left out.
    """
    table, names = result.loadings, list(result.names)
    values = table[names].to_numpy(float)
    shown = np.sort(np.argsort(-np.abs(values).max(axis=1), kind="stable")[:most])
    rows = shown[_order(values[shown], result.pattern.groups is not None)]
    height = max(2.4, 0.24 * len(rows) + 1.2)
    ax = new_axes(ax, (2.8 + 0.85 * len(names), height))
    picture = ax.imshow(values[rows], cmap="PuOr_r", vmin=-1, vmax=1, aspect="auto")
    ax.set_xticks(range(len(names)), [short(name, 16) for name in names])
    ax.tick_params(length=0)
    items = table["item"].to_numpy()[rows]
    shown_names = [short(item) for item in items] if len(rows) <= _MOST_NAMES else []
    ax.set_yticks(range(len(shown_names)), shown_names)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if len(rows) <= _MOST_NUMBERS:
        _write(ax, values[rows], result.pattern.free[rows])
    bar = ax.figure.colorbar(picture, ax=ax, shrink=0.8, label="standardised loading")
    bar.outline.set_visible(False)
    left = f"{len(rows)} of {len(table):,} items, " if len(rows) < len(table) else ""
    explained = table["explained"].mean()
    set_title(ax, "Loadings", f"{left}{explained:.0%} explained on average")
    return ax


def _order(values: "np.ndarray", has_general: bool) -> "np.ndarray":
    """By the ability of the largest loading (beside the general one), then by its size."""
    own = np.abs(values[:, 1:] if has_general else values)
    best = own.argmax(axis=1)
    return np.lexsort((-own[np.arange(len(own)), best], best))


def _write(ax: "Axes", values: "np.ndarray", free: "np.ndarray") -> None:
    for row, column in zip(*np.nonzero(free), strict=True):
        value = values[row, column]
        colour = "white" if abs(value) > _WHITE_FROM else INK
        ax.text(column, row, f"{value:.2f}", ha="center", va="center", color=colour, fontsize=8)
