"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.adaptive.ability.ability_test import AdaptiveTest
    from itemcurve.adaptive.ability.ability_trace import adaptive_trace
    from itemcurve.adaptive.ability.exposure import Exposure
    from itemcurve.adaptive.ability.misfit import measure_misfit
    from itemcurve.adaptive.ability.stopping import (
        ability_decided,
        ability_se,
        group_decided,
        max_items,
        no_useful_item,
        score_half_width,
        stop_all,
        stop_any,
    )
    from itemcurve.adaptive.prediction.score_prediction import predict_scores
    from itemcurve.adaptive.score.item_choice import choose_items
    from itemcurve.adaptive.score.precision_plan import plan_precision
    from itemcurve.adaptive.score.score_stopping import better_than, score_decided, score_precision
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.adaptive.score.score_trace import score_trace
    from itemcurve.adaptive.score.short_form import ShortForm, make_short_form
    from itemcurve.adaptive.simulation.simulated_tests import simulate_tests
    from itemcurve.analysis.confusion.confusion_matrix import confusion
    from itemcurve.analysis.confusion.item_scores import item_scores
    from itemcurve.analysis.confusion.recommendation import recommend
    from itemcurve.analysis.curves.information_curves import information_curves
    from itemcurve.analysis.curves.item_curves import item_curves
    from itemcurve.analysis.curves.wright_map import wright_map
    from itemcurve.analysis.findings.all_findings import findings
    from itemcurve.analysis.health.benchmark_health import BenchmarkHealth, health
    from itemcurve.analysis.items.item_audit import ItemAudit, audit_items
    from itemcurve.analysis.items.item_summary import summarise_items
    from itemcurve.analysis.items.short_benchmark import shorten_benchmark
    from itemcurve.analysis.items.verdicts import item_verdicts
    from itemcurve.analysis.metrics.filtered_metrics import filter_metrics
    from itemcurve.analysis.metrics.kappa import cohen_kappa
    from itemcurve.analysis.metrics.rank_tests import compare_metrics
    from itemcurve.analysis.model_fit.fit_comparison import compare
    from itemcurve.analysis.model_fit.grouped_residuals import grouped_residuals
    from itemcurve.analysis.model_fit.item_fit import item_fit
    from itemcurve.analysis.model_fit.local_dependence import local_dependence
    from itemcurve.analysis.predictions import Forecasts, Predictions
    from itemcurve.analysis.respondents.leaderboard import build_leaderboard
    from itemcurve.analysis.respondents.leading_respondents import leading_respondents
    from itemcurve.analysis.respondents.ranking import ranking
    from itemcurve.analysis.robustness.class_makeup import (
        choose_by_difficulty,
        class_makeup,
        flag_strays,
        noise_destinations,
    )
    from itemcurve.analysis.robustness.data_complexity import data_complexity
    from itemcurve.analysis.robustness.kappa_losses import kappa_losses
    from itemcurve.analysis.robustness.robustness_profiles import robustness_profiles
    from itemcurve.analysis.robustness.system_curves import SystemCurves
    from itemcurve.analysis.robustness.taxonomy import taxonomy
    from itemcurve.analysis.robustness.verdict_notes import explain_verdicts
    from itemcurve.bank.ability_estimation import score
    from itemcurve.bank.item_bank import Bank
    from itemcurve.datasets.dataset_table import load_dataset_table
    from itemcurve.datasets.simulation import simulate
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.gamma_link import fit_linked
    from itemcurve.estimation.joint.settings import Joint
    from itemcurve.estimation.marginal.settings import Marginal
    from itemcurve.estimation.mcmc.settings import MCMC
    from itemcurve.estimation.result import FitResult
    from itemcurve.estimation.saving.saved_fit import load
    from itemcurve.estimation.status import FitStatus
    from itemcurve.estimation.variational.settings import Variational
    from itemcurve.evaluation.ability_weights import compare_ensembles, weigh_abilities
    from itemcurve.evaluation.classifiers import evaluate_classifiers
    from itemcurve.evaluation.difficulty.difficulty_prediction import (
        check_difficulty,
        predict_difficulty,
    )
    from itemcurve.evaluation.difficulty.instance_difficulty import estimate_difficulty
    from itemcurve.evaluation.difficulty.robustness import robustness
    from itemcurve.evaluation.evaluation_result import EvaluationStudy
    from itemcurve.evaluation.grading.own_labels import audit_labels
    from itemcurve.evaluation.grading.own_predictions import from_predictions
    from itemcurve.evaluation.noise.added_noise import blur_features, blur_targets, flip_labels
    from itemcurve.evaluation.noise.label_cleaning import clean_labels
    from itemcurve.evaluation.noise.noise_sweep import noise_sweep
    from itemcurve.evaluation.noise.perturbation import perturb_features
    from itemcurve.evaluation.pools.classifier_families import classifier_families
    from itemcurve.evaluation.pools.pool import Pool
    from itemcurve.evaluation.pools.random_pools import random_pool
    from itemcurve.evaluation.pools.standard_pools import standard_classifiers, standard_regressors
    from itemcurve.evaluation.regressors import evaluate_regressors
    from itemcurve.evaluation.saved_evaluation import load_study
    from itemcurve.evaluation.tables.labelled_table import evaluate_table
    from itemcurve.logs.formats.columns import Columns
    from itemcurve.logs.log_folder import read_logs
    from itemcurve.models.boundary import Boundary
    from itemcurve.models.catalogue import get_model
    from itemcurve.models.priors import Beta, LogitBeta, LogitNormal, LogNormal, Normal
    from itemcurve.models.registration import register_model
    from itemcurve.plots.confusion.confusion_curves import plot_confusion_curves
    from itemcurve.plots.confusion.metric_tests import plot_metric_tests
    from itemcurve.plots.items.data_map import plot_data_map
    from itemcurve.plots.items.information import plot_information
    from itemcurve.plots.items.item_curves import plot_item_curves
    from itemcurve.plots.items.item_fit import plot_item_fit
    from itemcurve.plots.items.item_histograms import plot_item_histograms
    from itemcurve.plots.items.item_map import plot_items
    from itemcurve.plots.items.item_parameters import plot_item_parameters
    from itemcurve.plots.items.local_dependence import plot_local_dependence
    from itemcurve.plots.items.parameters import plot_parameters
    from itemcurve.plots.items.residuals import plot_residuals
    from itemcurve.plots.items.wright_map import plot_wright_map
    from itemcurve.plots.respondents.abilities import plot_abilities
    from itemcurve.plots.respondents.ability_metric import plot_ability_metric
    from itemcurve.plots.respondents.adaptive_trace import plot_adaptive_trace
    from itemcurve.plots.respondents.score_trace import plot_score_trace
    from itemcurve.plots.robustness.class_makeup import plot_bin_makeup, plot_class_makeup
    from itemcurve.plots.robustness.difficulty_spread import plot_difficulty_spread
    from itemcurve.plots.robustness.kappa_losses import plot_kappa_losses
    from itemcurve.plots.robustness.noise_sweep import plot_noise_sweep
    from itemcurve.plots.robustness.system_curves import plot_system_curves
    from itemcurve.plots.robustness.taxonomy import plot_taxonomy
    from itemcurve.reports.page import report
    from itemcurve.responses.chosen_options import ChosenOptions
    from itemcurve.responses.matrix import Responses

