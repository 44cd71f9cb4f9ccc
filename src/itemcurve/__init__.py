"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.analysis.findings import findings
    from itemcurve.analysis.grouped_residuals import grouped_residuals
    from itemcurve.analysis.information_curves import information_curves
    from itemcurve.analysis.item_curves import item_curves
    from itemcurve.analysis.item_fit import item_fit
    from itemcurve.analysis.item_verdicts import item_verdicts
    from itemcurve.analysis.leading_respondents import leading_respondents
    from itemcurve.analysis.local_dependence import local_dependence
    from itemcurve.analysis.ranking import ranking
    from itemcurve.analysis.wright_map import wright_map
    from itemcurve.datasets.simulation import simulate
    from itemcurve.estimation.bank import Bank
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.marginal import Marginal
    from itemcurve.estimation.result import FitResult
    from itemcurve.estimation.saved_fit import load
    from itemcurve.estimation.scoring import score
    from itemcurve.estimation.status import FitStatus
    from itemcurve.models.boundary import Boundary
    from itemcurve.models.catalogue import get_model
    from itemcurve.models.priors import Beta, LogitBeta, LogitNormal, LogNormal, Normal
    from itemcurve.plots.abilities import plot_abilities
    from itemcurve.plots.ability_metric import plot_ability_metric
    from itemcurve.plots.data_map import plot_data_map
    from itemcurve.plots.information import plot_information
    from itemcurve.plots.item_curves import plot_item_curves
    from itemcurve.plots.item_fit import plot_item_fit
    from itemcurve.plots.item_map import plot_items
    from itemcurve.plots.local_dependence import plot_local_dependence
    from itemcurve.plots.noise_sweep import plot_noise_sweep
    from itemcurve.plots.parameters import plot_parameters
    from itemcurve.plots.residuals import plot_residuals
    from itemcurve.plots.wright_map import plot_wright_map
    from itemcurve.reports.page import report
    from itemcurve.responses.matrix import Responses

# Public name -> module that defines it. Loaded on first use (PEP 562), so that importing
# itemcurve costs milliseconds whatever it can do.
_EXPORTS = {
    "Bank": "itemcurve.estimation.bank",
    "Beta": "itemcurve.models.priors",
    "Boundary": "itemcurve.models.boundary",
    "FitResult": "itemcurve.estimation.result",
    "FitStatus": "itemcurve.estimation.status",
    "LogNormal": "itemcurve.models.priors",
    "LogitBeta": "itemcurve.models.priors",
    "LogitNormal": "itemcurve.models.priors",
    "Marginal": "itemcurve.estimation.marginal",
    "Normal": "itemcurve.models.priors",
    "Responses": "itemcurve.responses.matrix",
    "findings": "itemcurve.analysis.findings",
    "fit": "itemcurve.estimation.fit",
    "get_model": "itemcurve.models.catalogue",
    "grouped_residuals": "itemcurve.analysis.grouped_residuals",
    "information_curves": "itemcurve.analysis.information_curves",
    "item_curves": "itemcurve.analysis.item_curves",
    "item_fit": "itemcurve.analysis.item_fit",
    "item_verdicts": "itemcurve.analysis.item_verdicts",
    "leading_respondents": "itemcurve.analysis.leading_respondents",
    "load": "itemcurve.estimation.saved_fit",
    "local_dependence": "itemcurve.analysis.local_dependence",
    "plot_abilities": "itemcurve.plots.abilities",
    "plot_ability_metric": "itemcurve.plots.ability_metric",
    "plot_data_map": "itemcurve.plots.data_map",
    "plot_information": "itemcurve.plots.information",
    "plot_item_curves": "itemcurve.plots.item_curves",
    "plot_item_fit": "itemcurve.plots.item_fit",
    "plot_items": "itemcurve.plots.item_map",
    "plot_local_dependence": "itemcurve.plots.local_dependence",
    "plot_noise_sweep": "itemcurve.plots.noise_sweep",
    "plot_parameters": "itemcurve.plots.parameters",
    "plot_residuals": "itemcurve.plots.residuals",
    "plot_wright_map": "itemcurve.plots.wright_map",
    "ranking": "itemcurve.analysis.ranking",
    "report": "itemcurve.reports.page",
    "score": "itemcurve.estimation.scoring",
    "simulate": "itemcurve.datasets.simulation",
    "wright_map": "itemcurve.analysis.wright_map",
}

__version__ = "0.1.0"
__all__ = [
    "Bank",
    "Beta",
    "Boundary",
    "FitResult",
    "FitStatus",
    "LogNormal",
    "LogitBeta",
    "LogitNormal",
    "Marginal",
    "Normal",
    "Responses",
    "__version__",
    "findings",
    "fit",
    "get_model",
    "grouped_residuals",
    "information_curves",
    "item_curves",
    "item_fit",
    "item_verdicts",
    "leading_respondents",
    "load",
    "local_dependence",
    "plot_abilities",
    "plot_ability_metric",
    "plot_data_map",
    "plot_information",
    "plot_item_curves",
    "plot_item_fit",
    "plot_items",
    "plot_local_dependence",
    "plot_noise_sweep",
    "plot_parameters",
    "plot_residuals",
    "plot_wright_map",
    "ranking",
    "report",
    "score",
    "simulate",
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
