"""Figures 1, 2, 7, A1 to A3, C2 and C3 of the study on robustness.

Its figures 3 to 5 carry no data of its own: another paper's tree of families, and two drawings of
how difficulties and curves are made.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.robustness.changed_predictions import find_readable
from itemcurve.analysis.robustness.curve_verdicts import VERDICTS
from itemcurve.analysis.robustness.data_complexity import COMPLEX_ABOVE
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve_studies.robustness.experiment import RobustnessStudy
from itemcurve_studies.robustness.planar_curves import PlanarShape
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Families of different kinds: trees, distances, densities, a network, a kernel.
_REGIONS = ("C5.0", "kNN", "NB", "MLP", "SVM")


def list_appendix_pictures(study: RobustnessStudy) -> dict[str, Callable[[], "Figure"]]:
    """Give the functions that draw, by name."""
    found: dict[str, Callable[[], Figure]] = {"figure_1_curves": _draw_logistic}
    if study.planar:
        found["figure_2_regions"] = partial(_draw_regions, study.planar[0])
        found["figure_a1_spreads"] = partial(_draw_spreads, study.planar)
        found["figure_a2_shapes"] = partial(_draw_shapes, study.planar)
    for one in study.planar:
        found[f"figure_a3_{one.name}"] = partial(_draw_planar, one)
    if not study.sets:
        return found
    found["figure_7_kinds"] = partial(_draw_kinds, study.curves)
    parts = {
        "figure_c2_simple": [one for one in study.curves if one.complexity <= COMPLEX_ABOVE],
        "figure_c3_complex": [one for one in study.curves if one.complexity > COMPLEX_ABOVE],
    }
    return found | {
        name: partial(_draw_means, part, name.split("_")[-1])
        for name, part in parts.items()
        if part
    }


def _draw_logistic() -> "Figure":
    """Figure 1: curves of items along ability, and of systems along difficulty."""
    from itemcurve.plots.drawing.style import COLOURS, add_legend, new_panels, set_title

    panels = new_panels(None, 1, 2, (10.4, 3.8))
    points = np.linspace(-6, 6, 161)
    for ax, sign, what, along in (
        (panels[0], 1.0, "difficulty", "ability"),
        (panels[1], -1.0, "ability", "difficulty"),
    ):
        for place, value in enumerate((-2.0, 0.0, 2.0)):
            curve = 1 / (1 + np.exp(-sign * (points - value)))
            ax.plot(points, curve, color=COLOURS[place], lw=2, label=f"{value:g}")
        ax.set(xlabel=along, ylabel="probability of a right answer", ylim=(0, 1))
        add_legend(ax, title=what)
    set_title(panels[0], "Items", "discrimination 1")
    set_title(panels[1], "Systems", "discrimination 1")
    return figure_of(panels[0])


def _draw_regions(one: PlanarShape) -> "Figure":
    """Figure 2: families agree where data are dense, and part where there are none."""
    from matplotlib.colors import ListedColormap

    from itemcurve.plots.drawing.style import COLOURS, new_panels, set_title

    map_of = one.regions
    shown = [name for name in _REGIONS if name in map_of.names]
    panels = new_panels(None, 1, len(shown) + 2, (3.2 * (len(shown) + 2), 3.1))
    share = map_of.is_second.mean(axis=0)
    edges = (*map_of.x[[0, -1]].tolist(), *map_of.y[[0, -1]].tolist())
    classes = ListedColormap(COLOURS[:2])
    for ax, name in zip(panels[1:], shown, strict=False):
        named = map_of.is_second[map_of.names.index(name)]
        ax.imshow(named, origin="lower", extent=edges, aspect="auto", cmap=classes, alpha=0.3)
    grey: dict[str, Any] = {"cmap": "Greys", "vmin": 0, "vmax": 0.7}
    ax = panels[-1]
    ax.imshow(np.minimum(share, 1 - share), origin="lower", extent=edges, aspect="auto", **grey)
    for ax, title in zip(panels, ["Training data", *shown, "All families"], strict=True):
        for place, label in enumerate(np.unique(one.y)):
            own = one.X[one.y == label]
            ax.scatter(own[:, 0], own[:, 1], s=4, color=COLOURS[place], lw=0)
        ax.set(xlim=edges[:2], ylim=edges[2:])
        ax.grid(visible=False)
        dark = f"the darker, the less the {len(map_of.names)} agree"
        set_title(ax, title, dark if ax is panels[-1] else "")
    return figure_of(panels[0])


def _draw_spreads(shapes: Sequence[PlanarShape]) -> "Figure":
    """Figure A1: how difficulties spread on three shapes."""
    from itemcurve.plots.drawing.style import COLOURS, count_whole, new_panels, set_title

    panels = new_panels(None, 1, len(shapes), (4.4 * len(shapes), 3.6))
    for ax, one in zip(panels, shapes, strict=True):
        ax.hist(one.difficulty, bins=24, color=COLOURS[0], alpha=0.85, rwidth=0.93)
        ax.set(xlabel="difficulty", ylabel="instances")
        count_whole(ax)
        told = f"mean {one.difficulty.mean():.2f}, sd {one.difficulty.std():.2f}"
        set_title(ax, one.name.capitalize(), told)
    return figure_of(panels[0])


def _draw_shapes(shapes: Sequence[PlanarShape]) -> "Figure":
    """Figure A2: where the hard instances lie."""
    from itemcurve.plots.drawing.style import new_panels, set_title

    panels = new_panels(None, 1, len(shapes), (5.0 * len(shapes), 4.2))
    for ax, one in zip(panels, shapes, strict=True):
        for label, marker in zip(np.unique(one.y), ("o", "^"), strict=True):
            own = one.y == label
            drawn = ax.scatter(
                one.X[own, 0],
                one.X[own, 1],
                c=one.difficulty[own],
                marker=marker,
                s=20,
                lw=0,
                cmap="viridis",
                vmin=float(one.difficulty.min()),
                vmax=float(one.difficulty.max()),
            )
        ax.figure.colorbar(drawn, ax=ax, label="difficulty", pad=0.02)
        set_title(ax, one.name.capitalize(), "shape of a mark: its class")
    return figure_of(panels[0])


def _draw_planar(one: PlanarShape) -> "Figure":
    """Figure A3: curves of all families on a shape."""
    from itemcurve import plots

    return figure_of(plots.system_curves(one.curves)[0])


def _draw_kinds(curves: list[SystemCurves]) -> "Figure":
    """Figure 7: of each kind the pair of model and data set that shows it most clearly."""
    from itemcurve import plots
    from itemcurve.plots.drawing.style import new_panels

    chosen = [pick for word in VERDICTS if (pick := _pick(curves, word)) is not None]
    panels = new_panels(None, 1, len(chosen), (4.2 * len(chosen), 3.6))
    for ax, (one, name, word) in zip(panels, chosen, strict=True):
        plots.system_curves(one, [name], axes=[ax])
        ax.set_title(f"{word}: {name}, {one.name}", loc="left", fontsize=8.5)
        key = ax.get_legend()
        if ax is not panels[-1] and key is not None:
            key.remove()
    return figure_of(panels[0])


def _pick(curves: list[SystemCurves], word: str) -> tuple[SystemCurves, str, str] | None:
    """The pair with this verdict by κ whose outer bins differ most, or least for the flat kinds.

    A pair whose κ cannot be read somewhere shows nothing, and is taken where there is no other.
    """
    found = []
    for one in curves:
        table = one.verdicts(measure="kappa")
        readable = [bool(row.all()) for row in find_readable(one)]
        own = table[(table["verdict"] == word) & ~table["is_constant"]]
        for row in own.to_dict("records"):
            gap = abs(row["loss_hard"] - row["loss_easy"])
            total = row["loss_hard"] + row["loss_easy"]
            # Of weak to noise the one that noise hurts most, of robust ones that it hurts least.
            clear = {"weak to noise": total - gap, "robust to both": -total}.get(word, gap)
            name = str(row["respondent"])
            found.append(((readable[one.respondents.index(name)], clear), one, name))
    if not found:
        return None
    _, one, name = max(found, key=lambda entry: entry[0])
    return one, name, word


def _draw_means(curves: list[SystemCurves], word: str) -> "Figure":
    """Figures C2 and C3: mean κ over data sets, bin by bin, for every model."""
    from itemcurve.plots.drawing.style import COLOURS, FAINT, new_panels

    names = [n for n in curves[0].respondents if all(n in one.respondents for one in curves)]
    columns = 6
    rows = -(-len(names) // columns)
    panels = new_panels(None, rows, columns, (2.5 * columns, 2.4 * rows))
    shades = np.linspace(0.25, 1.0, len(curves[0].shares))
    for ax, name in zip(panels, names, strict=False):
        kappa = np.mean([one.kappa[one.respondents.index(name)] for one in curves], axis=0)
        _draw_lines(ax, kappa, shades, COLOURS[0])
        ax.set_title(name, loc="left", fontsize=9.5)
    for ax in panels[len(names) :]:
        ax.set_visible(False)
    figure = figure_of(panels[0])
    shares = f"{min(curves[0].shares):.0%} to {max(curves[0].shares):.0%}"
    figure.supylabel("mean κ, clean against noisy", fontsize=10, color=FAINT)
    figure.suptitle(
        f"{len(curves)} {word} data sets; darker: a larger share of noisy rows ({shares}); bins of "
        "difficulty from the easiest",
        fontsize=10,
        color=FAINT,
    )
    return figure


def _draw_lines(ax: "Axes", kappa: np.ndarray, shades: np.ndarray, colour: str) -> None:
    bins = np.arange(1, len(kappa) + 1)
    for share, shade in enumerate(shades.tolist()):
        ax.plot(bins, kappa[:, share], color=colour, alpha=shade, lw=1.4)
    ax.set(ylim=(min(0.3, float(kappa.min()) - 0.05), 1.03))
    ax.set_xticks(bins)
