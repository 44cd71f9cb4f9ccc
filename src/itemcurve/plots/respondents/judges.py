"""Judges with intervals: how severe each is, and how far it follows quality."""

from typing import TYPE_CHECKING

from itemcurve.analysis.judges.judge_report import judge_report
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.plots.drawing.forest import name_rows, write_beside
from itemcurve.plots.drawing.style import COLOURS, INK, add_legend, new_axes, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_REACH = 1.645


def judges(result: RaterFit, *, ax: "Axes | None" = None) -> "Axes":
    """Draw how much lower than others each judge rates, the most severe on top.

    Judges with the same flags share a colour; at the right stands the share of each one's ratings
    that follows the quality all judges see. The table of this picture is
    `judge_report(fit).frame()`.

    Parameters
    ----------
    result : a fit of ratings by several judges.
    ax : axes to draw on; new ones when left out.
    """
    table = judge_report(result).frame()
    table = table.sort_values("severity", ascending=False, kind="stable")
    ax = new_axes(ax, (6.8, max(2.4, 1.2 + 0.26 * len(table))))
    heights = list(range(len(table), 0, -1))
    flags = table["flags"].tolist()
    # What nothing was found of has the first colour, whoever comes first.
    for place, flag in enumerate(sorted(dict.fromkeys(["", *flags]), key=bool)):
        own = [row for row, other in enumerate(flags) if other == flag]
        part, ys = table.iloc[own], [heights[row] for row in own]
        reach, colour = _REACH * part["severity_se"], COLOURS[place % len(COLOURS)]
        ends = part["severity"] - reach, part["severity"] + reach
        ax.hlines(ys, *ends, color=colour, lw=2, alpha=0.55)
        if own:
            ax.plot(part["severity"], ys, "o", color=colour, ms=5, label=flag or "no flag")
    write_beside(ax, heights, (f"{share:.0%}" for share in table["consistency"]))
    ax.axvline(0.0, color=INK, lw=0.8, ls=(0, (4, 3)))
    name_rows(ax, heights, table["rater"])
    ax.set_xlabel("severity (points of the rating scale)")
    set_title(ax, "Judges", "90% intervals; at the right, share that follows quality")
    add_legend(ax, bbox_to_anchor=(1.09, 1.0))
    return ax
