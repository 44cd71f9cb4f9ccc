"""Histograms of item parameters by class (Cardoso et al., figure 3)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.items.item_summary import ItemSummary, summarise_items
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import COLOURS, FAINT, add_legend, count_whole, new_panels, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 16


def item_histograms(
    result: FitResult | ItemSummary, *, ax: "Sequence[Axes] | None" = None
) -> "list[Axes]":
    """Draw a histogram of each item parameter, classes stacked, with mean, median and sd.

    The outer bins hold everything beyond. The table of this picture is
    `summarise_items(fit, labels).frame()`.

    Parameters
    ----------
    result : a fit, or `summarise_items(fit, labels)` to tell classes apart.
    ax : one axes per parameter; new ones when left out.
    """
    summary = result if isinstance(result, ItemSummary) else summarise_items(result)
    count = len(summary.parameters)
    panels = new_panels(ax, 1, count, (3.5 * count + 1.5, 3.4))
    for panel, (name, values) in zip(panels, summary.parameters.items(), strict=True):
        low, high = np.quantile(values, (0.025, 0.975))
        edges = np.linspace(low, high if high > low else low + 1.0, _BINS + 1)
        held = np.clip(values, edges[0], edges[-1])
        panel.hist(
            [held[summary.labels == label] for label in summary.classes],
            bins=list(edges),
            stacked=True,
            color=[COLOURS[i % len(COLOURS)] for i in range(len(summary.classes))],
            label=[short(label) for label in summary.classes],
            edgecolor="white",
            linewidth=0.5,
        )
        panel.set(xlabel=name, ylabel="items")
        count_whole(panel)
        panel.set_title(
            f"mean {values.mean():.2f}, median {np.median(values):.2f}, "
            f"sd {values.std(ddof=1):.2f}",
            loc="left",
            fontsize=8.5,
            color=FAINT,
        )
    if len(summary.classes) > 1:
        add_legend(panels[-1])
    return panels
