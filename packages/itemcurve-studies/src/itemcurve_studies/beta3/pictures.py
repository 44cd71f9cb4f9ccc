"""Figures 3 to 9 of the study of β³; the model, its curves and maps: `curve_pictures`."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from itemcurve_studies.beta3.curve_pictures import list_curve_pictures
from itemcurve_studies.beta3.sweep import PAPER_NOISE
from itemcurve_studies.beta3.tables import select
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Tables = Mapping[str, "pandas.DataFrame"]
_WAYS = ("published", "log-loss")


def list_pictures(tables: Tables) -> dict[str, Callable[[], "Figure"]]:
    """Give the functions that draw what the tables hold, by name."""
    found: dict[str, Callable[[], Figure]] = list_curve_pictures(tables)
    if "figure_3_questions" in tables:
        found["figure_3_questions"] = partial(_draw_questions, tables["figure_3_questions"])
    items = tables["figures_4_6_7_items"]
    known = set(items["data"])
    for name in ("moons", "clusters"):
        if name in known:
            found[f"figure_4_{name}"] = partial(_draw_distance, items, name)
    if "clusters" in known:
        found["figure_6_clusters"] = partial(_draw_items, items, "clusters")
    if "mnist" in known:
        found["figure_7_mnist"] = partial(_draw_difficulty, items)
    if "figure_5_detection" in tables:
        found["figure_5_detection"] = partial(_draw_detection, tables["figure_5_detection"])
    abilities = tables["figure_8_abilities"]
    for name in dict.fromkeys(abilities["data"]):
        found[f"figure_8_{name}"] = partial(_draw_abilities, abilities, str(name))
    found["figure_9_clusters"] = partial(_draw_response, tables["figure_9_ability_and_response"])
    return found


def _panels(columns: int, rows: int = 1) -> "list[Axes]":
    from itemcurve.plots.drawing.style import new_panels

    return new_panels(None, rows, columns, (5.2 * columns, 4.0 * rows))


def _scatter(ax: "Axes", table: "pandas.DataFrame", x: str, y: str) -> None:
    """Flipped and clean items in two colours."""
    from itemcurve.plots.drawing.style import COLOURS

    for place, (flipped, word) in enumerate(((False, "label right"), (True, "label flipped"))):
        own = table[table["flipped"] == flipped]
        ax.scatter(own[x], own[y], s=12, alpha=0.7, lw=0, color=COLOURS[place], label=word)
    ax.set(xlabel=x.replace("_", " "), ylabel=y.replace("_", " "))


def _draw_questions(table: "pandas.DataFrame") -> "Figure":
    from itemcurve.plots.drawing.style import COLOURS, set_title

    methods = list(dict.fromkeys(table["method"]))
    panels = _panels(len(methods))
    for ax, method in zip(panels, methods, strict=True):
        own = select(table, method=method)
        ax.scatter(own["difficulty"], own["discrimination"], s=6, alpha=0.5, color=COLOURS[0], lw=0)
        ax.set(xlabel="difficulty", ylabel="discrimination")
        set_title(ax, f"Questions, {method}")
    return figure_of(panels[0])


def _draw_distance(items: "pandas.DataFrame", name: str) -> "Figure":
    from itemcurve.plots.drawing.style import set_title

    panels = _panels(2, 2)
    for row, way in enumerate(_WAYS):
        own = select(items, data=name, noise=PAPER_NOISE, way=way)
        for column, value in enumerate(("difficulty", "discrimination")):
            ax = panels[2 * row + column]
            _scatter(ax, own, "distance", value)
            set_title(ax, f"{name.capitalize()}, {way}")
    panels[0].legend(frameon=False)
    return figure_of(panels[0])


def _draw_items(items: "pandas.DataFrame", name: str) -> "Figure":
    from itemcurve.plots.drawing.style import set_title

    panels = _panels(2)
    for ax, way in zip(panels, _WAYS, strict=True):
        own = select(items, data=name, noise=PAPER_NOISE, way=way)
        _scatter(ax, own, "difficulty", "discrimination")
        set_title(ax, f"{name.capitalize()}, {way}")
    panels[0].legend(frameon=False)
    return figure_of(panels[0])


def _draw_difficulty(items: "pandas.DataFrame") -> "Figure":
    from itemcurve.plots.drawing.style import set_title

    panels = _panels(2, 2)
    for row, noise in enumerate((PAPER_NOISE, 0.0)):
        own = select(items, data="mnist", noise=noise, way="published")
        pairs = (("difficulty", "free discrimination"), ("fixed_difficulty", "fixed at 1"))
        for ax, (value, words) in zip(panels[2 * row : 2 * row + 2], pairs, strict=True):
            _scatter(ax, own, value, "mean_response")
            set_title(ax, f"{noise:.0%} flipped, {words}")
    panels[0].legend(frameon=False)
    return figure_of(panels[0])


def _draw_detection(table: "pandas.DataFrame") -> "Figure":
    from itemcurve.plots.drawing.style import COLOURS, set_title

    panels = _panels(2)
    for ax, place in zip(panels, ("test", "both"), strict=True):
        lines = [(way, value) for way in dict.fromkeys(table["way"]) for value in _MEASURES]
        for colour, (way, value) in zip(COLOURS, lines, strict=False):
            own = select(table, place=place, way=way)
            ax.errorbar(
                own["noise"],
                own[f"{value}_mean"],
                yerr=own[f"{value}_std"],
                color=colour,
                marker="o",
                ms=3,
                label=f"{value}, {way}",
            )
        ax.set(xlabel="share of flipped labels", ylim=(0, 1.05))
        set_title(ax, f"Noise in {'the test part' if place == 'test' else 'both parts'}")
    panels[1].legend(frameon=False, fontsize=8)
    return figure_of(panels[0])


_MEASURES = ("precision", "recall")


def _draw_abilities(table: "pandas.DataFrame", name: str) -> "Figure":
    from itemcurve import plots

    own = select(table, data=name, way="published")
    return figure_of(plots.noise_sweep(own, value="ability_01"))


def _draw_response(table: "pandas.DataFrame") -> "Figure":
    from itemcurve import plots

    own = select(table, way="published")
    return figure_of(plots.ability_metric(own, "mean_response"))
