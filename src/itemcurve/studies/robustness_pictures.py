"""Figures 6 to 11 of the study on robustness."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from itemcurve.analysis.complexity import COMPLEX_ABOVE
from itemcurve.analysis.system_curves import SystemCurves
from itemcurve.studies.robustness import RobustnessStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def list_pictures(study: RobustnessStudy) -> dict[str, Callable[[], "Figure"]]:
    """Give the functions that draw the pictures, by name."""
    curves = study.curves
    parts = {
        "figure_9_all": curves,
        "figure_10_simple": [one for one in curves if one.complexity <= COMPLEX_ABOVE],
        "figure_11_complex": [one for one in curves if one.complexity > COMPLEX_ABOVE],
    }
    return {
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


def _draw_tree(study: RobustnessStudy) -> "Figure":
    from itemcurve.plots.taxonomy import plot_taxonomy

    return _figure(plot_taxonomy(study.trees["dand"]))


def _draw_losses(study: RobustnessStudy, curves: list[SystemCurves]) -> "Figure":
    from itemcurve.plots.kappa_losses import plot_kappa_losses

    return _figure(plot_kappa_losses(curves, study.trees["dand"]))


def _draw_curves(curves: list[SystemCurves], respondent: str) -> "Figure":
    from itemcurve.plots.system_curves import plot_system_curves

    return _figure(plot_system_curves(curves, [respondent])[0])


def _draw_set(curves: SystemCurves) -> "Figure":
    from itemcurve.plots.system_curves import plot_system_curves

    return _figure(plot_system_curves(curves)[0])


def _figure(ax: "Axes") -> "Figure":
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure
