"""System characteristic curves: κ against difficulty, a line per share of noise."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.robustness.changed_predictions import find_constant, find_readable
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.errors import EvaluationError
from itemcurve.plots.drawing.panel_grid import new_grid
from itemcurve.plots.drawing.picture_files import save_figure
from itemcurve.plots.drawing.style import FAINT, GRID, INK, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PANELS = 24
_OPEN: Any = {"marker": "o", "ms": 3.6, "mfc": "white", "lw": 0}


def system_curves(
    curves: SystemCurves | Sequence[SystemCurves],
    respondents: Sequence[str] | None = None,
    *,
    axes: "Sequence[Axes] | None" = None,
) -> "list[Axes]":
    """Draw κ along difficulty, one panel per model and data set, one line per share of noise.

    Darker lines are larger shares; the band is the bootstrap interval of the largest. Bins in which
    κ cannot be read (`is_readable` in `curves.frame()`, the table of this picture) have open
    circles, and neither line nor band.

    Parameters
    ----------
    curves : of one data set or several.
    respondents : which models; all when left out.
    axes : as many as there are panels; new ones when left out.
    """
    given = [curves] if isinstance(curves, SystemCurves) else list(curves)
    panels = [
        (one, name)
        for name in _names(given, respondents)
        for one in given
        if name in one.respondents
    ]
    if not panels or len(panels) > MOST_PANELS:
        raise EvaluationError(
            f"A picture has 1 to {MOST_PANELS} panels, one per model and data set;",
            f"asked for are {len(panels)}.",
            "Choose models with respondents=[...], or draw data sets one at a time.",
        )
    grid = new_grid(axes, len(panels), panel=(2.5, 2.2), margin=(1.2, 0.9))
    lowest = min(float(np.nanmin(one.lower[:, :, -1])) for one, _ in panels)
    for ax, (one, name) in zip(grid.shown, panels, strict=True):
        _draw(ax, one, name, is_named=len(given) > 1)
        ax.set_ylim(min(lowest, 0.0) - 0.03 if lowest < 0.3 else lowest - 0.05, 1.03)
    grid.label("mean difficulty of the bin", "κ, clean against noisy")
    is_readable = [find_readable(one)[one.respondents.index(name)].all() for one, name in panels]
    _add_key(grid.shown[grid.width - 1], has_doubtful=not all(is_readable))
    return grid.shown


def _names(curves: Sequence[SystemCurves], chosen: Sequence[str] | None) -> list[str]:
    known = list(dict.fromkeys(name for one in curves for name in one.respondents))
    unknown = [name for name in chosen or () if name not in known]
    if unknown:
        raise EvaluationError(
            "Models to draw must be among the curves;",
            f"{unknown[0]!r} is not.",
            f"There are: {', '.join(known[:8])}.",
        )
    return known if chosen is None else list(chosen)


def _draw(ax: "Axes", curves: SystemCurves, name: str, *, is_named: bool) -> None:
    who = curves.respondents.index(name)
    readable = find_readable(curves)[who]
    lower, upper = curves.lower[who, :, -1], curves.upper[who, :, -1]
    ax.fill_between(
        curves.difficulty, lower, upper, where=readable, color=_shade(1.0), alpha=0.15, lw=0
    )
    most = max(curves.shares)
    for place, share in enumerate(curves.shares):
        found, colour = curves.kappa[who, :, place], _shade(share / most)
        known = np.where(readable, found, np.nan)
        ax.plot(
            curves.difficulty, known, color=colour, lw=1.4, marker="o", ms=2.6, label=f"{share:.0%}"
        )
        if not readable.all():
            doubtful = np.where(readable, np.nan, found)
            ax.plot(curves.difficulty, doubtful, color=colour, **_OPEN)
    ax.grid(color=GRID, lw=0.5)
    ax.tick_params(labelsize=8)
    title = f"{short(name, 22)}, {short(curves.name, 18)}" if is_named else short(name)
    ax.set_title(title, loc="left", fontsize=9.5, color=INK)


def _shade(strength: float) -> tuple[float, float, float, float]:
    import matplotlib

    # The lightest blues would not be seen on white.
    colour: tuple[float, float, float, float] = matplotlib.colormaps["Blues"](0.3 + 0.65 * strength)
    return colour


def _add_key(ax: "Axes", *, has_doubtful: bool) -> None:
    if has_doubtful:
        ax.plot([], [], color=FAINT, label="κ cannot\nbe read", **_OPEN)
    key = ax.legend(
        frameon=False,
        fontsize=8,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.02),
        title="noisy",
        title_fontsize=8,
    )
    key.get_title().set_color(FAINT)


def save_system_curves(curves: SystemCurves, folder: Path) -> list[Path]:
    """Write pictures of all models but constant ones, as many to a page as fit."""
    return save_panels(system_curves, curves, folder, "system_curves")


def save_panels(
    draw: Callable[[SystemCurves, Sequence[str]], "list[Axes]"],
    curves: SystemCurves,
    folder: Path,
    name: str,
) -> list[Path]:
    """Write what a function draws, one panel per model that is not constant."""
    import matplotlib.pyplot as plt

    constant = find_constant(curves)
    judged = [
        who for who, is_fixed in zip(curves.respondents, constant, strict=True) if not is_fixed
    ]
    paths = []
    for start in range(0, len(judged), MOST_PANELS):
        panels = draw(curves, judged[start : start + MOST_PANELS])
        path = folder / f"{name}-{start // MOST_PANELS + 1:02d}.png"
        figure = panels[0].get_figure(root=True)
        assert figure is not None
        save_figure(figure, path, dpi=120)
        plt.close(figure)
        paths.append(path)
    return paths
