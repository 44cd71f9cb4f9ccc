"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.adaptive.exposure import Exposure
    from itemcurve.adaptive.score_prediction import predict_scores
    from itemcurve.adaptive.session import AdaptiveTest
    from itemcurve.adaptive.stopping import (
        ability_decided,
        ability_se,
        group_decided,
        max_items,
        no_useful_item,
        score_half_width,
        stop_all,
        stop_any,
    )
    from itemcurve.analysis.confusion import confusion
    from itemcurve.analysis.filtered_metrics import filter_metrics
    from itemcurve.analysis.findings import findings
    from itemcurve.analysis.information_curves import information_curves
    from itemcurve.analysis.item_curves import item_curves
    from itemcurve.analysis.item_fit import item_fit
    from itemcurve.analysis.item_scores import item_scores
    from itemcurve.analysis.item_summary import summarise_items
    from itemcurve.analysis.item_verdicts import item_verdicts
    from itemcurve.analysis.leading_respondents import leading_respondents
    from itemcurve.analysis.local_dependence import local_dependence
    from itemcurve.analysis.predictions import Forecasts, Predictions
    from itemcurve.analysis.rank_tests import compare_metrics
    from itemcurve.analysis.ranking import ranking
    from itemcurve.analysis.recommendation import recommend
    from itemcurve.datasets.dataset_table import load_dataset_table
    from itemcurve.datasets.simulation import simulate
    from itemcurve.estimation.bank import Bank
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.marginal import Marginal
    from itemcurve.estimation.result import FitResult
    from itemcurve.estimation.saved_fit import load
    from itemcurve.estimation.scoring import score
    from itemcurve.estimation.status import FitStatus
    from itemcurve.evaluation.classifiers import evaluate_classifiers
    from itemcurve.evaluation.own_predictions import from_predictions
    from itemcurve.evaluation.pools import Pool
    from itemcurve.evaluation.random_pools import random_pool
    from itemcurve.evaluation.regressors import evaluate_regressors
    from itemcurve.evaluation.standard_pools import standard_classifiers, standard_regressors
    from itemcurve.evaluation.study import EvaluationStudy
    from itemcurve.models.boundary import Boundary
    from itemcurve.models.catalogue import get_model
    from itemcurve.models.priors import Beta, LogitBeta, LogitNormal, LogNormal, Normal
    from itemcurve.plots.abilities import plot_abilities
    from itemcurve.plots.confusion_curves import plot_confusion_curves
    from itemcurve.plots.information import plot_information
    from itemcurve.plots.item_curves import plot_item_curves
    from itemcurve.plots.item_histograms import plot_item_histograms
    from itemcurve.plots.item_map import plot_items
    from itemcurve.plots.item_parameters import plot_item_parameters
    from itemcurve.plots.metric_tests import plot_metric_tests
    from itemcurve.plots.wright_map import plot_wright_map
    from itemcurve.reports.page import report
    from itemcurve.responses.matrix import Responses

# Public name -> module that defines it. Loaded on first use (PEP 562), so that importing
# itemcurve costs milliseconds whatever it can do.
_EXPORTS = {
    "AdaptiveTest": "itemcurve.adaptive.session",
    "Bank": "itemcurve.estimation.bank",
    "Beta": "itemcurve.models.priors",
    "Boundary": "itemcurve.models.boundary",
    "EvaluationStudy": "itemcurve.evaluation.study",
    "Exposure": "itemcurve.adaptive.exposure",
    "FitResult": "itemcurve.estimation.result",
    "FitStatus": "itemcurve.estimation.status",
    "Forecasts": "itemcurve.analysis.predictions",
    "LogNormal": "itemcurve.models.priors",
    "LogitBeta": "itemcurve.models.priors",
    "LogitNormal": "itemcurve.models.priors",
    "Marginal": "itemcurve.estimation.marginal",
    "Normal": "itemcurve.models.priors",
    "Pool": "itemcurve.evaluation.pools",
    "Predictions": "itemcurve.analysis.predictions",
    "Responses": "itemcurve.responses.matrix",
    "ability_decided": "itemcurve.adaptive.stopping",
    "ability_se": "itemcurve.adaptive.stopping",
    "compare_metrics": "itemcurve.analysis.rank_tests",
    "confusion": "itemcurve.analysis.confusion",
    "evaluate_classifiers": "itemcurve.evaluation.classifiers",
    "evaluate_regressors": "itemcurve.evaluation.regressors",
    "filter_metrics": "itemcurve.analysis.filtered_metrics",
    "findings": "itemcurve.analysis.findings",
    "fit": "itemcurve.estimation.fit",
    "from_predictions": "itemcurve.evaluation.own_predictions",
    "get_model": "itemcurve.models.catalogue",
    "group_decided": "itemcurve.adaptive.stopping",
    "information_curves": "itemcurve.analysis.information_curves",
    "item_curves": "itemcurve.analysis.item_curves",
    "item_fit": "itemcurve.analysis.item_fit",
    "item_scores": "itemcurve.analysis.item_scores",
    "item_verdicts": "itemcurve.analysis.item_verdicts",
    "leading_respondents": "itemcurve.analysis.leading_respondents",
    "load": "itemcurve.estimation.saved_fit",
    "load_dataset_table": "itemcurve.datasets.dataset_table",
    "local_dependence": "itemcurve.analysis.local_dependence",
    "max_items": "itemcurve.adaptive.stopping",
    "no_useful_item": "itemcurve.adaptive.stopping",
    "plot_abilities": "itemcurve.plots.abilities",
    "plot_confusion_curves": "itemcurve.plots.confusion_curves",
    "plot_information": "itemcurve.plots.information",
    "plot_item_curves": "itemcurve.plots.item_curves",
    "plot_item_histograms": "itemcurve.plots.item_histograms",
    "plot_item_parameters": "itemcurve.plots.item_parameters",
    "plot_items": "itemcurve.plots.item_map",
    "plot_metric_tests": "itemcurve.plots.metric_tests",
    "plot_wright_map": "itemcurve.plots.wright_map",
    "predict_scores": "itemcurve.adaptive.score_prediction",
    "random_pool": "itemcurve.evaluation.random_pools",
    "ranking": "itemcurve.analysis.ranking",
    "recommend": "itemcurve.analysis.recommendation",
    "report": "itemcurve.reports.page",
    "score": "itemcurve.estimation.scoring",
    "score_half_width": "itemcurve.adaptive.stopping",
    "simulate": "itemcurve.datasets.simulation",
    "standard_classifiers": "itemcurve.evaluation.standard_pools",
    "standard_regressors": "itemcurve.evaluation.standard_pools",
    "stop_all": "itemcurve.adaptive.stopping",
    "stop_any": "itemcurve.adaptive.stopping",
    "summarise_items": "itemcurve.analysis.item_summary",
}

__version__ = "0.1.0"
__all__ = [
    "AdaptiveTest",
    "Bank",
    "Beta",
    "Boundary",
    "EvaluationStudy",
    "Exposure",
    "FitResult",
    "FitStatus",
    "Forecasts",
    "LogNormal",
    "LogitBeta",
    "LogitNormal",
    "Marginal",
    "Normal",
    "Pool",
    "Predictions",
    "Responses",
    "__version__",
    "ability_decided",
    "ability_se",
    "compare_metrics",
    "confusion",
    "evaluate_classifiers",
    "evaluate_regressors",
    "filter_metrics",
    "findings",
    "fit",
    "from_predictions",
    "get_model",
    "group_decided",
    "information_curves",
    "item_curves",
    "item_fit",
    "item_scores",
    "item_verdicts",
    "leading_respondents",
    "load",
    "load_dataset_table",
    "local_dependence",
    "max_items",
    "no_useful_item",
    "plot_abilities",
    "plot_confusion_curves",
    "plot_information",
    "plot_item_curves",
    "plot_item_histograms",
    "plot_item_parameters",
    "plot_items",
    "plot_metric_tests",
    "plot_wright_map",
    "predict_scores",
    "random_pool",
    "ranking",
    "recommend",
    "report",
    "score",
    "score_half_width",
    "simulate",
    "standard_classifiers",
    "standard_regressors",
    "stop_all",
    "stop_any",
    "summarise_items",
]


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _EXPORTS:
        raise AttributeError(f"module 'itemcurve' has no attribute {name!r}")
    value = getattr(import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
