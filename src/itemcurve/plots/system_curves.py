"""System characteristic curves: κ against difficulty, a line per share of noise."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.system_curves import SystemCurves
from itemcurve.errors import EvaluationError
from itemcurve.plots.style import FAINT, GRID, INK, new_panels, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_PANELS = 24
_COLUMNS = 4


def plot_system_curves(
    curves: SystemCurves | Sequence[SystemCurves],
    respondents: Sequence[str] | None = None,
    *,
    axes: "Sequence[Axes] | None" = None,
) -> "list[Axes]":
    """Draw κ along difficulty, one panel per model and data set, one line per share of noise.

    Darker lines are larger shares; the band is the bootstrap interval of the largest. The table of
    this picture is `curves.frame()`.

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
    if not panels or len(panels) > _MOST_PANELS:
        raise EvaluationError(
            f"A picture has 1 to {_MOST_PANELS} panels, one per model and data set;",
            f"asked for are {len(panels)}.",
            "Choose models with respondents=[...], or draw data sets one at a time.",
        )
    width = min(_COLUMNS, len(panels))
    rows = -(-len(panels) // width)
    found = new_panels(axes, rows, width, (1.2 + 2.5 * width, 0.9 + 2.2 * rows))
    lowest = min(float(np.nanmin(one.lower[:, :, -1])) for one, _ in panels)
    for place, (ax, (one, name)) in enumerate(zip(found, panels, strict=False)):
        _draw(ax, one, name, is_named=len(given) > 1)
        ax.set_ylim(min(lowest, 0.0) - 0.03 if lowest < 0.3 else lowest - 0.05, 1.03)
        if place % width == 0:
            ax.set_ylabel("κ, clean against noisy", fontsize=8.5)
        if place + width >= len(panels):
            ax.set_xlabel("mean difficulty of the bin", fontsize=8.5)
    for ax in found[len(panels) :]:
        ax.set_axis_off()
    _add_key(found[min(width, len(panels)) - 1], panels[0][0].shares)
    return found[: len(panels)]


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
    lower, upper = curves.lower[who, :, -1], curves.upper[who, :, -1]
    ax.fill_between(curves.difficulty, lower, upper, color=_shade(1.0), alpha=0.15, lw=0)
    most = max(curves.shares)
    for place, share in enumerate(curves.shares):
        ax.plot(
            curves.difficulty,
            curves.kappa[who, :, place],
            color=_shade(share / most),
            lw=1.4,
            marker="o",
            ms=2.6,
            label=f"{share:.0%}",
        )
    ax.grid(color=GRID, lw=0.5)
    ax.tick_params(labelsize=8)
    title = f"{short(name, 22)}, {short(curves.name, 18)}" if is_named else short(name)
    ax.set_title(title, loc="left", fontsize=9.5, color=INK)


def _shade(strength: float) -> tuple[float, float, float, float]:
    import matplotlib

    # The lightest blues would not be seen on white.
    colour: tuple[float, float, float, float] = matplotlib.colormaps["Blues"](0.3 + 0.65 * strength)
    return colour


def _add_key(ax: "Axes", shares: Sequence[float]) -> None:
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
    """Write pictures of all models, as many to a page as fit."""
    import matplotlib.pyplot as plt

    paths = []
    for start in range(0, len(curves.respondents), _MOST_PANELS):
        names = curves.respondents[start : start + _MOST_PANELS]
        panels = plot_system_curves(curves, names)
        path = folder / f"system_curves-{start // _MOST_PANELS + 1:02d}.png"
        figure = panels[0].get_figure(root=True)
        assert figure is not None
        figure.savefig(path, dpi=120)
        plt.close(figure)
        paths.append(path)
    return paths
