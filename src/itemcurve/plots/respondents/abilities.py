"""Abilities with intervals: the forest plot of a leaderboard."""

from typing import TYPE_CHECKING

from itemcurve.analysis.curves.ability_axis import ability_axis
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.respondents.leading_respondents import leading_respondents
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.forest import name_rows
from itemcurve.plots.drawing.style import COLOURS, FAINT, add_legend, new_axes, set_title

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


@takes_evaluations
def abilities(
    result: FitResult,
    *,
    tiers: "pandas.DataFrame | None" = None,
    most: int = 30,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw each respondent's ability with its 90 % interval, the best on top.

    The table of this picture is `tables.leading_respondents(fit)`.

    Parameters
    ----------
    result : a fit.
    tiers : a table with columns `respondent` and `tier`, such as a leaderboard's; respondents of
        one tier share a colour.
    most : of more respondents, the best and the worst are drawn.
    ax : axes to draw on; new ones when left out.
    """
    table = leading_respondents(result, most=most, tiers=tiers)
    ax = new_axes(ax, (6.4, max(2.2, 1.0 + 0.22 * len(table))))
    heights = list(range(len(table), 0, -1))
    groups = table["tier"].tolist() if "tier" in table else ["" for _ in heights]
    for group in dict.fromkeys(groups):
        colour = COLOURS[list(dict.fromkeys(groups)).index(group) % len(COLOURS)]
        own = [index for index, other in enumerate(groups) if other == group]
        part, ys = table.iloc[own], [heights[index] for index in own]
        ax.hlines(ys, part["lower"], part["upper"], color=colour, lw=2, alpha=0.55)
        ax.plot(part["shown"], ys, "o", color=colour, ms=5, label=f"tier {group}")
    name_rows(ax, heights, table["respondent"])
    gaps = [h for h, is_gap in zip(heights, table["is_after_gap"], strict=True) if is_gap]
    for height in gaps:
        ax.axhline(height + 0.5, color=FAINT, lw=1, ls=(0, (1, 3)))
    total = len(result.responses.respondents)
    count = f"{len(table)} of {total:,}, best and worst" if gaps else f"{total:,} respondents"
    ax.set(xlabel=ability_axis(result).label)
    set_title(ax, "Abilities", f"90 % intervals; {count}")
    if "tier" in table:
        add_legend(ax)
    return ax
