"""What forest plots share: a name to each row, and numbers beside the axes."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from itemcurve.plots.drawing.style import FAINT, GRID, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def name_rows(ax: "Axes", heights: Sequence[int], names: Iterable[object]) -> None:
    """Write the name of each row at the left, with lines to read its value by."""
    ax.set_yticks(heights, [short(name) for name in names])
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color=GRID, lw=0.8)
    ax.set_axisbelow(True)
    ax.set_ylim(0.3, len(heights) + 0.7)


def write_beside(ax: "Axes", heights: Sequence[int], texts: Iterable[str]) -> None:
    """Write something about each row at the right of the axes."""
    for height, text in zip(heights, texts, strict=True):
        ax.annotate(
            text,
            (1.0, height),
            (4, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            color=FAINT,
        )
