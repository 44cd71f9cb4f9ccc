"""Pictures of the Γ study, after figures 4 to 12; figures 1 to 3 are in `curve_pictures`."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve_studies.gamma.drawing.ability_pictures import list_ability_pictures
from itemcurve_studies.gamma.drawing.curve_pictures import list_curve_pictures
from itemcurve_studies.gamma.drawing.item_panels import Item, draw_item, draw_items
from itemcurve_studies.gamma.experiment import GammaStudy
from itemcurve_studies.gamma.item_claims import pick_examples
from itemcurve_studies.gamma.polynomial import SIGMAS
from itemcurve_studies.gamma.real_estate import RealEstate
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEVELS = (0, 10, 20)


def list_pictures(study: GammaStudy) -> Mapping[str, Callable[[], "Figure"]]:
    """Give functions that draw, by name."""
    houses = study.real_estate
    drawn: dict[str, Callable[[], Figure]] = {
        **list_curve_pictures(),
        "figure_4_noise": partial(_draw_noise, study),
        "figure_5_curves": partial(_draw_curves, study),
        "figure_6_items": partial(_draw_items, study),
        "figure_7_difficulty_discrimination": partial(_draw_pairs, study),
        **list_ability_pictures(study),
    }
    if houses is None:
        return drawn
    return {
        **drawn,
        "figure_10_real_estate": partial(_draw_houses, houses),
        "figure_11_real_estate_curves": partial(_draw_house_curves, houses),
    }


def _panels(columns: int, rows: int = 1, size: tuple[float, float] = (4.6, 4.0)) -> Any:
    from itemcurve.plots.drawing.style import new_panels

    return new_panels(None, rows, columns, (size[0] * columns, size[1] * rows))


def _draw_noise(study: GammaStudy) -> "Figure":
    """Figure 4: the test set at three levels of noise."""
    from itemcurve.plots.drawing.style import COLOURS, set_title

    found = study.polynomial
    panels = _panels(3)
    order = np.argsort(found.x[0])
    for ax, level in zip(panels, _LEVELS, strict=True):
        ax.plot(found.x[0][order], found.targets[0, 0][order], color=COLOURS[1], lw=1, alpha=0.7)
        ax.scatter(found.x[0], found.targets[0, level], s=14, color=COLOURS[0], lw=0, alpha=0.8)
        ax.set(xlabel="x", ylabel="y", ylim=(-3.5, 6))
        set_title(ax, f"σ = {SIGMAS[level]:g}", "line: without noise")
    return figure_of(panels[0])


def _draw_curves(study: GammaStudy) -> "Figure":
    """Figure 5: expected normalised errors of two items with the respondents' own."""
    found = study.polynomial
    level = _LEVELS[1]
    panels = _panels(2, size=(6.2, 4.6))
    for ax, item, name in zip(panels, pick_examples(found), ("Hard", "Easy"), strict=True):
        d, a = (float(v[0, level, 0, item]) for v in (found.difficulty, found.discrimination))
        errors = 1 / found.scores[0, level, :, item] - 1
        draw_item(ax, name, Item(d, a, found.abilities[0, level, 0], errors))
    return figure_of(panels[0])


def _draw_items(study: GammaStudy) -> "Figure":
    """Figure 6: difficulty and discrimination along x at three levels, and how they spread."""
    from itemcurve.plots.drawing.style import COLOURS, count_whole, set_title

    found = study.polynomial
    panels = _panels(3, 3, (4.6, 3.6))
    slopes, places = (v[0, list(_LEVELS), 0] for v in (found.discrimination, found.difficulty))
    for column, level in enumerate(_LEVELS):
        d, a = (v[0, level, 0] for v in (found.difficulty, found.discrimination))
        ends = float(slopes.min()), float(slopes.max())
        draw_items(panels[column], found.x[0], found.targets[0, level], d, a, ends)
        panels[column].set(xlabel="x", ylabel="y")
        set_title(panels[column], f"σ = {SIGMAS[level]:g}", "size: difficulty")
        for row, (values, word) in enumerate(((d, "difficulty"), (a, "discrimination")), 1):
            ax = panels[3 * row + column]
            # One scale for all levels: that they move is what is to be seen.
            whole = places if word == "difficulty" else slopes
            bins = np.linspace(whole.min(), whole.max(), 16).tolist()
            ax.hist(values, bins=bins, color=COLOURS[row - 1], alpha=0.8, rwidth=0.92)
            ax.set(xlabel=word, ylabel="items")
            count_whole(ax)
    return figure_of(panels[0])


def _draw_pairs(study: GammaStudy) -> "Figure":
    """Figure 7: difficulty against discrimination at three levels, coloured by error."""
    from itemcurve.plots.drawing.style import FAINT, set_title

    found = study.polynomial
    panels = _panels(3)
    logs = np.log10(found.item_errors[0, list(_LEVELS)])
    places, slopes = (v[0, list(_LEVELS), 0] for v in (found.difficulty, found.discrimination))
    limits = [(min(v.min(), 0.3) - 0.05, v.max() + 0.05) for v in (places, slopes)]
    for ax, level in zip(panels, _LEVELS, strict=True):
        d, a = (v[0, level, 0] for v in (found.difficulty, found.discrimination))
        drawn = ax.scatter(
            d,
            a,
            c=np.log10(found.item_errors[0, level]),
            cmap="viridis_r",
            vmin=float(logs.min()),
            vmax=float(logs.max()),
            s=22,
            lw=0,
        )
        ax.axhline(0, color=FAINT, lw=0.8, ls=":")
        ax.set(xlabel="difficulty", ylabel="discrimination", xlim=limits[0])
        ax.set_ylim(min(limits[1][0], -0.05), limits[1][1])
        told = f"Pearson {np.corrcoef(d, a)[0, 1]:.2f}"
        set_title(ax, f"σ = {SIGMAS[level]:g}", told)
    figure_of(panels[0]).colorbar(drawn, ax=panels, label="mean normalised error, log10")
    return figure_of(panels[0])


def _draw_houses(found: RealEstate) -> "Figure":
    """Figure 10: difficulty and discrimination along the first component, first split."""
    from itemcurve.plots.drawing.style import new_axes, set_title

    ax = new_axes(None, (6.8, 4.6))
    d, a = found.difficulty[0, 0], found.discrimination[0, 0]
    ends = float(a.min()), float(a.max())
    draw_items(ax, found.component[0], found.targets[0], d, a, ends)
    ax.set(xlabel="first component", ylabel="price, standardised")
    set_title(ax, "Real Estate", "size: difficulty; first split")
    return figure_of(ax)


def _draw_house_curves(found: RealEstate) -> "Figure":
    """Figure 11: the houses with the least and the largest discrimination, first split."""
    slopes = found.discrimination[0, 0]
    panels = _panels(2, size=(6.2, 4.6))
    for ax, item, name in zip(
        panels, (int(slopes.argmin()), int(slopes.argmax())), ("Least", "Largest"), strict=True
    ):
        d, a = float(found.difficulty[0, 0, item]), float(slopes[item])
        errors = 1 / found.scores[0, :, item] - 1
        draw_item(ax, f"{name} discrimination", Item(d, a, found.abilities[0, 0], errors))
    return figure_of(panels[0])
