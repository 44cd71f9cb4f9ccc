"""Predictions graded into responses: right answers, probabilities, errors."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.errors import EvaluationError

ClassResponse = Literal["probability", "correct"]
ErrorResponse = Literal["normalised", "absolute", "score"]
# The model each kind of response is made for.
MODELS = {
    "probability": "beta3",
    "correct": "2pl",
    "normalised": "gamma-normalised",
    "absolute": "gamma",
    "score": "beta3",
}
# A target this close to the mean, in mean distances, would make any error infinite beside it.
_SMALLEST_DISTANCE = 1e-3


def grade_classes(predictions: Predictions, response: str) -> NDArray[np.float64]:
    """Give respondents × items responses to a classification.

    Parameters
    ----------
    response : `"probability"` given to the item's label, or `"correct"`: 1 where the most
        probable class is the label, 0 elsewhere; of equally probable classes the first counts.
    """
    if response == "probability":
        return predictions.of_label.astype(np.float64)
    if response == "correct":
        return np.asarray(predictions.chosen == predictions.labels, dtype=np.float64)
    raise _unknown(response, ("probability", "correct"))


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
    usual = distances.mean()
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
    if response == "score":
        return np.asarray(1.0 / (1.0 + normalised))
    raise _unknown(response, ("normalised", "absolute", "score"))


def _unknown(response: str, allowed: tuple[str, ...]) -> EvaluationError:
    return EvaluationError(
        f"The response must be one of {', '.join(map(repr, allowed))};",
        f"given is {response!r}.",
        f"Leave it out for {allowed[0]!r}.",
    )
