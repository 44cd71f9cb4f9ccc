"""Pictures of the adaptive study, after figures 1 and 2, and errors along the test."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from itemcurve.analysis.curves.item_curves import item_curves
from itemcurve_studies.adaptive.calibration import PAPER_MODELS
from itemcurve_studies.adaptive.experiment import AdaptiveStudy
from itemcurve_studies.adaptive.tables import error_path, kendall, rank_sequences
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The two data sets of the paper's figure, and the classifiers whose lines it has (naive Bayes is in
# the pool here, not held out).
_SETS = ("chess", "labor")
_HELD_OUT = ("GBC", "MLP")


def list_pictures(study: AdaptiveStudy) -> Mapping[str, Callable[[], "Figure"]]:
    """Give functions that draw, by name."""
    return {
        "figure_1_curves": lambda: _draw_curves(study),
        "figure_2_agreement": lambda: _draw_agreement(study),
        "errors_along_the_test": lambda: _draw_errors(study),
    }


def _draw_curves(study: AdaptiveStudy) -> "Figure":
    """Figure 1: expected accuracy on the paper's two data sets, quartiles, and two held-out ones.

    Abilities of β³ are drawn as logits: those of the pool lie within a percent of (0, 1), whose
    place there the priors alone decide.
    """
    from itemcurve.plots.drawing.style import add_legend

    names = [name for name in _SETS if name in study.table.datasets] or study.table.datasets[:2]
    panels = _panels(len(PAPER_MODELS), len(names), (5.6, 4.0))
    for row, name in enumerate(names):
        for column, model in enumerate(PAPER_MODELS):
            _draw_set(panels[row * len(PAPER_MODELS) + column], study, name, model)
    add_legend(panels[len(PAPER_MODELS) - 1])
    return figure_of(panels[0])


def _draw_set(ax: "Axes", study: AdaptiveStudy, name: str, model: str) -> None:
    from itemcurve.plots.drawing.style import COLOURS, FAINT, set_title

    found = study.measures["accuracy"].fits[model]
    item = study.table.datasets.index(name)
    curves = item_curves(found, [name])
    points = curves.axis.points
    ax.plot(points, curves.expected[:, 0], color=COLOURS[0], lw=2, label="expected")
    if curves.quantiles is not None:
        for values, style in zip(curves.quantiles, (":", "--", ":"), strict=True):
            label = "25, 50, 75 %" if style == "--" else None
            ax.plot(points, values[:, 0], style, color=COLOURS[0], lw=1.2, label=label)
    abilities = found.respondents["ability"].to_numpy()
    own = found.responses.array()[:, item]
    ax.plot(abilities, own, ".", color=FAINT, ms=4, label="pool of 72")
    held = study.table.responses("accuracy", "held out")
    for place, who in enumerate(_HELD_OUT, 1):
        if who in held.respondents:
            value = float(held.array()[held.respondents.index(who), item])
            ax.axhline(value, color=COLOURS[place], lw=1.1, label=f"{who}, held out")
    ax.set(xlabel="ability", ylabel="accuracy", ylim=(0, 1.02))
    set_title(ax, f"{name}, {model}")


def _draw_agreement(study: AdaptiveStudy) -> "Figure":
    """Figure 2: Kendall's τ of all pairs of sequences, one panel per measure."""
    from itemcurve.plots.drawing.style import set_title

    panels = _panels(3, 2, (5.2, 4.6))
    for ax, measure in zip(panels, study.measures, strict=True):
        names, ranks = rank_sequences(study, measure)
        taus = [[kendall(first, second) for second in ranks] for first in ranks]
        drawn = ax.imshow(taus, vmin=-1, vmax=1, cmap="viridis")
        ax.set_xticks(range(len(names)), names, rotation=90, fontsize=7)
        ax.set_yticks(range(len(names)), names, fontsize=7)
        set_title(ax, measure.replace("_", " "))
    figure_of(panels[0]).colorbar(drawn, ax=panels, label="Kendall's τ")
    return figure_of(panels[0])


def _draw_errors(study: AdaptiveStudy) -> "Figure":
    """RMSE of gradient boosting along the test, one panel per measure."""
    from itemcurve.plots.drawing.style import COLOURS, add_legend, set_title

    panels = _panels(3, 2, (4.6, 3.6))
    for ax, (measure, found) in zip(panels, study.measures.items(), strict=True):
        for model, line in zip(PAPER_MODELS, ("-", "--"), strict=True):
            for rule, colour in (("fisher", COLOURS[0]), ("random", COLOURS[1])):
                path = error_path(found.sequences[model][rule], 0)
                ax.plot(path, line, color=colour, lw=1.4, label=f"{model}, {rule}")
        ax.set(xscale="symlog", xlabel="tests", ylabel="RMSE")
        set_title(ax, measure.replace("_", " "))
    add_legend(panels[2])
    return figure_of(panels[0])


def _panels(columns: int, rows: int, size: tuple[float, float]) -> "list[Axes]":
    from itemcurve.plots.drawing.style import new_panels

    return new_panels(None, rows, columns, (size[0] * columns, size[1] * rows))
