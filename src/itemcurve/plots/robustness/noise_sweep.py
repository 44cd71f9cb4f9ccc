"""What noise does to abilities or metrics."""

from typing import TYPE_CHECKING

from itemcurve.plots.drawing.style import COLOURS, add_legend, new_axes, set_title, short
from itemcurve.plots.drawing.table_input import check_columns, frame_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DASHES = ("-", "--", ":", "-.")


def noise_sweep(
    result: object, value: str = "ability", *, noise: str = "noise", ax: "Axes | None" = None
) -> "Axes":
    """Draw a value along the amount of noise, one line per respondent.

    Parameters
    ----------
    result : a noise sweep, or a table with columns `respondent`, the noise and the value; repeats
        of a respondent and noise are averaged.
    value : the column to draw, such as `ability` or `accuracy`.
    noise : the column with the amount of noise.
    ax : axes to draw on; new ones when left out.
    """
    table = frame_of(result)
    check_columns(table, ("respondent", noise, value))
    ax = new_axes(ax)
    lines = table.groupby(["respondent", noise], sort=False)[value].mean().reset_index()
    names = list(dict.fromkeys(lines["respondent"]))
    for index, name in enumerate(names):
        own = lines[lines["respondent"] == name].sort_values(noise)
        ax.plot(
            own[noise],
            own[value],
            color=COLOURS[index % len(COLOURS)],
            ls=_DASHES[index // len(COLOURS) % len(_DASHES)],
            lw=1.6,
            marker="o",
            ms=3,
            label=short(name),
        )
    # Abilities in (0, 1) have a column of their own.
    words = "ability, 0 to 1" if value == "ability_01" else value.replace("_", " ")
    ax.set(xlabel=noise.replace("_", " "), ylabel=words)
    set_title(ax, f"{words.split(',')[0].capitalize()} under noise")
    add_legend(ax, ncols=1 + (len(names) - 1) // 18)
    return ax
