"""Test instances in the plane, coloured by difficulty and sized by discrimination."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.analysis.evaluated_fits import unwraps_evaluations
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import COLOURS, add_legend, new_axes, set_title
from itemcurve.plots.drawing.table_input import check_columns, frame_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MANY = 2000


@unwraps_evaluations
def data_map(result: object, points: ArrayLike, *, ax: "Axes | None" = None) -> "Axes":
    """Draw each item where its instance lies; crosses mark negative discriminations.

    Parameters
    ----------
    result : a fit, or a table with columns `difficulty` and `discrimination`.
    points : two coordinates per item, in the order of the table (items × 2).
    ax : axes to draw on; new ones when left out.
    """
    names = ("difficulty", "discrimination")
    if isinstance(result, FitResult):
        names = result.locations.name, result.slopes.name
    table = frame_of(result, "items")
    check_columns(table, names)
    places = np.asarray(points, dtype=float)
    if places.shape != (len(table), 2):
        raise ModelError(
            f"A data map needs two coordinates for each of the {len(table):,} items.",
            f"Got an array of shape {places.shape}.",
            "Reduce the data to two columns first, for example by PCA.",
        )
    ax = new_axes(ax, (6.4, 4.8))
    difficulty, slope = (table[name].to_numpy(dtype=float) for name in names)
    ends = np.nanquantile(difficulty[np.isfinite(difficulty)], (0.02, 0.98))
    is_negative = slope < 0
    largest = 60 if len(table) <= _MANY else 14
    size = largest / 6 + largest * np.clip(
        np.abs(slope) / max(np.quantile(np.abs(slope), 0.95), 1e-9), 0, 1
    )
    drawn = None
    for own, marker, name in ((~is_negative, "o", ""), (is_negative, "X", "negative")):
        if own.any():
            drawn = ax.scatter(
                places[own, 0],
                places[own, 1],
                c=np.clip(np.nan_to_num(difficulty[own]), *ends),
                s=size[own],
                marker=marker,
                cmap="viridis",
                vmin=ends[0],
                vmax=ends[1],
                alpha=0.85,
                lw=0.9 if name else 0,
                edgecolors=COLOURS[1] if name else None,
                label=f"{name} discrimination ({own.sum():,})" if name else None,
                rasterized=len(table) > _MANY,
            )
    assert drawn is not None
    ax.figure.colorbar(drawn, ax=ax, label="difficulty", extend="both", pad=0.02)
    ax.set(xlabel="first coordinate", ylabel="second coordinate")
    set_title(ax, "Data map", "colour: difficulty; size: discrimination")
    if is_negative.any():
        add_legend(ax, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    return ax
