"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.datasets.simulation import simulate
    from itemcurve.estimation.bank import Bank
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.gamma_link import fit_linked
    from itemcurve.estimation.joint import Joint
    from itemcurve.estimation.marginal import Marginal
    from itemcurve.estimation.result import FitResult
    from itemcurve.estimation.saved_fit import load
    from itemcurve.estimation.scoring import score
    from itemcurve.estimation.status import FitStatus
    from itemcurve.estimation.variational import Variational
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
    "FitResult": "itemcurve.estimation.result",
    "FitStatus": "itemcurve.estimation.status",
    "Joint": "itemcurve.estimation.joint",
    "LogNormal": "itemcurve.models.priors",
    "LogitBeta": "itemcurve.models.priors",
    "LogitNormal": "itemcurve.models.priors",
    "Marginal": "itemcurve.estimation.marginal",
    "Normal": "itemcurve.models.priors",
    "Responses": "itemcurve.responses.matrix",
    "Variational": "itemcurve.estimation.variational",
    "fit": "itemcurve.estimation.fit",
    "fit_linked": "itemcurve.estimation.gamma_link",
    "get_model": "itemcurve.models.catalogue",
    "load": "itemcurve.estimation.saved_fit",
    "score": "itemcurve.estimation.scoring",
    "simulate": "itemcurve.datasets.simulation",
}

__version__ = "0.1.0"
__all__ = [
    "Bank",
    "Beta",
    "Boundary",
    "FitResult",
    "FitStatus",
    "Joint",
    "LogNormal",
    "LogitBeta",
    "LogitNormal",
    "Marginal",
    "Normal",
    "Responses",
    "Variational",
    "__version__",
    "fit",
    "fit_linked",
    "get_model",
    "load",
    "score",
    "simulate",
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
