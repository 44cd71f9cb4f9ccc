"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.analysis.audit import ItemAudit, audit_items
    from itemcurve.analysis.predictions import Forecasts, Predictions
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
    "evaluate_classifiers": "itemcurve.evaluation.classifiers",
    "evaluate_regressors": "itemcurve.evaluation.regressors",
    "fit": "itemcurve.estimation.fit",
    "from_predictions": "itemcurve.evaluation.own_predictions",
    "get_model": "itemcurve.models.catalogue",
    "load": "itemcurve.estimation.saved_fit",
    "random_pool": "itemcurve.evaluation.random_pools",
    "score": "itemcurve.estimation.scoring",
    "simulate": "itemcurve.datasets.simulation",
    "standard_classifiers": "itemcurve.evaluation.standard_pools",
    "standard_regressors": "itemcurve.evaluation.standard_pools",
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
    "evaluate_classifiers",
    "evaluate_regressors",
    "fit",
    "from_predictions",
    "get_model",
    "load",
    "random_pool",
    "score",
    "simulate",
    "standard_classifiers",
    "standard_regressors",
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
