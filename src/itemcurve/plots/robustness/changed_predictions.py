"""The share of predictions that noise changes, against difficulty."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.robustness.class_makeup import noise_destinations
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.errors import EvaluationError
from itemcurve.plots.drawing.panel_grid import new_grid
from itemcurve.plots.drawing.style import COLOURS, FAINT, GRID, set_title, short
from itemcurve.plots.robustness.system_curves import MOST_PANELS, save_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def changed_predictions(
    curves: SystemCurves,
    respondents: Sequence[str] | None = None,
    *,
    axes: "Sequence[Axes] | None" = None,
) -> "list[Axes]":
    """Draw the share of changed predictions in each bin of difficulty, one panel per model.

    All rows are noisy; bars are Wilson's intervals, and under each name stands the verdict. The
    tables of this picture are `robustness.noise_destinations(curves)` and `curves.verdicts()`.

    Parameters
    ----------
    curves : of one data set.
    respondents : which models; all when left out.
    axes : as many as there are panels; new ones when left out.
    """
    names = curves.respondents if respondents is None else tuple(respondents)
    unknown = [name for name in names if name not in curves.respondents]
    if unknown or not 1 <= len(names) <= MOST_PANELS:
        raise EvaluationError(
            f"Models to draw must be 1 to {MOST_PANELS} of those measured;",
            f"{unknown[0]!r} is not measured." if unknown else f"asked for are {len(names)}.",
            f"Choose some of: {', '.join(curves.respondents[:8])}.",
        )
    table = noise_destinations(curves)
    words = _list_words(curves)
    grid = new_grid(axes, len(names), panel=(2.6, 2.4))
    highest = float(table.loc[table["respondent"].isin(names), "moved_upper"].max())
    for ax, name in zip(grid.shown, names, strict=True):
        _draw(ax, curves, table[table["respondent"] == name])
        ax.set_ylim(-0.02 * highest, 1.05 * highest)
        set_title(ax, short(name), words[name])
    grid.label("mean difficulty of the bin", "predictions changed")
    return grid.shown


def _list_words(curves: SystemCurves) -> dict[str, str]:
    """Verdicts by model, with the question mark of those that are not clear."""
    found = curves.verdicts()
    is_sure = found["is_clear"] | found["is_constant"]
    marks = ["" if sure else " ?" for sure in is_sure]
    words = [word + mark for word, mark in zip(found["verdict"], marks, strict=True)]
    return dict(zip(found["respondent"], words, strict=True))


def _draw(ax: "Axes", curves: SystemCurves, own: Any) -> None:
    from matplotlib.ticker import PercentFormatter

    moved = own["moved"].to_numpy(np.float64)
    reach = np.abs(own[["moved_lower", "moved_upper"]].to_numpy(np.float64).T - moved)
    ax.errorbar(
        curves.difficulty,
        moved,
        reach,
        color=COLOURS[0],
        ecolor=FAINT,
        elinewidth=1,
        marker="o",
        ms=4,
    )
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.grid(color=GRID, lw=0.5)
    ax.tick_params(labelsize=8)


def save_changed_predictions(curves: SystemCurves, folder: Path) -> list[Path]:
    """Write pictures of all models but constant ones, as many to a page as fit."""
    return save_panels(changed_predictions, curves, folder, "changed_predictions")
