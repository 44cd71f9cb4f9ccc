"""How an item parameter is spread, overall or by class of item."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.plots.style import COLOURS, add_legend, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_CLASSES = 7
_BINS = (6, 24)


def plot_parameters(
    result: FitResult,
    parameter: str = "difficulty",
    *,
    classes: Mapping[str, object] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the histogram of an item parameter, one line per class of items.

    The table of this picture is `fit.items`.

    Parameters
    ----------
    result : a fit.
    parameter : a column of `fit.items`.
    classes : the class of each item by its id (at most seven); all items together when left out.
    ax : axes to draw on; new ones when left out.
    """
    table = result.items
    if parameter not in table or table[parameter].dtype.kind not in "if":
        names = [str(name) for name in table if table[name].dtype.kind in "if"]
        raise ModelError(
            f"The parameter must be a numeric column of fit.items: {', '.join(names)}.",
            f"Got {parameter!r}.",
            "Use 'difficulty' if unsure.",
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
    kinds = list(dict.fromkeys(groups))
    for index, kind in enumerate(kinds[:_MOST_CLASSES]):
        own = np.array([group == kind for group in groups]) & np.isfinite(values)
        ax.hist(
            inside[own],
            bins=list(edges),
            histtype="stepfilled" if len(kinds) == 1 else "step",
            color=COLOURS[index],
            lw=1.8,
            alpha=0.85,
            label=f"{short(kind)} ({own.sum():,})",
        )
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
