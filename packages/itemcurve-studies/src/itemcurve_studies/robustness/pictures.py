"""Figures 6, 8 to 11, B1 and B2 of the study on robustness; others: `appendix_pictures`."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from itemcurve.analysis.robustness.data_complexity import COMPLEX_ABOVE
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve_studies.robustness.appendix_pictures import list_appendix_pictures
from itemcurve_studies.robustness.experiment import RobustnessStudy
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def list_pictures(study: RobustnessStudy) -> dict[str, Callable[[], "Figure"]]:
    """Give the functions that draw the pictures, by name; each says how much was run."""
    drawn: dict[str, Callable[[], Figure]] = list_appendix_pictures(study)
    if not study.sets:
        return drawn
    drawn |= {name: partial(_with_size, draw, study) for name, draw in _pictures(study).items()}
    # These two say it in their titles.
    return {
        "figure_6_difficulties": partial(_draw_difficulties, study),
        "figure_b1_classes": partial(_draw_classes, study),
        **drawn,
    }


def _pictures(study: RobustnessStudy) -> dict[str, Callable[[], "Figure"]]:
    curves = study.curves
    parts = {
        "figure_9_all": curves,
        "figure_10_simple": [one for one in curves if one.complexity <= COMPLEX_ABOVE],
        "figure_11_complex": [one for one in curves if one.complexity > COMPLEX_ABOVE],
    }
    return {
        "figure_b2_classes_by_difficulty": partial(_draw_bins, curves),
        "figure_8_taxonomy": partial(_draw_tree, study),
        "figure_8_losses": partial(_draw_losses, study, curves),
        "figure_8_losses_simple": partial(_draw_losses, study, parts["figure_10_simple"]),
        "figure_8_losses_complex": partial(_draw_losses, study, parts["figure_11_complex"]),
        **{
            f"{name}_{prototype.replace(' ', '_').replace('.', '')}": partial(
                _draw_curves, part, prototype
            )
            for name, part in parts.items()
            for prototype in study.trees["dand"].prototypes
            if part
        },
        **{f"curves_{one.name}": partial(_draw_set, one) for one in curves},
    }


def _with_size(draw: Callable[[], "Figure"], study: RobustnessStudy) -> "Figure":
    from itemcurve.plots.drawing.style import FAINT

    figure = draw()
    figure.supxlabel(study.size.describe(), x=0.99, ha="right", fontsize=7, color=FAINT)
    return figure


def _draw_difficulties(study: RobustnessStudy) -> "Figure":
    from itemcurve import plots

    values = {one.data.source.name: one.difficulty for one in study.sets}
    return figure_of(plots.difficulty_spread(values, note=study.size.describe()))


def _draw_classes(study: RobustnessStudy) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.class_makeup(study.curves, note=study.size.describe()))


def _draw_bins(curves: list[SystemCurves]) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.bin_makeup(curves)[0])


def _draw_tree(study: RobustnessStudy) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.taxonomy(study.trees["dand"]))


def _draw_losses(study: RobustnessStudy, curves: list[SystemCurves]) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.kappa_losses(curves, study.trees["dand"]))


def _draw_curves(curves: list[SystemCurves], respondent: str) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.system_curves(curves, [respondent])[0])


def _draw_set(curves: SystemCurves) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.system_curves(curves)[0])
