"""The same fit on other responses: the model, the priors and the method of a result."""

from dataclasses import replace
from importlib import import_module

from itemcurve.estimation.contract import Method
from itemcurve.estimation.fit import METHODS, fit
from itemcurve.estimation.marginal import Marginal
from itemcurve.estimation.result import FitResult
from itemcurve.responses.matrix import Responses


def refit(result: FitResult, responses: Responses) -> FitResult:
    """Fit the model of a result, with its priors and by its method, to other responses.

    A result that integrated one side out has its model in the form for that side, so the same side
    is integrated out again. A fit that does not converge says so in its status and nowhere else.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=60, items=20, seed=1)
    >>> half = truth.responses.take(rows=list(range(30)))
    >>> refit(ic.fit(truth.responses), half).responses.shape
    (30, 20)
    """
    return fit(responses, result.estimates.model, method=_method(result), on_failure="ignore")


def _method(result: FitResult) -> Method:
    module, name = METHODS[result.settings["method"]]
    settings: Method = getattr(import_module(module), name)(**result.settings["method_settings"])
    if isinstance(settings, Marginal):
        return replace(
            settings, over="items" if result.estimates.over == "items" else "respondents"
        )
    return settings
