"""Discrimination, difficulty and guessing of items in one flat picture."""

from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.items.item_summary import ItemSummary, summarise_items
from itemcurve.estimation.result import FitResult
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import Array
from itemcurve.plots.drawing.style import (
    COLOURS,
    FAINT,
    GRID,
    add_legend_below,
    new_axes,
    set_title,
    short,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = "o^sDvP*X"
_MOST_CLASSES = len(_MARKERS)
_MANY = 400


def item_parameters(result: FitResult | ItemSummary, *, ax: "Axes | None" = None) -> "Axes":
    """Draw one point per item: difficulty across, discrimination up, colour by guessing.

    Shapes tell classes apart, colours too where the model has no guessing. Difficulties of flat
    items, which the data do not determine, are moved to the edge and marked there. The table of
    this picture is `fit.items`.

    Parameters
    ----------
    result : a fit, or `summarise_items(fit, labels)` to tell classes apart.
    ax : axes to draw on; new ones when left out.
    """
    summary = result if isinstance(result, ItemSummary) else summarise_items(result)
    ax = new_axes(ax, (7.2, 4.6))
    place_of, slope = summary.parameter(Role.LOCATION), summary.parameter(Role.SLOPE)
    zeros = np.zeros(len(summary.items))
    across, moved = _hold_in(zeros if place_of is None else place_of)
    up = zeros + 1.0 if slope is None else slope
    guessing = summary.parameter(Role.ASYMPTOTE)
    is_many = len(up) > _MANY
    ax.axhline(0.0, color=GRID, lw=1.2, zorder=0)
    for place, name in enumerate(summary.classes[:_MOST_CLASSES]):
        own = summary.labels == name
        drawn = ax.scatter(
            across[own],
            up[own],
            **_paint(guessing, own, place),
            marker=_MARKERS[place],
            s=12 if is_many else 40,
            alpha=0.85,
            edgecolor="white",
            linewidth=0.2 if is_many else 0.6,
            label=f"{short(name)} ({own.sum():,})",
            rasterized=is_many,
        )
    if moved.any():
        ax.scatter(
            across[moved],
            up[moved],
            s=45 if is_many else 110,
            facecolor="none",
            edgecolor=FAINT,
            lw=1,
            label=f"difficulty beyond the edge ({moved.sum()})",
        )
    ax.set(xlabel="difficulty", ylabel="discrimination")
    negative = int((up < 0).sum())
    set_title(ax, "Item parameters", f"{negative} of {len(up)} items discriminate negatively")
    if guessing is not None:
        ax.figure.colorbar(drawn, ax=ax, label="guessing", pad=0.02)
    add_legend_below(ax)
    return ax


def _paint(guessing: Array | None, own: Array, place: int) -> dict[str, Any]:
    """Colours by guessing; by class where there is none."""
    if guessing is None:
        return {"color": COLOURS[place % len(COLOURS)]}
    highest = max(0.5, float(guessing.max()))
    return {"c": guessing[own], "cmap": "viridis", "vmin": 0.0, "vmax": highest}


def _hold_in(difficulty: Array) -> tuple[Array, Array]:
    """Move far outliers to the edge of a robust range; say which."""
    low, middle, high = np.quantile(difficulty, (0.05, 0.5, 0.95))
    reach = 1.5 * max(high - middle, middle - low, 0.25)
    held = np.clip(difficulty, middle - reach, middle + reach)
    return held, held != difficulty
