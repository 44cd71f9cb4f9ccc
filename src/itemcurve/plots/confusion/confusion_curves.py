"""The ICCMC: item curves in the panels of a confusion matrix (Cardoso et al., figures 6 to 8)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.confusion.confusion_matrix import MOST_FOR_MATRIX, Confusion
from itemcurve.errors import EvaluationError
from itemcurve.plots.drawing.picture_files import save_figure
from itemcurve.plots.drawing.style import COLOURS, INK, new_panels, set_title, short
from itemcurve.storage.disk import make_folders

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Red as in the paper; blue and this red stay apart for colour-blind readers too.
POSITIVE, NEGATIVE = COLOURS[0], "#C8203A"
_POINTS = np.linspace(-4.0, 4.0, 161)
_PANEL = (4.2, 3.1)
_FEW = 20
_MIDDLE = (0.1, 0.9)


def confusion_curves(
    result: Confusion,
    respondent: str | None = None,
    *,
    ax: "Sequence[Axes] | None" = None,
) -> "list[Axes]":
    """Draw the curves of the items in each cell of one classifier's confusion matrix.

    Blue curves rise with ability, red ones fall (negative discrimination), black is the mean curve.
    Of more than twenty curves the middle 80 % are shaded instead. The dotted line marks the
    classifier's ability. Titles give the means of the cell; the table of this picture is
    `confusion(...).frame()`.

    Parameters
    ----------
    result : from `confusion`.
    respondent : which classifier; the first when left out.
    ax : one axes per cell, row by row; new ones when left out.
    """
    name = result.respondents[0] if respondent is None else respondent
    if name not in result.respondents:
        raise EvaluationError(
            "The classifier must be one of those in the view;",
            f"{name!r} is not.",
            f"Use one of {', '.join(result.respondents[:5])}.",
        )
    rows, columns = _grid(len(result.classes))
    size = (_PANEL[0] * columns, _PANEL[1] * rows + 0.5)
    panels = new_panels(ax, rows, columns, size)
    table = result.frame()
    own = table[table["respondent"] == name].reset_index(drop=True)
    for cell, panel in zip(range(len(result.cell_names)), panels, strict=True):
        _draw_cell(panel, result, result.respondents.index(name), cell, own.loc[cell])
    if ax is None:
        panels[0].figure.suptitle(_headline(result, name), x=0.01, ha="left", fontsize=11)
    return panels


def _grid(classes: int) -> tuple[int, int]:
    """Two by two, classes by classes, or hits beside errors."""
    return (classes, classes) if classes <= MOST_FOR_MATRIX else (classes, 2)


def _draw_cell(ax: "Axes", view: Confusion, place: int, cell: int, means: Any) -> None:
    inside = view.cells[place] == cell
    curves = view.bank.expected_response(_POINTS)[:, inside]
    malformed = view.is_malformed[inside]
    for is_red, colour in ((False, POSITIVE), (True, NEGATIVE)):
        own = curves[:, malformed == is_red]
        if own.shape[1] > _FEW:
            # So many lines hide each other: where the middle of them runs is what can be read.
            low, high = np.quantile(own, _MIDDLE, axis=1)
            ax.fill_between(_POINTS, low, high, color=colour, alpha=0.25, lw=0)
        elif own.size:
            ax.plot(_POINTS, own, color=colour, lw=0.9, alpha=0.55)
    if inside.any():
        ax.plot(_POINTS, curves.mean(axis=1), color="#000000", lw=2.2)
    ability = view.scores.abilities.ability[place]
    if np.isfinite(ability):
        ax.axvline(np.clip(ability, _POINTS[0], _POINTS[-1]), color=INK, lw=1.1, ls=":")
    ax.set(xlim=(_POINTS[0], _POINTS[-1]), ylim=(-0.02, 1.02))
    ax.set_xlabel("ability", fontsize=9)
    ax.set_ylabel("P(right)", fontsize=9)
    count = int(malformed.sum())
    title = f"{_spell(view, cell)}: {means['items']} item{'' if means['items'] == 1 else 's'}"
    set_title(ax, f"{title}, {count} malformed" if count else title, _statistics(view, means))


def _spell(view: Confusion, cell: int) -> str:
    """Name a cell; TP and the like also by the classes given and named."""
    name = view.cell_names[cell]
    if len(view.classes) != 2:
        return short(name)
    positive, negative = view.classes[view.positive], view.classes[1 - view.positive]
    given = positive if name in ("TP", "FN") else negative
    named = positive if name in ("TP", "FP") else negative
    return f"{name}, {short(given, 12)} as {short(named, 12)}"


def _statistics(view: Confusion, means: Any) -> str:
    if not means["items"]:
        return "no item"
    return "mean " + ", ".join(f"{name} {means[name]:.2f}" for name in view.parameters)


def _headline(view: Confusion, name: str) -> str:
    place = view.respondents.index(name)
    return (
        f"{short(name)}: ability {view.scores.abilities.ability[place]:.2f} (dotted), Total Score "
        f"{view.scores.total_score[place]:.3f}\nblue: positive, red: negative discrimination "
        f"(malformed), black: mean curve\nshaded: the middle 80 % of more than {_FEW} curves"
    )


def save_confusion_curves(result: Confusion, folder: Path) -> None:
    """Write one PNG per classifier, named by its place and name."""
    import matplotlib.pyplot as plt

    make_folders(folder)
    for place, name in enumerate(result.respondents, start=1):
        figure = confusion_curves(result, name)[0].get_figure(root=True)
        assert figure is not None
        # Names of classifiers are data: only plain signs go into the name of a file.
        plain = "".join(sign if sign.isalnum() else "-" for sign in name)[:60]
        save_figure(figure, folder / f"curves-{place:02d}-{plain}.png", dpi=110)
        plt.close(figure)
