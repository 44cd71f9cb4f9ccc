"""The curves of an item in several groups."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.groups.item_differences import ItemDifferences
from itemcurve.errors import ModelError
from itemcurve.plots.drawing.style import COLOURS, add_legend, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def group_curves(
    result: ItemDifferences, item: str | None = None, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw an item's expected response along ability in every group, and where groups lie.

    Parameters
    ----------
    result : of `itemcurve.dif`.
    item : its id; the most telling one when left out.
    ax : axes to draw on; new ones when left out.
    """
    table = result.frame()
    wanted = str(table["item"][0] if item is None else item)
    if wanted not in result.items:
        raise ModelError(
            "The item must be one of those tested.",
            f"Got {wanted!r}.",
            f"Use one of them, as {result.items[0]!r}.",
        )
    place = result.items.index(wanted)
    ax = new_axes(ax)
    points, names = result.curves.abilities, result.groups.names
    for group, name in enumerate(names):
        colour = COLOURS[group % len(COLOURS)]
        own = result.curves.expected[group, :, place]
        ax.plot(points, own, color=colour, lw=2, label=short(name))
        # Where most of the group lies: a gap elsewhere concerns nobody.
        near = np.abs(points - result.means[group]) <= 1.5 * result.sds[group]
        ax.plot(points[near], own[near], color=colour, lw=5, alpha=0.25, solid_capstyle="round")
    row = table[table["item"] == wanted].iloc[0]
    ax.set(xlabel=f"ability (mean 0 and sd 1 in {short(names[0])})", ylabel="expected response")
    said = f"{short(row['group'])} {row['difference']:+.2f} ({row['lower']:+.2f} to "
    said += f"{row['upper']:+.2f}) at equal ability, adjusted p {row['p_adjusted']:.2g}"
    set_title(ax, f"{short(wanted)} between groups", said + "; broad: where a group lies")
    add_legend(ax)
    return ax
