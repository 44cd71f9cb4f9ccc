"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.analysis.audit import ItemAudit, audit_items
    from itemcurve.analysis.leaderboard import build_leaderboard
    from itemcurve.analysis.predictions import Forecasts, Predictions
    from itemcurve.analysis.short_benchmark import shorten_benchmark
    from itemcurve.datasets.simulation import simulate
    from itemcurve.estimation.bank import Bank
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.marginal import Marginal
    from itemcurve.estimation.result import FitResult
    from itemcurve.estimation.saved_fit import load
    from itemcurve.estimation.scoring import score
    from itemcurve.estimation.status import FitStatus
    from itemcurve.evaluation.ability_weights import compare_ensembles, weigh_abilities
    from itemcurve.evaluation.classifiers import evaluate_classifiers
    from itemcurve.evaluation.cleaning import clean_labels
    from itemcurve.evaluation.labelled_table import evaluate_table
    from itemcurve.evaluation.noise import blur_features, blur_targets, flip_labels
    from itemcurve.evaluation.noise_sweep import noise_sweep
    from itemcurve.evaluation.own_predictions import from_predictions
    from itemcurve.evaluation.pools import Pool
    from itemcurve.evaluation.random_pools import random_pool
    from itemcurve.evaluation.regressors import evaluate_regressors
    from itemcurve.evaluation.saved_study import load_study
    from itemcurve.evaluation.standard_pools import standard_classifiers, standard_regressors
    from itemcurve.evaluation.study import EvaluationStudy
    from itemcurve.models.boundary import Boundary
    from itemcurve.models.catalogue import get_model
    from itemcurve.models.priors import Beta, LogitBeta, LogitNormal, LogNormal, Normal
    from itemcurve.responses.matrix import Responses

# Public name -> module that defines it. Loaded on first use (PEP 562), so that importing
# itemcurve costs milliseconds whatever it can do.
_EXPORTS = {
    "Bank": "itemcurve.estimation.bank",
    "Beta": "itemcurve.models.priors",
    "Boundary": "itemcurve.models.boundary",
    "EvaluationStudy": "itemcurve.evaluation.study",
    "FitResult": "itemcurve.estimation.result",
    "FitStatus": "itemcurve.estimation.status",
    "Forecasts": "itemcurve.analysis.predictions",
    "ItemAudit": "itemcurve.analysis.audit",
    "LogNormal": "itemcurve.models.priors",
    "LogitBeta": "itemcurve.models.priors",
    "LogitNormal": "itemcurve.models.priors",
    "Marginal": "itemcurve.estimation.marginal",
    "Normal": "itemcurve.models.priors",
    "Pool": "itemcurve.evaluation.pools",
    "Predictions": "itemcurve.analysis.predictions",
    "Responses": "itemcurve.responses.matrix",
    "audit_items": "itemcurve.analysis.audit",
    "blur_features": "itemcurve.evaluation.noise",
    "blur_targets": "itemcurve.evaluation.noise",
    "build_leaderboard": "itemcurve.analysis.leaderboard",
    "clean_labels": "itemcurve.evaluation.cleaning",
    "compare_ensembles": "itemcurve.evaluation.ability_weights",
    "evaluate_classifiers": "itemcurve.evaluation.classifiers",
    "evaluate_regressors": "itemcurve.evaluation.regressors",
    "evaluate_table": "itemcurve.evaluation.labelled_table",
    "fit": "itemcurve.estimation.fit",
    "flip_labels": "itemcurve.evaluation.noise",
    "from_predictions": "itemcurve.evaluation.own_predictions",
    "get_model": "itemcurve.models.catalogue",
    "load": "itemcurve.estimation.saved_fit",
    "load_study": "itemcurve.evaluation.saved_study",
    "noise_sweep": "itemcurve.evaluation.noise_sweep",
    "random_pool": "itemcurve.evaluation.random_pools",
    "score": "itemcurve.estimation.scoring",
    "shorten_benchmark": "itemcurve.analysis.short_benchmark",
    "simulate": "itemcurve.datasets.simulation",
    "standard_classifiers": "itemcurve.evaluation.standard_pools",
    "standard_regressors": "itemcurve.evaluation.standard_pools",
    "weigh_abilities": "itemcurve.evaluation.ability_weights",
}

__version__ = "0.1.0"
__all__ = [
    "Bank",
    "Beta",
    "Boundary",
    "EvaluationStudy",
    "FitResult",
    "FitStatus",
    "Forecasts",
    "ItemAudit",
    "LogNormal",
    "LogitBeta",
    "LogitNormal",
    "Marginal",
    "Normal",
    "Pool",
    "Predictions",
    "Responses",
    "__version__",
    "audit_items",
    "blur_features",
    "blur_targets",
    "build_leaderboard",
    "clean_labels",
    "compare_ensembles",
    "evaluate_classifiers",
    "evaluate_regressors",
    "evaluate_table",
    "fit",
    "flip_labels",
    "from_predictions",
    "get_model",
    "load",
    "load_study",
    "noise_sweep",
    "random_pool",
    "score",
    "shorten_benchmark",
    "simulate",
    "standard_classifiers",
    "standard_regressors",
    "weigh_abilities",
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
