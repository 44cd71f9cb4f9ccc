"""Panels of the Γ study: one item's curve with everybody's error, and all items in the plane."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.bank.item_bank import Bank
from itemcurve_studies.gamma.regressors import LINEAR, NONLINEAR, RESPONDENTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
# Errors below are all the same to the eye, and a scale of many powers would be empty.
_LEAST = 1e-3
# Height of a line of text, as a share of a panel's.
_LINE = 0.05
SHORT = {
    "Linear regression": "Linear",
    "Linear support vectors": "Linear SVR",
    "RBF support vectors": "RBF SVR",
    "Neural network 100": "MLP 100",
    "Neural network 50-50": "MLP 50-50",
    "Nearest neighbours": "Neighbours",
    "Decision tree": "Tree",
    "Random forest": "Forest",
}


@dataclass(frozen=True, eq=False)
class Item:
    """An item: its parameters, and what each respondent's error on it was."""

    difficulty: float
    discrimination: float
    abilities: Floats
    errors: Floats


def colour_of(name: str) -> str:
    """One colour for linear models, one for the others, one for references."""
    from itemcurve.plots.drawing.style import COLOURS, FAINT

    if name in LINEAR:
        return COLOURS[1]
    return COLOURS[0] if name in NONLINEAR else FAINT


def draw_item(ax: "Axes", name: str, item: Item) -> None:
    """Draw its curve of expected normalised errors, and the respondents with their names."""
    from itemcurve.plots.drawing.style import INK, set_title

    points = np.linspace(-3.5, 3.5, 141)
    bank = Bank.from_parameters(
        "gamma-normalised", discrimination=[item.discrimination], difficulty=[item.difficulty]
    )
    curve = np.asarray(bank.expected_response(points))[:, 0]
    ax.plot(1 / (1 + np.exp(-points)), curve, color=INK, lw=1.6)
    shown = np.maximum(item.errors, _LEAST)
    colours = [colour_of(one) for one in RESPONDENTS]
    ax.scatter(item.abilities, shown, c=colours, s=26, lw=0, zorder=3)
    highest = 3 * max(float(shown.max()), 1.0)
    ax.set(yscale="log", xlabel="ability", ylabel="normalised error", xlim=(0, 1))
    ax.set_ylim(_LEAST / 2, highest)
    set_title(
        ax,
        f"{name}: difficulty {item.difficulty:.2f}, discrimination {item.discrimination:.2f}",
        "line: expected; the priors' weight keeps it above errors near 0",
    )
    name_beside(ax, item.abilities, shown)


def name_beside(ax: "Axes", xs: Floats, ys: Floats) -> None:
    """Write the respondents' names in a column right of the panel, in the order of their points.

    Called last: heights depend on the limits of the axes.
    """
    from itemcurve.plots.drawing.style import GRID

    spots = ax.transAxes.inverted().transform(ax.transData.transform(np.column_stack([xs, ys])))
    order = np.argsort(spots[:, 1], kind="stable")
    heights = spots[order, 1].copy()
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + _LINE)
    # Where the column would leave the panel at its top, it moves down, and packs from there.
    heights = np.minimum(heights, 1.0 - _LINE * np.arange(len(heights))[::-1])
    for place, height in zip(order.tolist(), heights.tolist(), strict=True):
        name = RESPONDENTS[place]
        ax.annotate(
            SHORT.get(name, name),
            (float(xs[place]), float(ys[place])),
            (1.03, height),
            textcoords="axes fraction",
            fontsize=8,
            color=colour_of(name),
            va="center",
            arrowprops={"arrowstyle": "-", "color": GRID, "lw": 0.6, "relpos": (0, 0.5)},
        )


def draw_items(
    ax: "Axes",
    x: Floats,
    y: Floats,
    difficulty: Floats,
    discrimination: Floats,
    ends: tuple[float, float],
) -> None:
    """Draw items in the plane: larger is harder, darker discriminates more."""
    size = 8 + 90 * (difficulty - difficulty.min()) / max(np.ptp(difficulty), 1e-9)
    drawn = ax.scatter(
        x,
        y,
        s=size,
        c=discrimination,
        cmap="viridis_r",
        vmin=ends[0],
        vmax=ends[1],
        alpha=0.85,
        lw=0,
    )
    ax.figure.colorbar(drawn, ax=ax, label="discrimination", pad=0.02)
