"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.adaptive.exposure import Exposure
    from itemcurve.adaptive.item_choice import choose_items
    from itemcurve.adaptive.misfit import measure_misfit
    from itemcurve.adaptive.precision_plan import plan_precision
    from itemcurve.adaptive.score_prediction import predict_scores
    from itemcurve.adaptive.score_stopping import better_than, score_decided, score_precision
    from itemcurve.adaptive.score_test import ScoreTest
    from itemcurve.adaptive.score_trace import score_trace
    from itemcurve.adaptive.session import AdaptiveTest
    from itemcurve.adaptive.short_form import ShortForm, make_short_form
    from itemcurve.adaptive.simulation import simulate_tests
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
    from itemcurve.adaptive.trace import adaptive_trace
    from itemcurve.analysis.audit import ItemAudit, audit_items
    from itemcurve.analysis.class_makeup import (
        choose_by_difficulty,
        class_makeup,
        flag_strays,
        noise_destinations,
    )
    from itemcurve.analysis.comparison import compare
    from itemcurve.analysis.complexity import data_complexity
    from itemcurve.analysis.confusion import confusion
    from itemcurve.analysis.filtered_metrics import filter_metrics
    from itemcurve.analysis.findings import findings
    from itemcurve.analysis.grouped_residuals import grouped_residuals
    from itemcurve.analysis.health import BenchmarkHealth, health
    from itemcurve.analysis.information_curves import information_curves
    from itemcurve.analysis.item_curves import item_curves
    from itemcurve.analysis.item_fit import item_fit
    from itemcurve.analysis.item_scores import item_scores
    from itemcurve.analysis.item_summary import summarise_items
    from itemcurve.analysis.item_verdicts import item_verdicts
    from itemcurve.analysis.kappa import cohen_kappa
    from itemcurve.analysis.kappa_losses import kappa_losses
    from itemcurve.analysis.leaderboard import build_leaderboard
    from itemcurve.analysis.leading_respondents import leading_respondents
    from itemcurve.analysis.local_dependence import local_dependence
    from itemcurve.analysis.predictions import Forecasts, Predictions
    from itemcurve.analysis.profiles import robustness_profiles
    from itemcurve.analysis.rank_tests import compare_metrics
    from itemcurve.analysis.ranking import ranking
    from itemcurve.analysis.recommendation import recommend
    from itemcurve.analysis.short_benchmark import shorten_benchmark
    from itemcurve.analysis.system_curves import SystemCurves
    from itemcurve.analysis.taxonomy import taxonomy
    from itemcurve.analysis.verdict_notes import explain_verdicts
    from itemcurve.analysis.wright_map import wright_map
    from itemcurve.datasets.dataset_table import load_dataset_table
    from itemcurve.datasets.simulation import simulate
    from itemcurve.estimation.bank import Bank
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.gamma_link import fit_linked
    from itemcurve.estimation.joint import Joint
    from itemcurve.estimation.marginal import Marginal
    from itemcurve.estimation.mcmc import MCMC
    from itemcurve.estimation.result import FitResult
    from itemcurve.estimation.saved_fit import load
    from itemcurve.estimation.scoring import score
    from itemcurve.estimation.status import FitStatus
    from itemcurve.estimation.variational import Variational
    from itemcurve.evaluation.ability_weights import compare_ensembles, weigh_abilities
    from itemcurve.evaluation.classifiers import evaluate_classifiers
    from itemcurve.evaluation.cleaning import clean_labels
    from itemcurve.evaluation.difficulty import estimate_difficulty
    from itemcurve.evaluation.difficulty_prediction import check_difficulty, predict_difficulty
    from itemcurve.evaluation.labelled_table import evaluate_table
    from itemcurve.evaluation.noise import blur_features, blur_targets, flip_labels
    from itemcurve.evaluation.noise_sweep import noise_sweep
    from itemcurve.evaluation.own_labels import audit_labels
    from itemcurve.evaluation.own_predictions import from_predictions
    from itemcurve.evaluation.perturbation import perturb_features
    from itemcurve.evaluation.pools import Pool
    from itemcurve.evaluation.random_pools import random_pool
    from itemcurve.evaluation.regressors import evaluate_regressors
    from itemcurve.evaluation.robust_families import robust_families
    from itemcurve.evaluation.robustness import robustness
    from itemcurve.evaluation.saved_study import load_study
    from itemcurve.evaluation.standard_pools import standard_classifiers, standard_regressors
    from itemcurve.evaluation.study import EvaluationStudy
    from itemcurve.logs.columns import Columns
    from itemcurve.logs.log_folder import read_logs
    from itemcurve.models.boundary import Boundary
    from itemcurve.models.catalogue import get_model
    from itemcurve.models.priors import Beta, LogitBeta, LogitNormal, LogNormal, Normal
    from itemcurve.plots.abilities import plot_abilities
    from itemcurve.plots.ability_metric import plot_ability_metric
    from itemcurve.plots.adaptive_trace import plot_adaptive_trace
    from itemcurve.plots.class_makeup import plot_bin_makeup, plot_class_makeup
    from itemcurve.plots.confusion_curves import plot_confusion_curves
    from itemcurve.plots.data_map import plot_data_map
    from itemcurve.plots.difficulty_spread import plot_difficulty_spread
    from itemcurve.plots.information import plot_information
    from itemcurve.plots.item_curves import plot_item_curves
    from itemcurve.plots.item_fit import plot_item_fit
    from itemcurve.plots.item_histograms import plot_item_histograms
    from itemcurve.plots.item_map import plot_items
    from itemcurve.plots.item_parameters import plot_item_parameters
    from itemcurve.plots.kappa_losses import plot_kappa_losses
    from itemcurve.plots.local_dependence import plot_local_dependence
    from itemcurve.plots.metric_tests import plot_metric_tests
    from itemcurve.plots.noise_sweep import plot_noise_sweep
    from itemcurve.plots.parameters import plot_parameters
    from itemcurve.plots.residuals import plot_residuals
    from itemcurve.plots.score_trace import plot_score_trace
    from itemcurve.plots.system_curves import plot_system_curves
    from itemcurve.plots.taxonomy import plot_taxonomy
    from itemcurve.plots.wright_map import plot_wright_map
    from itemcurve.reports.page import report
    from itemcurve.responses.chosen_options import ChosenOptions
    from itemcurve.responses.matrix import Responses

