"""Item fit: which items are noisier, or more predictable, than the model says."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.evaluated_fits import unwraps_evaluations
from itemcurve.analysis.model_fit.item_fit import ItemFit
from itemcurve.analysis.model_fit.item_fit import item_fit as build_item_fit
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import (
    COLOURS,
    GRID,
    VERDICT_COLOURS,
    add_legend,
    new_axes,
    set_title,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEVEL = 0.01
_MANY = 400


@unwraps_evaluations
def item_fit(result: FitResult | ItemFit, *, ax: "Axes | None" = None) -> "Axes":
    """Draw infit against outfit; items that fail the test of fit stand out.

    Parameters
    ----------
    result : a fit, or `itemcurve.item_fit(fit)`, whose `.frame()` is the table of this picture.
    ax : axes to draw on; new ones when left out.
    """
    shown = result if isinstance(result, ItemFit) else build_item_fit(result)
    ax = new_axes(ax, (6.4, 4.4))
    with np.errstate(invalid="ignore"):
        is_poor = shown.p_adjusted < _LEVEL
    size = 8 if len(shown.items) > _MANY else 24
    for ends in (0.7, 1.0, 1.3):
        ax.axhline(ends, color=GRID, lw=1, ls="-" if ends == 1.0 else "--", zorder=0)
        ax.axvline(ends, color=GRID, lw=1, ls="-" if ends == 1.0 else "--", zorder=0)
    for own, colour, name in (
        (~is_poor, VERDICT_COLOURS["informative"], "fits"),
        (is_poor, COLOURS[1], "fails the test"),
    ):
        if own.any():
            ax.scatter(
                shown.infit[own],
                shown.outfit[own],
                s=size,
                color=colour,
                alpha=0.75,
                lw=0,
                label=f"{name} ({own.sum():,})",
                rasterized=len(shown.items) > _MANY,
            )
    ax.set(xlabel="infit (mean square, weighted)", ylabel="outfit (mean square)")
    if np.isfinite(shown.p_value).any():
        set_title(ax, "Item fit", f"1 is expected; test: {shown.test}, false-discovery rate 1 %")
        add_legend(ax)
    else:
        set_title(ax, "Item fit", "1 is expected; too few responses for a test")
    return ax
