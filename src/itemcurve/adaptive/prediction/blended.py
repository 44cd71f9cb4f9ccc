"""Between model and sample: as much of the model as the sample does not contradict."""

from typing import NamedTuple

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample
from itemcurve.adaptive.prediction.irt_difference import predict_by_difference
from itemcurve.adaptive.prediction.irt_prediction import predict_by_irt
from itemcurve.numerics.engine import Array

_SURPRISE = 2.0
# How far a model is usually off on real data, in units of the range of responses: unidimensional
# curves miss the scores of language models by 3 to 5 points where their own error says 2.
_MISFIT = 0.04


class Blend(NamedTuple):
    """A blended value, its variance, and whether the two parts contradict each other."""

    value: Array
    variance: Array
    is_surprising: Array


def predict_blended(calibration: Calibration, sample: Sample) -> Prediction:
    """Blend the model's expectation with the difference estimator, the idea of gp-IRT.

    Respondents for whom the two contradict each other, or whose ability is beyond all that were
    calibrated, are outside: there the difference estimator counts alone. Unlike gp-IRT (Polo et
    al. 2024) no validation set is needed.
    """
    model = predict_by_irt(calibration, sample)
    direct = predict_by_difference(calibration, sample)
    found = blend(
        model.score,
        model.se**2,
        direct.score,
        direct.se**2,
        width=sample.width,
        is_apart=_is_beyond(calibration, sample),
    )
    return Prediction(found.value, np.sqrt(found.variance), direct.degrees, found.is_surprising)


def blend(
    model: Array | float,
    model_variance: Array | float,
    direct: Array | float,
    variance: Array | float,
    *,
    width: float,
    is_apart: Array | bool,
) -> Blend:
    """Weigh a model's value against a direct one by their variances and their disagreement.

    The model's error is its own variance, a usual misfit, and whatever disagreement is too large
    to come from either variance (empirical Bayes); it counts inversely to the sum. Where the
    disagreement exceeds two standard errors, or `is_apart` says so, it does not count.
    """
    own = np.maximum(variance, 1e-12)
    gap = direct - model
    expected = own + model_variance
    is_surprising = is_apart | (gap**2 > _SURPRISE**2 * (expected + (_MISFIT * width) ** 2))
    error = model_variance + (_MISFIT * width) ** 2
    share = own / (own + error + np.maximum(gap**2 - expected, 0.0))
    share = np.where(is_surprising, 0.0, share)
    return Blend(direct - share * gap, share**2 * error + (1 - share) * own, is_surprising)


def _is_beyond(calibration: Calibration, sample: Sample) -> Array:
    """Whether abilities lie outside those calibrated on (or 2.5 sd of their population)."""
    bank = calibration.curves
    ability = sample.abilities(bank).ability
    low, high = (bank.ability_mean + sign * 2.5 * bank.ability_sd for sign in (-1, 1))
    if calibration.abilities is not None:
        low, high = calibration.abilities.min(), calibration.abilities.max()
    return np.asarray((ability < low) | (ability > high))
