"""What is asked of a fit may be asked of an evaluation too, which holds one."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult

Further = ParamSpec("Further")
Given = TypeVar("Given")
Found = TypeVar("Found")


class HasFit(Protocol):
    """An evaluation, or whatever else holds the fit that was made for it."""

    @property
    def fit(self) -> FitResult:
        """Abilities and item parameters."""


def fit_of(source: Any) -> FitResult:
    """Give a fit as it is, and the fit of an evaluation.

    Parameters
    ----------
    source : a fit, or something with the attribute `fit`.
    """
    found = unwrap(source)
    if not isinstance(found, FitResult):
        raise ModelError(
            "This is asked of a fit, or of an evaluation.",
            f"Got {type(source).__name__}.",
            "Give what itemcurve.fit or evaluate_classifiers returned.",
        )
    return found


def unwrap(source: Any) -> Any:
    """Give the fit of an evaluation, and whatever else as it is."""
    inner = getattr(source, "fit", None)
    return inner if isinstance(inner, FitResult) else source


def takes_evaluations(
    function: Callable[Concatenate[FitResult, Further], Found],
) -> Callable[Concatenate[FitResult | HasFit, Further], Found]:
    """Let the first argument of a function, a fit, be an evaluation too."""
    return cast("Callable[Concatenate[FitResult | HasFit, Further], Found]", _on(function, fit_of))


def unwraps_evaluations(
    function: Callable[Concatenate[Given, Further], Found],
) -> Callable[Concatenate[Given | HasFit, Further], Found]:
    """Let the first argument of a function, a fit or something else, be an evaluation too."""
    return cast("Callable[Concatenate[Given | HasFit, Further], Found]", _on(function, unwrap))


def _on(function: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
    first = next(iter(signature(function).parameters))

    @wraps(function)
    def changed(*args: Any, **settings: Any) -> Any:
        if args:
            args = (change(args[0]), *args[1:])
        elif first in settings:
            settings[first] = change(settings[first])
        return function(*args, **settings)

    return changed
