"""Panels in rows: one per model or data set, labelled along the edges only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from itemcurve.plots.drawing.style import new_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 4


@dataclass(frozen=True)
class PanelGrid:
    """So many panels, row by row.

    Attributes
    ----------
    shown : the axes to draw on.
    width : panels in a row.
    """

    shown: "list[Axes]"
    width: int

    def label(self, along: str, upwards: str) -> None:
        """Say at the left and at the bottom what the axes are."""
        for place, ax in enumerate(self.shown):
            if place % self.width == 0:
                ax.set_ylabel(upwards, fontsize=8.5)
            if place + self.width >= len(self.shown):
                ax.set_xlabel(along, fontsize=8.5)


def new_grid(
    axes: "Sequence[Axes] | None",
    count: int,
    panel: tuple[float, float],
    margin: tuple[float, float] = (0.6, 0.6),
) -> PanelGrid:
    """Lay out panels on these axes, or on new ones; what is left over stays blank.

    Parameters
    ----------
    panel, margin : width and height of one, and of what is around all, in inches.
    """
    width = min(COLUMNS, count)
    rows = -(-count // width)
    size = (margin[0] + panel[0] * width, margin[1] + panel[1] * rows)
    found = new_panels(axes, rows, width, size)
    for ax in found[count:]:
        ax.set_axis_off()
    return PanelGrid(found[:count], width)
