"""One style for all pictures: colours that colour-blind people tell apart, labels one can read."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from itemcurve.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito (2008), in the order in which they are used here.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK, FAINT, GRID = "#222222", "#666666", "#DDDDDD"
VERDICT_COLOURS: Mapping[str, str] = {
    "informative": "#8A9AA8",
    "easy": "#56B4E9",
    "hard": "#0072B2",
    "uninformative": "#E69F00",
    "constant": "#000000",
    "suspect label": "#D55E00",
}
VERDICT_MARKERS: Mapping[str, str] = {
    "easy": "v",
    "hard": "^",
    "uninformative": "s",
    "constant": "x",
    "suspect label": "D",
}
_SETTINGS: Any = {
    "figure.dpi": 110,
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
}
_LONGEST_NAME = 28


def new_axes(ax: "Axes | None", size: tuple[float, float] = (6.4, 4.2)) -> "Axes":
    """Give these axes, or new ones of this size in the common style."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtraError(
            "Pictures need the package matplotlib.",
            "It is not installed.",
            "Run: pip install 'itemcurve[plot]'.",
        ) from error
    if ax is not None:
        return ax
    with plt.rc_context(_SETTINGS):
        return plt.subplots(figsize=size)[1]


def short(name: object, longest: int = _LONGEST_NAME) -> str:
    """Cut the end of a long id, and keep its signs from being read as formulas."""
    text = str(name).replace("\n", " ")
    if len(text) > longest:
        text = f"{text[: longest - 1]}…"
    return text.replace("$", r"\$")


def colour_of(verdict: str, others: Sequence[str] = ()) -> str:
    """Give the colour of a verdict; unknown words take the palette's in their order."""
    if verdict in VERDICT_COLOURS:
        return VERDICT_COLOURS[verdict]
    words = [word for word in others if word not in VERDICT_COLOURS]
    return COLOURS[words.index(verdict) % len(COLOURS)] if verdict in words else COLOURS[0]


def spans_many_sizes(values: Any, times: float) -> bool:
    """Whether the largest value is so many times a typical one that only logarithms show both."""
    import numpy as np

    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    return bool(known.size and known.min() >= 0 and known.max() > times * np.median(known) > 0)


def set_title(ax: "Axes", title: str, note: str = "") -> None:
    """Write the title at the left, and what one must know to read the picture below it."""
    ax.set_title(title, loc="left", fontsize=11, color=INK, pad=20 if note else 8)
    if note:
        ax.annotate(
            note,
            (0.0, 1.0),
            (0, 6),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=8.5,
            color=FAINT,
        )


def count_whole(ax: "Axes") -> None:
    """Count in whole numbers along the height: there is no half item."""
    from matplotlib.ticker import MaxNLocator

    ax.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))


def add_legend(ax: "Axes", **settings: Any) -> None:
    """Put the legend beside the picture, where it covers nothing."""
    place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0}
    ax.legend(frameon=False, fontsize=9, **{**place, **settings})


def add_legend_below(ax: "Axes", **settings: Any) -> None:
    """Put the legend under the picture, for pictures with a scale on either side."""
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": 3}
    add_legend(ax, **{**place, **settings})


def new_panels(
    axes: "Sequence[Axes] | None", rows: int, columns: int, size: tuple[float, float]
) -> "list[Axes]":
    """Give these axes, or a new grid of panels of this size in the common style, row by row."""
    if axes is not None:
        return list(axes)
    figure = new_axes(None, size).figure
    figure.clear()
    import matplotlib.pyplot as plt

    with plt.rc_context(_SETTINGS):
        grid = figure.subplots(rows, columns, squeeze=False)
    return [panel for row in grid for panel in row]
