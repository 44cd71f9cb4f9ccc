"""Items by difficulty and discrimination, coloured by verdict."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.items.verdicts import SUSPECT, VERDICTS, item_verdicts
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.point_names import name_points
from itemcurve.plots.drawing.style import (
    GRID,
    VERDICT_MARKERS,
    add_legend,
    colour_of,
    new_axes,
    set_title,
)

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

_MANY = 400
_NAMED = 5


@takes_evaluations
def item_map(
    result: FitResult,
    *,
    audit: "pandas.DataFrame | None" = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw one point per item: difficulty across, discrimination up, colour and shape by verdict.

    The table of this picture is `fit.items` with `item_verdicts(fit)`.

    Parameters
    ----------
    result : a fit.
    audit : an item audit's table, with columns `item` and `verdict`.
    ax : axes to draw on; new ones when left out.
    """
    ax = new_axes(ax, (6.8, 4.4))
    table = result.items.merge(item_verdicts(result, audit), on="item", suffixes=("", "_verdict"))
    across_name, up_name = result.locations.name, result.slopes.name
    table[up_name] = result.slopes.values
    lower, upper = _limits(table[across_name].to_numpy())
    across = table[across_name].clip(lower, upper).fillna(upper)
    is_many = len(table) > _MANY
    ax.axhline(0.0, color=GRID, lw=1, zorder=0)
    words = list(dict.fromkeys([*VERDICTS, *table["verdict"]]))
    for word in words:
        own = (table["verdict"] == word).to_numpy()
        if own.any():
            ax.scatter(
                across[own],
                table[up_name][own],
                s=9 if is_many else 26,
                marker=VERDICT_MARKERS.get(word, "o"),
                color=colour_of(word, words),
                alpha=0.45 if is_many and word == "informative" else 0.85,
                lw=1.2 if word == "constant" else 0,
                label=f"{word} ({own.sum():,})",
                rasterized=is_many,
            )
    suspect = (table["verdict"] == SUSPECT).to_numpy()
    ax.set(xlabel=across_name, ylabel=up_name)
    set_title(ax, "Items")
    add_legend(ax, title="verdict")
    if 0 < suspect.sum() <= _NAMED:
        own = table[suspect]
        name_points(ax, own["item"].tolist(), across[suspect].tolist(), own[up_name].tolist())
    return ax


def _limits(difficulty: "np.typing.NDArray[np.float64]") -> tuple[float, float]:
    """Give a range that flat items, whose difficulty is not determined, do not blow up."""
    finite = difficulty[np.isfinite(difficulty)]
    if not finite.size:
        return -1.0, 1.0
    low, middle, high = np.quantile(finite, (0.02, 0.5, 0.98))
    reach = max(high - middle, middle - low, 0.25)
    return (
        float(max(finite.min(), middle - 2 * reach)),
        float(min(finite.max(), middle + 2 * reach)),
    )
