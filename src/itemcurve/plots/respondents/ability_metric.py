"""Ability against a classical metric: where the two rankings part."""

from typing import TYPE_CHECKING

from itemcurve.plots.drawing.point_names import name_points
from itemcurve.plots.drawing.style import COLOURS, new_axes, set_title, spans_many_sizes
from itemcurve.plots.drawing.table_input import check_columns, frame_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NAMES = 15


def ability_metric(
    result: object, metric: str = "mean_response", *, ax: "Axes | None" = None
) -> "Axes":
    """Draw each respondent's ability, with its standard error, against a classical metric.

    Parameters
    ----------
    result : a fit, an evaluation, a leaderboard, or a table with columns `respondent`, `ability`
        and the metric.
    metric : a column, such as `accuracy` or `mean_response`.
    ax : axes to draw on; new ones when left out.
    """
    table = frame_of(result, "respondents")
    check_columns(table, ("respondent", "ability", metric))
    ax = new_axes(ax)
    errors = table.get("ability_se")
    ax.errorbar(
        table[metric],
        table["ability"],
        yerr=errors,
        fmt="o",
        color=COLOURS[0],
        ecolor=COLOURS[5],
        ms=5,
        lw=1,
        alpha=0.85,
    )
    if spans_many_sizes(table[metric], 20) and (table[metric] > 0).all():
        ax.set_xscale("log")
    ax.set(xlabel=metric.replace("_", " "), ylabel="ability")
    set_title(ax, f"Ability and {metric.replace('_', ' ')}", "bars: standard errors of ability")
    if len(table) <= _MOST_NAMES:
        ax.margins(x=0.12)
        name_points(
            ax, table["respondent"].tolist(), table[metric].tolist(), table["ability"].tolist()
        )
    return ax
