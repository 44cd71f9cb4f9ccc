"""Fair ratings with intervals, beside the mean of whoever happened to rate."""

from typing import TYPE_CHECKING

from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.plots.drawing.forest import name_rows
from itemcurve.plots.drawing.style import COLOURS, add_legend, new_axes, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_REACH = 1.645


def fair_ratings(result: RaterFit, *, most: int = 40, ax: "Axes | None" = None) -> "Axes":
    """Draw what all judges would give each respondent, the best on top, and what it was given.

    Where point and ring lie apart, severe or mild judges have rated, or hard or easy items were
    answered. The table of this picture is `fit.respondents`.

    Parameters
    ----------
    result : a fit of ratings by several judges.
    most : of more respondents, the best are drawn.
    ax : axes to draw on; new ones when left out.
    """
    table = result.respondents.sort_values("fair_rating", ascending=False, kind="stable")
    total, table = len(table), table.head(most)
    ax = new_axes(ax, (6.4, max(2.4, 1.2 + 0.24 * len(table))))
    heights = list(range(len(table), 0, -1))
    middle, reach = table["fair_rating"], _REACH * table["fair_rating_se"]
    ax.hlines(heights, middle - reach, middle + reach, color=COLOURS[0], lw=2, alpha=0.55)
    ax.plot(middle, heights, "o", color=COLOURS[0], ms=5, label="fair rating")
    mean = table["mean_rating"]
    ax.plot(mean, heights, "o", color=COLOURS[1], ms=7, mfc="none", label="mean rating")
    name_rows(ax, heights, table["respondent"])
    count = f"the best {most} of {total:,}" if total > most else f"{total:,} respondents"
    ax.set_xlabel("points of the rating scale")
    set_title(ax, "Fair ratings", f"90% intervals; {count}")
    add_legend(ax)
    return ax