# Public name -> module that defines it. Loaded on first use (PEP 562), so that importing
# itemcurve costs milliseconds whatever it can do.
_EXPORTS = {
    "AdaptiveTest": "itemcurve.adaptive.session",
    "Bank": "itemcurve.estimation.bank",
    "BenchmarkHealth": "itemcurve.analysis.health",
    "Beta": "itemcurve.models.priors",
    "Boundary": "itemcurve.models.boundary",
    "ChosenOptions": "itemcurve.responses.chosen_options",
    "Columns": "itemcurve.logs.columns",
    "EvaluationStudy": "itemcurve.evaluation.study",
    "Exposure": "itemcurve.adaptive.exposure",
    "FitResult": "itemcurve.estimation.result",
    "FitStatus": "itemcurve.estimation.status",
    "Forecasts": "itemcurve.analysis.predictions",
    "ItemAudit": "itemcurve.analysis.audit",
    "Joint": "itemcurve.estimation.joint",
    "LogNormal": "itemcurve.models.priors",
    "LogitBeta": "itemcurve.models.priors",
    "LogitNormal": "itemcurve.models.priors",
    "MCMC": "itemcurve.estimation.mcmc",
    "Marginal": "itemcurve.estimation.marginal",
    "Normal": "itemcurve.models.priors",
    "Pool": "itemcurve.evaluation.pools",
    "Predictions": "itemcurve.analysis.predictions",
    "Responses": "itemcurve.responses.matrix",
    "ScoreTest": "itemcurve.adaptive.score_test",
    "ShortForm": "itemcurve.adaptive.short_form",
    "SystemCurves": "itemcurve.analysis.system_curves",
    "Variational": "itemcurve.estimation.variational",
    "ability_decided": "itemcurve.adaptive.stopping",
    "ability_se": "itemcurve.adaptive.stopping",
    "adaptive_trace": "itemcurve.adaptive.trace",
    "audit_items": "itemcurve.analysis.audit",
    "audit_labels": "itemcurve.evaluation.own_labels",
    "better_than": "itemcurve.adaptive.score_stopping",
    "blur_features": "itemcurve.evaluation.noise",
    "blur_targets": "itemcurve.evaluation.noise",
    "build_leaderboard": "itemcurve.analysis.leaderboard",
    "check_difficulty": "itemcurve.evaluation.difficulty_prediction",
    "choose_by_difficulty": "itemcurve.analysis.class_makeup",
    "choose_items": "itemcurve.adaptive.item_choice",
    "class_makeup": "itemcurve.analysis.class_makeup",
    "clean_labels": "itemcurve.evaluation.cleaning",
    "cohen_kappa": "itemcurve.analysis.kappa",
    "compare": "itemcurve.analysis.comparison",
    "compare_ensembles": "itemcurve.evaluation.ability_weights",
    "compare_metrics": "itemcurve.analysis.rank_tests",
    "confusion": "itemcurve.analysis.confusion",
    "data_complexity": "itemcurve.analysis.complexity",
    "estimate_difficulty": "itemcurve.evaluation.difficulty",
    "evaluate_classifiers": "itemcurve.evaluation.classifiers",
    "evaluate_regressors": "itemcurve.evaluation.regressors",
    "evaluate_table": "itemcurve.evaluation.labelled_table",
    "explain_verdicts": "itemcurve.analysis.verdict_notes",
    "filter_metrics": "itemcurve.analysis.filtered_metrics",
    "findings": "itemcurve.analysis.findings",
    "fit": "itemcurve.estimation.fit",
    "fit_linked": "itemcurve.estimation.gamma_link",
    "flag_strays": "itemcurve.analysis.class_makeup",
    "flip_labels": "itemcurve.evaluation.noise",
    "from_predictions": "itemcurve.evaluation.own_predictions",
    "get_model": "itemcurve.models.catalogue",
    "group_decided": "itemcurve.adaptive.stopping",
    "grouped_residuals": "itemcurve.analysis.grouped_residuals",
    "health": "itemcurve.analysis.health",
    "information_curves": "itemcurve.analysis.information_curves",
    "item_curves": "itemcurve.analysis.item_curves",
    "item_fit": "itemcurve.analysis.item_fit",
    "item_scores": "itemcurve.analysis.item_scores",
    "item_verdicts": "itemcurve.analysis.item_verdicts",
    "kappa_losses": "itemcurve.analysis.kappa_losses",
    "leading_respondents": "itemcurve.analysis.leading_respondents",
    "load": "itemcurve.estimation.saved_fit",
    "load_dataset_table": "itemcurve.datasets.dataset_table",
    "load_study": "itemcurve.evaluation.saved_study",
    "local_dependence": "itemcurve.analysis.local_dependence",
    "make_short_form": "itemcurve.adaptive.short_form",
    "max_items": "itemcurve.adaptive.stopping",
    "measure_misfit": "itemcurve.adaptive.misfit",
    "no_useful_item": "itemcurve.adaptive.stopping",
    "noise_destinations": "itemcurve.analysis.class_makeup",
    "noise_sweep": "itemcurve.evaluation.noise_sweep",
    "perturb_features": "itemcurve.evaluation.perturbation",
    "plan_precision": "itemcurve.adaptive.precision_plan",
    "plot_abilities": "itemcurve.plots.abilities",
    "plot_ability_metric": "itemcurve.plots.ability_metric",
    "plot_adaptive_trace": "itemcurve.plots.adaptive_trace",
    "plot_bin_makeup": "itemcurve.plots.class_makeup",
    "plot_changed_predictions": "itemcurve.plots.changed_predictions",
    "plot_class_makeup": "itemcurve.plots.class_makeup",
    "plot_confusion_curves": "itemcurve.plots.confusion_curves",
    "plot_data_map": "itemcurve.plots.data_map",
    "plot_difficulty_spread": "itemcurve.plots.difficulty_spread",
    "plot_information": "itemcurve.plots.information",
    "plot_item_curves": "itemcurve.plots.item_curves",
    "plot_item_fit": "itemcurve.plots.item_fit",
    "plot_item_histograms": "itemcurve.plots.item_histograms",
    "plot_item_parameters": "itemcurve.plots.item_parameters",
    "plot_items": "itemcurve.plots.item_map",
    "plot_kappa_losses": "itemcurve.plots.kappa_losses",
    "plot_local_dependence": "itemcurve.plots.local_dependence",
    "plot_metric_tests": "itemcurve.plots.metric_tests",
    "plot_noise_sweep": "itemcurve.plots.noise_sweep",
    "plot_parameters": "itemcurve.plots.parameters",
    "plot_residuals": "itemcurve.plots.residuals",
    "plot_score_trace": "itemcurve.plots.score_trace",
    "plot_system_curves": "itemcurve.plots.system_curves",
    "plot_taxonomy": "itemcurve.plots.taxonomy",
    "plot_wright_map": "itemcurve.plots.wright_map",
    "predict_difficulty": "itemcurve.evaluation.difficulty_prediction",
    "predict_scores": "itemcurve.adaptive.score_prediction",
    "random_pool": "itemcurve.evaluation.random_pools",
    "ranking": "itemcurve.analysis.ranking",
    "read_logs": "itemcurve.logs.log_folder",
    "recommend": "itemcurve.analysis.recommendation",
    "report": "itemcurve.reports.page",
    "robust_families": "itemcurve.evaluation.robust_families",
    "robustness": "itemcurve.evaluation.robustness",
    "robustness_profiles": "itemcurve.analysis.profiles",
    "score": "itemcurve.estimation.scoring",
    "score_decided": "itemcurve.adaptive.score_stopping",
    "score_half_width": "itemcurve.adaptive.stopping",
    "score_precision": "itemcurve.adaptive.score_stopping",
    "score_trace": "itemcurve.adaptive.score_trace",
    "shorten_benchmark": "itemcurve.analysis.short_benchmark",
    "simulate": "itemcurve.datasets.simulation",
    "simulate_tests": "itemcurve.adaptive.simulation",
    "standard_classifiers": "itemcurve.evaluation.standard_pools",
    "standard_regressors": "itemcurve.evaluation.standard_pools",
    "stop_all": "itemcurve.adaptive.stopping",
    "stop_any": "itemcurve.adaptive.stopping",
    "summarise_items": "itemcurve.analysis.item_summary",
    "taxonomy": "itemcurve.analysis.taxonomy",
    "weigh_abilities": "itemcurve.evaluation.ability_weights",
    "wright_map": "itemcurve.analysis.wright_map",
}

