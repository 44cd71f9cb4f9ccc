"""The same fit on other responses: for held-out scores, resampling and the like."""

from importlib import import_module

from itemcurve.errors import ModelError
from itemcurve.estimation.fit import METHODS, fit
from itemcurve.estimation.method import Method
from itemcurve.estimation.result import FitResult
from itemcurve.responses.matrix import Responses


def fit_again(result: FitResult, responses: Responses) -> FitResult:
    """Fit other responses with the model, priors, method and engine of a former fit.

    Parameters
    ----------
    result : the former fit, also one read from a run folder.
    responses : on the same items where a parameter was fixed item by item.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=200, items=10, seed=1)
    >>> first = ic.fit(truth.responses, "2pl")
    >>> fit_again(first, truth.responses.split(0.2, seed=1)[0]).model
    '2pl'
    """
    return fit(
        responses,
        result.estimates.model,
        method=method_of(result),
        engine=str(result.settings.get("engine", "numpy")),
        on_failure="ignore",
    )


def method_of(result: FitResult) -> Method:
    """Give the method of a fit with its settings."""
    name, settings = result.settings.get("method"), result.settings.get("method_settings")
    if not isinstance(name, str) or name not in METHODS or not isinstance(settings, dict):
        raise ModelError(
            f"A fit can be repeated when its method is one of {', '.join(METHODS)}.",
            f"Got {name!r}.",
            "Fit with one of these methods.",
        )
    module, kind = METHODS[name]
    # A result that integrated one side out has its model in the form for that side, so the same
    # side is integrated out again.
    if name == "marginal":
        settings = {**settings, "over": result.estimates.over}
    try:
        method: Method = getattr(import_module(module), kind)(**settings)
    except TypeError as error:
        raise ModelError(
            f"A fit can be repeated when its settings are those of {kind}.",
            f"They are not ({error}).",
            "Fit again with this version.",
        ) from error
    return method
