"""Histograms of item parameters, overall or by class of item (Cardoso et al., figure 3)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.items.item_summary import ItemSummary, summarise_items
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import (
    COLOURS,
    FAINT,
    add_legend,
    count_whole,
    new_axes,
    new_panels,
    set_title,
    short,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_CLASSES = 7
_BINS = (6, 24)
_PANEL_BINS = 16


@takes_evaluations
def parameters(
    result: FitResult,
    parameter: str | None = None,
    *,
    classes: Mapping[str, object] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the histogram of an item parameter, classes of items side by side.

    The table of this picture is `fit.items`.

    Parameters
    ----------
    result : a fit.
    parameter : a column of `fit.items`; the difficulty when left out.
    classes : the class of each item by its id (at most seven); all items together when left out.
    ax : axes to draw on; new ones when left out.
    """
    table = result.items
    parameter = result.locations.name if parameter is None else parameter
    if parameter not in table or table[parameter].dtype.kind not in "if":
        names = [str(name) for name in table if table[name].dtype.kind in "if"]
        raise ModelError(
            f"The parameter must be a numeric column of fit.items: {', '.join(names)}.",
            f"Got {parameter!r}.",
            f"Use {result.locations.name!r} if unsure.",
        )
    ax = new_axes(ax)
    values = table[parameter].to_numpy(dtype=float)
    groups = _groups(table["item"].tolist(), classes)
    finite = values[np.isfinite(values)]
    # Flat items have difficulties far outside: they count in the outermost bins.
    ends = np.quantile(finite, (0.01, 0.99))
    bins = int(np.clip(2 * np.sqrt(len(finite)), *_BINS))
    edges = np.linspace(ends[0], ends[1], bins + 1)
    inside = np.clip(values, *ends)
    kinds = list(dict.fromkeys(groups))[:_MOST_CLASSES]
    owns = [np.array([g == kind for g in groups]) & np.isfinite(values) for kind in kinds]
    # Side by side: lines on one another would hide what classes share.
    ax.hist(
        [inside[own] for own in owns],
        bins=list(edges),
        color=list(COLOURS[: len(kinds)]),
        edgecolor="white",
        linewidth=0.5,
        label=[f"{short(kind)} ({own.sum():,})" for kind, own in zip(kinds, owns, strict=True)],
    )
    count_whole(ax)
    ax.set(xlabel=parameter.replace("_", " "), ylabel="items")
    set_title(ax, f"{parameter.replace('_', ' ').capitalize()} of items")
    if classes is not None:
        add_legend(ax, title="class")
    return ax


def _groups(items: list[str], classes: Mapping[str, object] | None) -> list[str]:
    if classes is None:
        return ["all"] * len(items)
    missing = [item for item in items if item not in classes]
    if missing:
        raise ModelError(
            "Every item needs a class.",
            f"{len(missing):,} of {len(items):,} have none, the first is {missing[0]!r}.",
            "Give a mapping from item ids to classes.",
        )
    return [str(classes[item]) for item in items]


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
        edges = np.linspace(low, high if high > low else low + 1.0, _PANEL_BINS + 1)
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