# Public name -> module that defines it. Loaded on first use (PEP 562), so that importing
# itemcurve costs milliseconds whatever it can do.
_EXPORTS = {
    "AdaptiveTest": "itemcurve.adaptive.ability.ability_test",
    "Bank": "itemcurve.bank.item_bank",
    "BenchmarkHealth": "itemcurve.analysis.health.benchmark_health",
    "Beta": "itemcurve.models.priors",
    "Boundary": "itemcurve.models.boundary",
    "ChosenOptions": "itemcurve.responses.chosen_options",
    "Columns": "itemcurve.logs.formats.columns",
    "EvaluationStudy": "itemcurve.evaluation.evaluation_result",
    "Exposure": "itemcurve.adaptive.ability.exposure",
    "FitResult": "itemcurve.estimation.result",
    "FitStatus": "itemcurve.estimation.status",
    "Forecasts": "itemcurve.analysis.predictions",
    "ItemAudit": "itemcurve.analysis.items.item_audit",
    "Joint": "itemcurve.estimation.joint.settings",
    "LogNormal": "itemcurve.models.priors",
    "LogitBeta": "itemcurve.models.priors",
    "LogitNormal": "itemcurve.models.priors",
    "MCMC": "itemcurve.estimation.mcmc.settings",
    "Marginal": "itemcurve.estimation.marginal.settings",
    "Normal": "itemcurve.models.priors",
    "Pool": "itemcurve.evaluation.pools.pool",
    "Predictions": "itemcurve.analysis.predictions",
    "Responses": "itemcurve.responses.matrix",
    "ScoreTest": "itemcurve.adaptive.score.score_test",
    "ShortForm": "itemcurve.adaptive.score.short_form",
    "SystemCurves": "itemcurve.analysis.robustness.system_curves",
    "Variational": "itemcurve.estimation.variational.settings",
    "ability_decided": "itemcurve.adaptive.ability.stopping",
    "ability_se": "itemcurve.adaptive.ability.stopping",
    "adaptive_trace": "itemcurve.adaptive.ability.ability_trace",
    "audit_items": "itemcurve.analysis.items.item_audit",
    "audit_labels": "itemcurve.evaluation.grading.own_labels",
    "better_than": "itemcurve.adaptive.score.score_stopping",
    "blur_features": "itemcurve.evaluation.noise.added_noise",
    "blur_targets": "itemcurve.evaluation.noise.added_noise",
    "build_leaderboard": "itemcurve.analysis.respondents.leaderboard",
    "check_difficulty": "itemcurve.evaluation.difficulty.difficulty_prediction",
    "choose_by_difficulty": "itemcurve.analysis.robustness.class_makeup",
    "choose_items": "itemcurve.adaptive.score.item_choice",
    "class_makeup": "itemcurve.analysis.robustness.class_makeup",
    "classifier_families": "itemcurve.evaluation.pools.classifier_families",
    "clean_labels": "itemcurve.evaluation.noise.label_cleaning",
    "cohen_kappa": "itemcurve.analysis.metrics.kappa",
    "compare": "itemcurve.analysis.model_fit.fit_comparison",
    "compare_ensembles": "itemcurve.evaluation.ability_weights",
    "compare_metrics": "itemcurve.analysis.metrics.rank_tests",
    "confusion": "itemcurve.analysis.confusion.confusion_matrix",
    "data_complexity": "itemcurve.analysis.robustness.data_complexity",
    "estimate_difficulty": "itemcurve.evaluation.difficulty.instance_difficulty",
    "evaluate_classifiers": "itemcurve.evaluation.classifiers",
    "evaluate_regressors": "itemcurve.evaluation.regressors",
    "evaluate_table": "itemcurve.evaluation.tables.labelled_table",
    "explain_verdicts": "itemcurve.analysis.robustness.verdict_notes",
    "filter_metrics": "itemcurve.analysis.metrics.filtered_metrics",
    "findings": "itemcurve.analysis.findings.all_findings",
    "fit": "itemcurve.estimation.fit",
    "fit_linked": "itemcurve.estimation.gamma_link",
    "flag_strays": "itemcurve.analysis.robustness.class_makeup",
    "flip_labels": "itemcurve.evaluation.noise.added_noise",
    "from_predictions": "itemcurve.evaluation.grading.own_predictions",
    "get_model": "itemcurve.models.catalogue",
    "group_decided": "itemcurve.adaptive.ability.stopping",
    "grouped_residuals": "itemcurve.analysis.model_fit.grouped_residuals",
    "health": "itemcurve.analysis.health.benchmark_health",
    "information_curves": "itemcurve.analysis.curves.information_curves",
    "item_curves": "itemcurve.analysis.curves.item_curves",
    "item_fit": "itemcurve.analysis.model_fit.item_fit",
    "item_scores": "itemcurve.analysis.confusion.item_scores",
    "item_verdicts": "itemcurve.analysis.items.verdicts",
    "kappa_losses": "itemcurve.analysis.robustness.kappa_losses",
    "leading_respondents": "itemcurve.analysis.respondents.leading_respondents",
    "load": "itemcurve.estimation.saving.saved_fit",
    "load_dataset_table": "itemcurve.datasets.dataset_table",
    "load_study": "itemcurve.evaluation.saved_evaluation",
    "local_dependence": "itemcurve.analysis.model_fit.local_dependence",
    "make_short_form": "itemcurve.adaptive.score.short_form",
    "max_items": "itemcurve.adaptive.ability.stopping",
    "measure_misfit": "itemcurve.adaptive.ability.misfit",
    "no_useful_item": "itemcurve.adaptive.ability.stopping",
    "noise_destinations": "itemcurve.analysis.robustness.class_makeup",
    "noise_sweep": "itemcurve.evaluation.noise.noise_sweep",
    "perturb_features": "itemcurve.evaluation.noise.perturbation",
    "plan_precision": "itemcurve.adaptive.score.precision_plan",
    "plot_abilities": "itemcurve.plots.respondents.abilities",
    "plot_ability_metric": "itemcurve.plots.respondents.ability_metric",
    "plot_adaptive_trace": "itemcurve.plots.respondents.adaptive_trace",
    "plot_bin_makeup": "itemcurve.plots.robustness.class_makeup",
    "plot_changed_predictions": "itemcurve.plots.robustness.changed_predictions",
    "plot_class_makeup": "itemcurve.plots.robustness.class_makeup",
    "plot_confusion_curves": "itemcurve.plots.confusion.confusion_curves",
    "plot_data_map": "itemcurve.plots.items.data_map",
    "plot_difficulty_spread": "itemcurve.plots.robustness.difficulty_spread",
    "plot_information": "itemcurve.plots.items.information",
    "plot_item_curves": "itemcurve.plots.items.item_curves",
    "plot_item_fit": "itemcurve.plots.items.item_fit",
    "plot_item_histograms": "itemcurve.plots.items.item_histograms",
    "plot_item_parameters": "itemcurve.plots.items.item_parameters",
    "plot_items": "itemcurve.plots.items.item_map",
    "plot_kappa_losses": "itemcurve.plots.robustness.kappa_losses",
    "plot_local_dependence": "itemcurve.plots.items.local_dependence",
    "plot_metric_tests": "itemcurve.plots.confusion.metric_tests",
    "plot_noise_sweep": "itemcurve.plots.robustness.noise_sweep",
    "plot_parameters": "itemcurve.plots.items.parameters",
    "plot_residuals": "itemcurve.plots.items.residuals",
    "plot_score_trace": "itemcurve.plots.respondents.score_trace",
    "plot_system_curves": "itemcurve.plots.robustness.system_curves",
    "plot_taxonomy": "itemcurve.plots.robustness.taxonomy",
    "plot_wright_map": "itemcurve.plots.items.wright_map",
    "predict_difficulty": "itemcurve.evaluation.difficulty.difficulty_prediction",
    "predict_scores": "itemcurve.adaptive.prediction.score_prediction",
    "random_pool": "itemcurve.evaluation.pools.random_pools",
    "ranking": "itemcurve.analysis.respondents.ranking",
    "read_logs": "itemcurve.logs.log_folder",
    "recommend": "itemcurve.analysis.confusion.recommendation",
    "register_model": "itemcurve.models.registration",
    "report": "itemcurve.reports.page",
    "robustness": "itemcurve.evaluation.difficulty.robustness",
    "robustness_profiles": "itemcurve.analysis.robustness.robustness_profiles",
    "score": "itemcurve.bank.ability_estimation",
    "score_decided": "itemcurve.adaptive.score.score_stopping",
    "score_half_width": "itemcurve.adaptive.ability.stopping",
    "score_precision": "itemcurve.adaptive.score.score_stopping",
    "score_trace": "itemcurve.adaptive.score.score_trace",
    "shorten_benchmark": "itemcurve.analysis.items.short_benchmark",
    "simulate": "itemcurve.datasets.simulation",
    "simulate_tests": "itemcurve.adaptive.simulation.simulated_tests",
    "standard_classifiers": "itemcurve.evaluation.pools.standard_pools",
    "standard_regressors": "itemcurve.evaluation.pools.standard_pools",
    "stop_all": "itemcurve.adaptive.ability.stopping",
    "stop_any": "itemcurve.adaptive.ability.stopping",
    "summarise_items": "itemcurve.analysis.items.item_summary",
    "taxonomy": "itemcurve.analysis.robustness.taxonomy",
    "weigh_abilities": "itemcurve.evaluation.ability_weights",
    "wright_map": "itemcurve.analysis.curves.wright_map",
}

__version__ = "0.2.0.dev0"
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
    "classifier_families",
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
    "register_model",
    "report",
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
