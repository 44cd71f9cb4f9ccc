"""Figures 3 to 8 of the study on the IRT confusion matrix."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from itemcurve_studies.confusion.experiment import ConfusionStudy
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def list_pictures(study: ConfusionStudy) -> dict[str, Callable[[], "Figure"]]:
    """Give the functions that draw the pictures, by name."""
    return {
        "figure_3_histograms": partial(_draw_histograms, study),
        "figure_4_items": partial(_draw_items, study),
        "figure_5_nemenyi": partial(_draw_tests, study),
        "figure_6_gb": partial(_draw_cells, study, "GB"),
        "figure_7_rf": partial(_draw_cells, study, "RF"),
        "figure_8_svm": partial(_draw_cells, study, "SVM"),
        "figure_8b_lda": partial(_draw_cells, study, "LDA"),
    }


def _draw_histograms(study: ConfusionStudy) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.item_histograms(study.summary)[0])


def _draw_items(study: ConfusionStudy) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.item_parameters(study.summary))


def _draw_tests(study: ConfusionStudy) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.metric_tests(study.comparison))


def _draw_cells(study: ConfusionStudy, respondent: str) -> "Figure":
    from itemcurve import plots

    return figure_of(plots.confusion_curves(study.view, respondent)[0])
