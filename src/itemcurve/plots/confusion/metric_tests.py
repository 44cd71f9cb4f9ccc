"""Nemenyi's p-values of all pairs of metrics as a map (Cardoso et al., figure 5)."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.metrics.rank_tests import MetricComparison
from itemcurve.plots.drawing.style import INK, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIGNIFICANCE = 0.05
# Below this the map is dark, and ink on it would not be read.
_DARK = 0.35


def metric_tests(result: MetricComparison, *, ax: "Axes | None" = None) -> "Axes":
    """Draw a map of the p-values; pairs that differ at 5 % are dark and bold.

    The table of this picture is `metrics.compare_metrics(table).matrix()`.

    Parameters
    ----------
    result : from `metrics.compare_metrics`.
    ax : axes to draw on; new ones when left out.
    """
    count = len(result.metrics)
    ax = new_axes(ax, (2.6 + 0.62 * count, 1.9 + 0.5 * count))
    ax.imshow(np.sqrt(result.pairs), cmap="Blues_r", vmin=0.0, vmax=1.3, aspect="auto")
    names = [short(name.replace("_", " ")) for name in result.metrics]
    ax.set_xticks(range(count), names, rotation=40, ha="right")
    ax.set_yticks(range(count), names)
    for row in range(count):
        for column in range(count):
            if row != column:
                p_value = result.pairs[row, column]
                differs = p_value < _SIGNIFICANCE
                ax.text(
                    column,
                    row,
                    "<.001" if p_value < 0.001 else f"{p_value:.3f}".lstrip("0"),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="white" if p_value < _DARK else INK,
                    fontweight="bold" if differs else "normal",
                )
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    note = f"Friedman chi-square {result.statistic:.1f}, p {result.p_value:.1e}; Nemenyi p-values"
    set_title(ax, "Do metrics differ?", note)
    return ax
