"""Pairs of items that agree beyond what ability explains."""

from typing import TYPE_CHECKING

from itemcurve.analysis.evaluated_fits import unwraps_evaluations
from itemcurve.analysis.model_fit.local_dependence import LocalDependence
from itemcurve.analysis.model_fit.local_dependence import local_dependence as build_local_dependence
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import (
    COLOURS,
    FAINT,
    VERDICT_COLOURS,
    new_axes,
    set_title,
    short,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@unwraps_evaluations
def local_dependence(result: FitResult | LocalDependence, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the largest residual correlations (Q3) of pairs of items.

    Pairs right of the dashed line stand out from chance.

    Parameters
    ----------
    result : a fit, or `itemcurve.local_dependence(fit)`, whose `.frame()` is the table of this
        picture.
    ax : axes to draw on; new ones when left out.
    """
    shown = result if isinstance(result, LocalDependence) else build_local_dependence(result)
    names = [
        f"{short(first, 18)} & {short(second, 18)}"
        for first, second in zip(shown.first, shown.second, strict=True)
    ]
    ax = new_axes(ax, (6.4, max(2.2, 1.1 + 0.22 * len(names))))
    limit = shown.mean_q3 + max(shown.critical, 0.2)
    heights = list(range(len(names), 0, -1))
    colours = [
        COLOURS[1] if value > limit else VERDICT_COLOURS["informative"] for value in shown.q3
    ]
    ax.barh(heights, shown.q3, color=colours, height=0.7)
    ax.axvline(limit, color=FAINT, lw=1, ls="--")
    ax.set_yticks(heights, names)
    ax.tick_params(axis="y", length=0, labelsize=9)
    ax.set(xlabel="correlation of residuals (Q3)")
    set_title(ax, "Local dependence", f"{shown.n_dependent:,} of the pairs shown stand out")
    return ax
