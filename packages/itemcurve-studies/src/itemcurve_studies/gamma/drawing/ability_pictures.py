"""Figures 8, 9 and 12 of the Γ paper: abilities beside errors."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.gamma.drawing.item_panels import SHORT, colour_of, name_beside
from itemcurve_studies.gamma.experiment import GammaStudy
from itemcurve_studies.gamma.polynomial import SIGMAS
from itemcurve_studies.gamma.real_estate import RealEstate
from itemcurve_studies.gamma.regressors import METHODS, RESPONDENTS
from itemcurve_studies.gamma.variation import measure_variation
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
# Points in per cent: even up to the first, by powers of ten from there to the last.
_EVEN, _LARGEST = 10.0, 10_000.0
_TICKS = (-10_000, -1_000, -100, -10, 0, 10, 100, 1_000, 10_000)


def list_ability_pictures(study: GammaStudy) -> Mapping[str, Callable[[], "Figure"]]:
    """Give functions that draw, by name."""
    found: dict[str, Callable[[], Figure]] = {
        "figure_8_abilities": partial(_draw_abilities, study),
        "figure_9_variation": partial(_draw_variation, study),
    }
    if study.real_estate is not None:
        found["figure_12_ability_error"] = partial(_draw_ability_error, study.real_estate)
    return found


def _draw_abilities(study: GammaStudy) -> "Figure":
    """Figure 8: mean abilities by noise, one panel per method, and the errors beside them."""
    from itemcurve.plots.drawing.style import new_panels, set_title

    found = study.polynomial
    panels = new_panels(None, 1, len(METHODS) + 1, (6.0 * (len(METHODS) + 1), 5.2))
    for place, (ax, method) in enumerate(zip(panels, METHODS, strict=False)):
        _draw_paths(ax, found.abilities[:, :, place].mean(axis=0))
        ax.set(ylabel="ability")
        set_title(ax, f"Ability, {method}")
    # The mean follows few targets near their mean; medians over data sets do not.
    _draw_paths(panels[-1], np.median(found.errors, axis=0), is_log=True)
    panels[-1].set(ylabel="mean normalised error")
    set_title(panels[-1], "Error", "median over data sets")
    return figure_of(panels[0])


def _draw_paths(ax: "Axes", values: Floats, is_log: bool = False) -> None:
    """Lines along the noise (levels × respondents), each named at its end."""
    ends = np.maximum(values, 1e-3) if is_log else values
    for place, name in enumerate(RESPONDENTS):
        ax.plot(SIGMAS, ends[:, place], color=colour_of(name), lw=1.3)
    ax.set(xlabel="σ of the noise", xlim=(0, 0.5))
    if is_log:
        ax.set_yscale("log")
    name_beside(ax, np.full(len(RESPONDENTS), SIGMAS[-1]), ends[-1])


def _draw_variation(study: GammaStudy) -> "Figure":
    """Figure 9: the heat map, one panel per method."""
    from matplotlib.colors import SymLogNorm

    from itemcurve.plots.drawing.style import new_panels, set_title

    panels = new_panels(None, len(METHODS), 1, (9.0, 4.2 * len(METHODS)))
    for place, (ax, method) in enumerate(zip(panels, METHODS, strict=True)):
        found = measure_variation(study.polynomial, place)
        gaps = (found.ability - found.absolute).T
        # The differences go from a few points to thousands, and their signs are what is claimed.
        scale = SymLogNorm(_EVEN, vmin=-_LARGEST, vmax=_LARGEST)
        steps = (0.5, gaps.shape[1] + 0.5, len(RESPONDENTS) - 0.5, -0.5)
        drawn = ax.imshow(gaps, cmap="PuOr", norm=scale, aspect="auto", extent=steps)
        names = [SHORT.get(name, name) for name in RESPONDENTS]
        ax.set_yticks(range(len(RESPONDENTS)), names, fontsize=8)
        ax.set(xlabel="step of noise", xticks=range(2, gaps.shape[1] + 1, 2))
        set_title(ax, f"%Δability − %ΔMAE, {method}", "below 0: ability changes less")
        ax.figure.colorbar(drawn, ax=ax, extend="both", pad=0.01, ticks=_TICKS)
    return figure_of(panels[0])


def _draw_ability_error(found: RealEstate) -> "Figure":
    """Figure 12: ability against mean normalised error, first split, with its ρ."""
    from scipy.stats import spearmanr

    from itemcurve.plots.drawing.point_names import name_points
    from itemcurve.plots.drawing.style import new_axes, set_title

    ax = new_axes(None, (7.4, 5.2))
    ability, error = found.abilities[0, 0], found.errors[0]
    shown = np.maximum(error, 1e-2)
    ax.scatter(ability, shown, c=[colour_of(name) for name in RESPONDENTS], s=30, lw=0)
    ax.set(xlabel="ability", ylabel="mean normalised error", yscale="log")
    ax.margins(x=0.12, y=0.15)
    own = float(spearmanr(ability, error).statistic)
    all_splits = [
        float(spearmanr(a, e).statistic)
        for a, e in zip(found.abilities[:, 0], found.errors, strict=True)
    ]
    told = f"Spearman's ρ {own:.2f}; of {len(all_splits)} splits {np.mean(all_splits):.2f}"
    set_title(ax, "Ability and error, Real Estate", f"{told} on average")
    names = [SHORT.get(name, name) for name in RESPONDENTS]
    name_points(ax, names, ability.tolist(), shown.tolist())
    return figure_of(ax)
