"""What the test and its best items tell along ability."""

from typing import TYPE_CHECKING

from itemcurve.analysis.curves.information_curves import InformationCurves, information_curves
from itemcurve.analysis.evaluated_fits import unwraps_evaluations
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import (
    COLOURS,
    FAINT,
    INK,
    add_legend_below,
    new_axes,
    set_title,
    short,
    spans_many_sizes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MANY_SIZES = 300


@unwraps_evaluations
def information(result: FitResult | InformationCurves, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the information of the test (thick) and of single items along ability.

    Parameters
    ----------
    result : a fit, or `tables.information_curves(fit, ...)`, whose `.frame()` is the table of this
        picture.
    ax : axes to draw on; new ones when left out.
    """
    curves = result if isinstance(result, InformationCurves) else information_curves(result)
    ax = new_axes(ax)
    points = curves.axis.shown(curves.axis.points)
    ax.plot(points, curves.test, color=INK, lw=2.5, label="whole test")
    # Single items would be a line at the bottom beside the test: they have a scale of their own.
    own = ax.twinx()
    for index, item in enumerate(curves.names):
        colour = COLOURS[index % len(COLOURS)]
        own.plot(points, curves.items[:, index], color=colour, lw=1.2, label=short(item, 20))
    own.set_ylabel("information of single items (thin)", color=FAINT)
    own.tick_params(colors=FAINT)
    own.spines["top"].set_visible(False)
    ax.set(xlabel=curves.axis.label, ylabel="information of the test (thick)")
    # Γ knows abilities near 0 thousands of times better than others.
    is_wide = any(spans_many_sizes(values, _MANY_SIZES) for values in (curves.test, curves.items))
    for axes, values in ((ax, curves.test), (own, curves.items)):
        if is_wide and values.min() > 0:
            axes.set_yscale("log")
            axes.set_ylim(max(values.min(), 1e-5 * values.max()), 1.5 * values.max())
        else:
            axes.set_ylim(0, 1.06 * values.max())
    set_title(ax, "Information about ability", "the standard error of an ability is 1/√information")
    add_legend_below(ax, handles=[*ax.get_lines(), *own.get_lines()])
    return ax
