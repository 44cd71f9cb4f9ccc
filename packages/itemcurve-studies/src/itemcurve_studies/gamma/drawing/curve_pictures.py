"""Figures 1 to 3 of the Γ paper: families of curves, which need no data."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.bank.item_bank import Bank
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Of the paper's figures: c = 2.4 throughout 1 and 2.
_SIZE = 2.4
_DIFFICULTIES, _DISCRIMINATIONS = (0.2, 0.5, 0.7), (0.5, 1.0, 2.0)
_FIXED_DIFFICULTY, _SLOPES = 0.4, (-1.0, 0.5, 1.0, 2.0)


def list_curve_pictures() -> Mapping[str, Callable[[], "Figure"]]:
    """Give functions that draw, by name."""
    same = [0.5] * len(_DISCRIMINATIONS)
    return {
        "figure_1_difficulties": partial(
            _draw_errors, [1.0] * len(_DIFFICULTIES), _DIFFICULTIES, "difficulty", _DIFFICULTIES
        ),
        "figure_2_discriminations": partial(
            _draw_errors, _DISCRIMINATIONS, same, "discrimination", _DISCRIMINATIONS
        ),
        "figure_3_beta3": _draw_scores,
    }


def _draw_errors(
    slopes: Sequence[float], difficulties: Sequence[float], what: str, values: Sequence[float]
) -> "Figure":
    from itemcurve.plots.drawing.style import COLOURS, FAINT, add_legend, new_axes, set_title

    ax = new_axes(None)
    ability = np.linspace(0.02, 0.98, 193)
    bank = Bank.from_parameters(
        "gamma-normalised", discrimination=list(slopes), difficulty=list(difficulties)
    )
    curves = _SIZE * np.asarray(bank.expected_response(np.log(ability / (1 - ability))))
    for place, value in enumerate(values):
        ax.plot(ability, curves[:, place], color=COLOURS[place], lw=2, label=f"{value:g}")
    ax.axhline(_SIZE, color=FAINT, lw=0.8, ls=":")
    ax.annotate("c", (0.985, _SIZE), color=FAINT, va="bottom", ha="right")
    ax.set(xlabel="ability", ylabel="expected error", ylim=(0, 10), xlim=(0, 1))
    held = "discrimination 1" if what == "difficulty" else "difficulty 0.5"
    set_title(ax, f"Errors by {what}", f"c = {_SIZE:g}, {held}")
    add_legend(ax, title=what)
    return figure_of(ax)


def _draw_scores() -> "Figure":
    from itemcurve.plots.drawing.style import COLOURS, FAINT, add_legend, new_axes, set_title

    ax = new_axes(None)
    ability = np.linspace(0.005, 0.995, 199)
    bank = Bank.from_parameters(
        "beta3", discrimination=list(_SLOPES), difficulty=[_FIXED_DIFFICULTY] * len(_SLOPES)
    )
    curves = bank.expected_response(np.log(ability / (1 - ability)))
    for place, slope in enumerate(_SLOPES):
        ax.plot(ability, curves[:, place], color=COLOURS[place], lw=2, label=f"{slope:g}")
    ax.axhline(0.5, color=FAINT, lw=0.8, ls=":")
    ax.annotate("error of the mean", (0.01, 0.51), color=FAINT, fontsize=8.5)
    ax.set(xlabel="ability", ylabel="expected 1/(1 + error)", xlim=(0, 1), ylim=(0, 1))
    set_title(ax, "β³ for regression", f"difficulty {_FIXED_DIFFICULTY:g}")
    add_legend(ax, title="discrimination")
    return figure_of(ax)
