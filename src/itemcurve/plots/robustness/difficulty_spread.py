"""How difficulty is spread over the instances of data sets (Fabra-Boluda et al., figure 6)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.errors import EvaluationError
from itemcurve.plots.drawing.style import COLOURS, FAINT, GRID, INK, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 48
_RANGE = (-6.0, 6.0)


def difficulty_spread(
    difficulties: Mapping[str, ArrayLike], *, note: str = "", ax: "Axes | None" = None
) -> "Axes":
    """Draw a row per data set: where its difficulties lie, their mean, one deviation either way.

    Data sets are ordered by mean difficulty; what lies outside [−6, 6] counts at the edge.

    Parameters
    ----------
    difficulties : of the instances of each data set, by its name.
    note : what one must know to read the picture.
    ax : axes to draw on; new ones when left out.

    Examples
    --------
    >>> difficulty_spread({"a": [-1.0, 0.0, 2.0], "b": [0.5, 1.5]}).get_xlabel()
    'difficulty'
    """
    found = {
        name: np.clip(np.asarray(values, dtype=np.float64), *_RANGE)
        for name, values in difficulties.items()
    }
    if not found or min(map(len, found.values())) < 2:
        raise EvaluationError(
            "A spread needs at least two difficulties of each data set;",
            f"the least given are {min(map(len, found.values()), default=0)}.",
            "Leave smaller data sets out.",
        )
    order = sorted(found, key=lambda name: float(found[name].mean()))
    ax = new_axes(ax, (8.2, 1.4 + 0.34 * len(order)))
    for place, name in enumerate(order):
        _draw(ax, found[name], place)
    ax.set_yticks(range(len(order)), [short(name) for name in order], fontsize=8.5, color=INK)
    ax.tick_params(axis="y", length=0)
    ax.set(xlabel="difficulty", xlim=_RANGE, ylim=(-0.6, len(order) + 0.1))
    ax.axvline(0, color=GRID, linewidth=0.8, zorder=0)
    set_title(ax, "Difficulty of instances (● mean, line ± one deviation)", note)
    return ax


def _draw(ax: "Axes", values: np.ndarray, place: int) -> None:
    counts, edges = np.histogram(values, bins=_BINS, range=_RANGE)
    height = 0.85 * counts / counts.max()
    ax.stairs(place + height, edges, baseline=place, fill=True, color=COLOURS[5], alpha=0.75)
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    ax.plot([mean - spread, mean + spread], [place, place], color=COLOURS[1], linewidth=1.6)
    ax.plot(mean, place, "o", color=COLOURS[1], markersize=4)
    ax.annotate(
        f"{mean:.2f} ± {spread:.2f}".replace("-", "−"),
        (1.01, place + 0.1),
        xycoords=("axes fraction", "data"),
        fontsize=8,
        color=FAINT,
    )