__version__ = "0.1.0"
__all__ = [
    "MCMC",
    "AdaptiveTest",
    "Bank",
    "BenchmarkHealth",
    "Beta",
    "Boundary",
    "ChosenOptions",
    "Columns",
    "EvaluationStudy",
    "Exposure",
    "FitResult",
    "FitStatus",
    "Forecasts",
    "ItemAudit",
    "Joint",
    "LogNormal",
    "LogitBeta",
    "LogitNormal",
    "Marginal",
    "Normal",
    "Pool",
    "Predictions",
    "Responses",
    "ScoreTest",
    "ShortForm",
    "SystemCurves",
    "Variational",
    "__version__",
    "ability_decided",
    "ability_se",
    "adaptive_trace",
    "audit_items",
    "audit_labels",
    "better_than",
    "blur_features",
    "blur_targets",
    "build_leaderboard",
    "check_difficulty",
    "choose_by_difficulty",
    "choose_items",
    "class_makeup",
    "clean_labels",
    "cohen_kappa",
    "compare",
    "compare_ensembles",
    "compare_metrics",
    "confusion",
    "data_complexity",
    "estimate_difficulty",
    "evaluate_classifiers",
    "evaluate_regressors",
    "evaluate_table",
    "explain_verdicts",
    "filter_metrics",
    "findings",
    "fit",
    "fit_linked",
    "flag_strays",
    "flip_labels",
    "from_predictions",
    "get_model",
    "group_decided",
    "grouped_residuals",
    "health",
    "information_curves",
    "item_curves",
    "item_fit",
    "item_scores",
    "item_verdicts",
    "kappa_losses",
    "leading_respondents",
    "load",
    "load_dataset_table",
    "load_study",
    "local_dependence",
    "make_short_form",
    "max_items",
    "measure_misfit",
    "no_useful_item",
    "noise_destinations",
    "noise_sweep",
    "perturb_features",
    "plan_precision",
    "plot_abilities",
    "plot_ability_metric",
    "plot_adaptive_trace",
    "plot_bin_makeup",
    "plot_changed_predictions",
    "plot_class_makeup",
    "plot_confusion_curves",
    "plot_data_map",
    "plot_difficulty_spread",
    "plot_information",
    "plot_item_curves",
    "plot_item_fit",
    "plot_item_histograms",
    "plot_item_parameters",
    "plot_items",
    "plot_kappa_losses",
    "plot_local_dependence",
    "plot_metric_tests",
    "plot_noise_sweep",
    "plot_parameters",
    "plot_residuals",
    "plot_score_trace",
    "plot_system_curves",
    "plot_taxonomy",
    "plot_wright_map",
    "predict_difficulty",
    "predict_scores",
    "random_pool",
    "ranking",
    "read_logs",
    "recommend",
    "report",
    "robust_families",
    "robustness",
    "robustness_profiles",
    "score",
    "score_decided",
    "score_half_width",
    "score_precision",
    "score_trace",
    "shorten_benchmark",
    "simulate",
    "simulate_tests",
    "standard_classifiers",
    "standard_regressors",
    "stop_all",
    "stop_any",
    "summarise_items",
    "taxonomy",
    "weigh_abilities",
    "wright_map",
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
