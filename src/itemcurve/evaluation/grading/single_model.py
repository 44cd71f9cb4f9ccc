"""One model alone: what it is measured against when nobody else is there."""

from dataclasses import replace

import numpy as np

from itemcurve.analysis.predictions import Forecasts, Predictions

# Says of every item that all classes are as probable, so that it makes no item harder than another.
UNDECIDED = "Undecided"
AVERAGE = "Average"
NOTE = (
    "One model alone: an item counts as hard where this model misses it. Whether it is hard for "
    "others, or this model alone cannot do it, a pool such as pools.standard_classifiers() tells."
)


def add_companion(predictions: Predictions | Forecasts) -> Predictions | Forecasts:
    """Add a reference to the predictions of one model, because two are needed for a fit.

    Classes: one that gives all classes the same probability. Numbers: the mean of the targets.
    """
    if len(predictions.respondents) > 1:
        return predictions
    names = (*predictions.respondents, _free(UNDECIDED, predictions.respondents))
    if isinstance(predictions, Predictions):
        equal = np.full_like(predictions.probabilities[:1], 1 / len(predictions.classes))
        return replace(
            predictions,
            respondents=names,
            probabilities=np.concatenate([predictions.probabilities, equal]),
            others=tuple(np.concatenate([part, equal]) for part in predictions.others),
        )
    mean = np.full_like(predictions.values[:1], predictions.targets.mean())
    return replace(
        predictions,
        respondents=(*predictions.respondents, _free(AVERAGE, predictions.respondents)),
        values=np.concatenate([predictions.values, mean]),
    )


def _free(name: str, taken: tuple[str, ...]) -> str:
    return f"{name} (reference)" if name in taken else name
