"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.adaptive.exposure import Exposure
    from itemcurve.adaptive.score_prediction import predict_scores
    from itemcurve.adaptive.session import AdaptiveTest
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
    from itemcurve.datasets.simulation import simulate
    from itemcurve.estimation.bank import Bank
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.marginal import Marginal
    from itemcurve.estimation.result import FitResult
    from itemcurve.estimation.saved_fit import load
    from itemcurve.estimation.scoring import score
    from itemcurve.estimation.status import FitStatus
    from itemcurve.logs.columns import Columns
    from itemcurve.logs.log_folder import read_logs
    from itemcurve.models.boundary import Boundary
    from itemcurve.models.catalogue import get_model
    from itemcurve.models.priors import Beta, LogitBeta, LogitNormal, LogNormal, Normal
    from itemcurve.responses.matrix import Responses

# Public name -> module that defines it. Loaded on first use (PEP 562), so that importing
# itemcurve costs milliseconds whatever it can do.
_EXPORTS = {
    "AdaptiveTest": "itemcurve.adaptive.session",
    "Bank": "itemcurve.estimation.bank",
    "Beta": "itemcurve.models.priors",
    "Boundary": "itemcurve.models.boundary",
    "Columns": "itemcurve.logs.columns",
    "Exposure": "itemcurve.adaptive.exposure",
    "FitResult": "itemcurve.estimation.result",
    "FitStatus": "itemcurve.estimation.status",
    "LogNormal": "itemcurve.models.priors",
    "LogitBeta": "itemcurve.models.priors",
    "LogitNormal": "itemcurve.models.priors",
    "Marginal": "itemcurve.estimation.marginal",
    "Normal": "itemcurve.models.priors",
    "Responses": "itemcurve.responses.matrix",
    "ability_decided": "itemcurve.adaptive.stopping",
    "ability_se": "itemcurve.adaptive.stopping",
    "fit": "itemcurve.estimation.fit",
    "get_model": "itemcurve.models.catalogue",
    "group_decided": "itemcurve.adaptive.stopping",
    "load": "itemcurve.estimation.saved_fit",
    "max_items": "itemcurve.adaptive.stopping",
    "no_useful_item": "itemcurve.adaptive.stopping",
    "predict_scores": "itemcurve.adaptive.score_prediction",
    "read_logs": "itemcurve.logs.log_folder",
    "score": "itemcurve.estimation.scoring",
    "score_half_width": "itemcurve.adaptive.stopping",
    "simulate": "itemcurve.datasets.simulation",
    "simulate_tests": "itemcurve.adaptive.simulation",
    "stop_all": "itemcurve.adaptive.stopping",
    "stop_any": "itemcurve.adaptive.stopping",
}

__version__ = "0.1.0"
__all__ = [
    "AdaptiveTest",
    "Bank",
    "Beta",
    "Boundary",
    "Columns",
    "Exposure",
    "FitResult",
    "FitStatus",
    "LogNormal",
    "LogitBeta",
    "LogitNormal",
    "Marginal",
    "Normal",
    "Responses",
    "__version__",
    "ability_decided",
    "ability_se",
    "fit",
    "get_model",
    "group_decided",
    "load",
    "max_items",
    "no_useful_item",
    "predict_scores",
    "read_logs",
    "score",
    "score_half_width",
    "simulate",
    "simulate_tests",
    "stop_all",
    "stop_any",
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
