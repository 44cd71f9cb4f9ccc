"""The Wright map: respondents and items on one scale."""

from typing import TYPE_CHECKING

from itemcurve.analysis.curves.wright_map import WrightMap
from itemcurve.analysis.curves.wright_map import wright_map as build_wright_map
from itemcurve.analysis.evaluated_fits import unwraps_evaluations
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import COLOURS, GRID, add_legend, new_axes, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@unwraps_evaluations
def wright_map(result: FitResult | WrightMap, *, ax: "Axes | None" = None) -> "Axes":
    """Draw how abilities and difficulties are spread over their common scale.

    Where the one has bars and the other none, the test is too easy or too hard.

    Parameters
    ----------
    result : a fit, or `tables.wright_map(fit)`, whose `.frame()` is the table of this picture.
    ax : axes to draw on; new ones when left out.
    """
    ax = new_axes(ax, (5.6, 4.6))
    shown = result if isinstance(result, WrightMap) else build_wright_map(result)
    edges = shown.edges
    middles, height = (edges[1:] + edges[:-1]) / 2, edges[1] - edges[0]
    sides = [
        (shown.respondents, -1, COLOURS[0], "respondents", 0.9),
        (shown.items, 1, COLOURS[1], "items", 0.9),
    ]
    if shown.thresholds is not None:
        # Where grades give way to one another lies where the test measures; items are their means.
        sides.insert(1, (shown.thresholds, 1, COLOURS[4], "thresholds of items", 0.9))
        sides[2] = (*sides[2][:3], "items (mean threshold)", 0.4)
    for counts, sign, colour, name, share in sides:
        width = sign * counts / max(counts.max(), 1)
        ax.barh(middles, width, height=share * height, color=colour, alpha=0.8, label=name)
    ax.axvline(0.0, color=GRID, lw=1)
    ax.set_xticks([])
    ax.spines["bottom"].set_visible(False)
    ax.set(ylabel=shown.axis.label.replace("ability", "ability and difficulty"))
    right = "difficulties" if shown.thresholds is None else "thresholds"
    set_title(ax, "Wright map", f"abilities to the left, {right} to the right")
    ax.set_xlim(-1.08, 1.08)
    add_legend(ax)
    return ax
