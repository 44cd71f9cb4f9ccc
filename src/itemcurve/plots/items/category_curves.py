"""How likely each category of an item is, along ability."""

from typing import TYPE_CHECKING

from itemcurve.analysis.curves.category_curves import CategoryCurves
from itemcurve.analysis.curves.category_curves import category_curves as build_category_curves
from itemcurve.analysis.curves.item_curves import typical_items
from itemcurve.estimation.result import FitResult
from itemcurve.models.capabilities import HasCategories
from itemcurve.plots.drawing.style import (
    COLOURS,
    FAINT,
    add_legend,
    new_axes,
    set_title,
    short,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def category_curves(
    result: FitResult | CategoryCurves, item: str | None = None, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw the probability of every category along ability, thresholds and observed shares.

    Parameters
    ----------
    result : a fit, or `tables.category_curves(fit, item)`, whose `.frame()` is the table of this
        picture.
    item : its id; of a fit, a typical item when left out.
    ax : axes to draw on; new ones when left out.
    """
    if isinstance(result, CategoryCurves):
        curves = result
    else:
        curves = build_category_curves(result, _typical(result) if item is None else item)
    ax = new_axes(ax)
    points, places = (curves.axis.shown(t) for t in (curves.axis.points, curves.abilities))
    for index, code in enumerate(curves.codes):
        colour = COLOURS[index % len(COLOURS)]
        style = "-" if index < len(COLOURS) else "--"
        ax.plot(points, curves.probabilities[index], style, color=colour, lw=2, label=f"{code:g}")
        ax.plot(places, curves.shares[index], "o", color=colour, ms=4.5, alpha=0.75, mec="white")
    for threshold in curves.thresholds:
        if points[0] <= threshold <= points[-1]:
            ax.axvline(threshold, color=FAINT, lw=0.9, ls=":")
    ax.set(xlabel=curves.axis.label, ylabel="probability", ylim=(-0.02, 1.02))
    words = "points: groups of respondents"
    words += "; dotted: thresholds" if curves.thresholds else ""
    set_title(ax, f"Categories of {short(curves.item)}", words)
    add_legend(ax, title="category")
    return ax


def _typical(fit: FitResult) -> str:
    """A typical item among those with categories."""
    named = [
        fit.responses.items[position]
        for part in fit.bank.parts
        if isinstance(part.model, HasCategories)
        for position in part.positions
    ]
    typical = [item for item in typical_items(fit, 7) if item in set(named)]
    return (typical or named or list(typical_items(fit, 1)))[len(typical) // 2]
