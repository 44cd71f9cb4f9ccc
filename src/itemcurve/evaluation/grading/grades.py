"""Predictions graded into responses: right answers, probabilities, errors."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.respondents.skill import expect_correct
from itemcurve.errors import EvaluationError
from itemcurve.estimation.fit import read_settings
from itemcurve.estimation.identification.integrated_side import FEW_RESPONDENTS
from itemcurve.estimation.method import Method
from itemcurve.evaluation.pools.pool import Task
from itemcurve.evaluation.unknown_arguments import refuse_unknown
from itemcurve.models.catalogue import get_model
from itemcurve.models.contract import ItemModel

ClassResponse = Literal["skill", "probability", "correct"]
ErrorResponse = Literal["absolute", "normalised", "score"]
CLASS_RESPONSES: tuple[str, ...] = get_args(ClassResponse)
ERROR_RESPONSES: tuple[str, ...] = get_args(ErrorResponse)
AUTO = "auto"
# The model each kind of response is fitted by; the first of each task has slopes as free as the
# data bear. The others are those of the papers.
_MODELS = {
    "skill": AUTO,
    "probability": "fractional-beta3",
    "correct": AUTO,
    "absolute": "rasch-errors",
    "normalised": "gamma-normalised",
    "score": "beta3",
}
# A target this close to the mean, in mean distances, would make any error infinite beside it.
_SMALLEST_DISTANCE = 1e-3


def check_plan(
    response: str | None,
    model: str | ItemModel | None,
    method: str | Method | None,
    fit_settings: Mapping[str, Any],
    task: Task,
    caller: Callable[..., Any],
) -> None:
    """Raise when a fit could not be asked for like this, before anything is trained.

    Parameters
    ----------
    caller : the function that was called, whose arguments are named where one is unknown.
    """
    allowed = CLASS_RESPONSES if task == "classification" else ERROR_RESPONSES
    if response is not None and response not in allowed:
        raise EvaluationError(
            f"The response must be one of {', '.join(map(repr, allowed))};",
            f"given is {response!r}.",
            f"Leave it out for {allowed[0]!r}.",
        )
    chosen = model
    if is_auto(model):
        kind = choose_response(response, model, task)
        # Of the models among which slopes are chosen this one has all parameters.
        chosen = "fractional-2pl" if _MODELS[kind] == AUTO else _MODELS[kind]
    known = get_model(cast("str | ItemModel", chosen))
    if not is_auto(model):
        kind = choose_response(response, model, task)
        _check_side(kind, known, task)
        if task == "classification":
            _check_grades(kind, known)
    refuse_unknown(fit_settings, caller, [spec.name for spec in known.parameters])
    how = "marginal" if method is None else method
    watched = ("progress", "checkpoint")
    asked = {name: value for name, value in fit_settings.items() if name not in watched}
    read_settings(cast("str | ItemModel", chosen), method=how, **asked)


def _check_side(response: str, model: ItemModel, task: Task) -> None:
    """Raise where a model of errors would be given what rises with ability, or the other way."""
    is_error = response in ("absolute", "normalised")
    if is_error == (model.orientation < 0):
        return
    kinds = ("errors, which fall with ability", "scores, which rise with ability")
    wanted, given = kinds[::-1] if is_error else kinds
    advice = {
        "classification": "Leave model out, or use fractional-beta3 for probabilities.",
        "regression": "Leave response out: it is then what the model is made for.",
    }
    numbers = " Where the target is a number, say so: task regression."
    raise EvaluationError(
        f"{model.name} is for {wanted};",
        f"response {response!r} gives {given}: the order of all would be upside down.",
        advice[task] + (numbers if task == "classification" and model.orientation < 0 else ""),
    )


def _check_grades(response: str, model: ItemModel) -> None:
    """Raise where a model of shares would be given right and wrong, or the other way round."""
    is_of_shares = model.family.is_continuous
    if response == "correct" and is_of_shares:
        raise EvaluationError(
            f"{model.name} is a model of shares between 0 and 1;",
            "response 'correct' gives right and wrong alone, 0 and 1.",
            "Leave response out ('probability'), or name a model of right and wrong, as 2pl.",
        )
    if response != "correct" and not (is_of_shares or model.family.is_quasi):
        raise EvaluationError(
            f"{model.name} is a model of right and wrong, 0 and 1;",
            f"response {response!r} gives shares.",
            f"Leave response out ('correct'), or use fractional-2pl for {response!r}.",
        )


def is_auto(model: str | ItemModel | None) -> bool:
    """Whether the model is left to the kind of response."""
    return model is None or model == AUTO


def choose_response(response: str | None, model: str | ItemModel | None, task: Task) -> str:
    """Name the kind of response: the one asked for, else the one that the model is made for."""
    if response is not None:
        return response
    if is_auto(model):
        return "skill" if task == "classification" else "absolute"
    chosen = get_model(cast("str | ItemModel", model))
    if task == "classification":
        is_graded = chosen.family.is_continuous or chosen.family.is_quasi
        return "probability" if is_graded else "correct"
    if chosen.family.is_bounded:
        return "score"
    return "normalised" if getattr(chosen, "is_normalised", False) else "absolute"


def choose_model(response: str, n_respondents: int, n_items: int) -> str:
    """Name the model that a kind of response is fitted by unless another is asked for.

    Probabilities are fitted under log-loss, with β³'s absolute scale where the items are
    integrated out; where the respondents are, only the priors would hold that scale and the search
    crawls along it, so the standardised scale of the 2PL takes its place.
    """
    is_few = n_respondents < min(n_items, FEW_RESPONDENTS)
    if response == "probability" and not is_few:
        return "fractional-2pl"
    return _MODELS[response]


def grade_classes(predictions: Predictions, response: str) -> NDArray[np.float64]:
    """Give respondents × items responses to a classification.

    Parameters
    ----------
    response : `"skill"`, the probability that the chosen class is the true one, given what all
        respondents and the label say (`LabelNoise.soft_labels`); `"probability"` given to the
        item's label; or `"correct"`: 1 where the most probable class is the label, 0 elsewhere; of
        equally probable classes the first counts.
    """
    if response == "skill":
        return expect_correct(predictions.probabilities, predictions.label_noise.soft_labels)
    if response == "probability":
        return predictions.of_label.astype(np.float64)
    return np.asarray(predictions.chosen == predictions.labels, dtype=np.float64)


def grade_numbers(forecasts: Forecasts, response: str) -> NDArray[np.float64]:
    """Give respondents × items responses to a regression.

    Parameters
    ----------
    response : `"normalised"` error |y − ŷ| / |y − ȳ|, so that always predicting the mean target ȳ
        has 1 everywhere; `"absolute"` error |y − ŷ| over the mean of |y − ȳ|, the same unit for
        all items; `"score"` 1 / (1 + normalised error), as Moraes et al. fit it with β³.
    """
    errors = np.abs(forecasts.targets - forecasts.values)
    distances = np.abs(forecasts.targets - forecasts.targets.mean())
    usual = forecasts.usual_error
    if usual == 0:
        raise EvaluationError(
            "Targets must differ to be predicted;",
            f"all are {forecasts.targets[0]:g}.",
            "Check the target column.",
        )
    if response == "absolute":
        return np.asarray(errors / usual)
    normalised = errors / np.maximum(distances, _SMALLEST_DISTANCE * usual)
    if response == "normalised":
        return np.asarray(normalised)
    return np.asarray(1.0 / (1.0 + normalised))
