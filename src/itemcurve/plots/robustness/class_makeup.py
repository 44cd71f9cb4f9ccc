"""Classes of data sets, and of their bins of difficulty (Fabra-Boluda et al., B1 and B2)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.class_makeup import class_makeup as build_class_makeup
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.plots.drawing.panel_grid import new_grid
from itemcurve.plots.drawing.style import INK, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def class_makeup(
    curves: Sequence[SystemCurves], *, note: str = "", ax: "Axes | None" = None
) -> "Axes":
    """Draw a bar per data set, parted by class, the most frequent first.

    The table of this picture is `robustness.class_makeup(curves)`, bin 0.

    Parameters
    ----------
    curves : of data sets.
    note : what one must know to read the picture.
    ax : axes to draw on; new ones when left out.
    """
    ax = new_axes(ax, (8.4, 1.4 + 0.3 * len(curves)))
    for place, one in enumerate(reversed(curves)):
        shares = np.sort(_shares(one)[0])[::-1]
        _stack(ax, place, shares)
    names = [f"{short(one.name)} ({len(one.classes)})" for one in reversed(curves)]
    ax.set_yticks(range(len(names)), names, fontsize=8.5, color=INK)
    ax.tick_params(axis="y", length=0)
    ax.set(xlabel="share of the instances, a field per class", xlim=(0, 1))
    ax.spines["left"].set_visible(False)
    set_title(ax, "Classes of each data set (number of classes)", note)
    return ax


def bin_makeup(
    curves: SystemCurves | Sequence[SystemCurves], *, axes: "Sequence[Axes] | None" = None
) -> "list[Axes]":
    """Draw a panel per data set with a bar per bin of difficulty, parted by class.

    A class has the same colour in all bins; classes are ordered by their frequency in the data
    set. The table of this picture is `robustness.class_makeup(curves)`.

    Parameters
    ----------
    curves : of one data set or several.
    axes : as many as there are data sets; new ones when left out.
    """
    given = [curves] if isinstance(curves, SystemCurves) else list(curves)
    grid = new_grid(axes, len(given), panel=(2.5, 2.0))
    for ax, one in zip(grid.shown, given, strict=True):
        shares = _shares(one)
        order = np.argsort(-shares[0], kind="stable")
        for row, own in enumerate(shares[1:, order]):
            _stack(ax, row + 1, own, is_upright=True)
        ax.set_title(short(one.name), loc="left", fontsize=9, color=INK)
        ax.set(ylim=(0, 1), xticks=range(1, one.n_bins + 1))
    grid.label("bin, easy to hard", "share")
    return grid.shown


def _shares(curves: SystemCurves) -> NDArray[np.float64]:
    """Give the share of each class in the data set (row 0) and in its bins."""
    table = build_class_makeup(curves)["share"].to_numpy(np.float64)
    return table.reshape(curves.n_bins + 1, len(curves.classes))


def _stack(
    ax: "Axes", place: int, shares: NDArray[np.float64], *, is_upright: bool = False
) -> None:
    from matplotlib import colormaps

    tones = colormaps["viridis"](np.linspace(0.05, 0.95, len(shares)))
    starts = np.concatenate([[0.0], np.cumsum(shares)[:-1]])
    for start, share, tone in zip(starts, shares, tones, strict=True):
        draw = ax.bar if is_upright else ax.barh
        base = {"bottom" if is_upright else "left": start}
        draw(place, share, 0.8, color=tone, edgecolor="white", linewidth=0.4, **base)
