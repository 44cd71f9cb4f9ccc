"""Between model and sample: as much of the model as the sample does not contradict."""

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample
from itemcurve.adaptive.prediction.irt_difference import predict_by_difference
from itemcurve.adaptive.prediction.irt_prediction import predict_by_irt

_SURPRISE = 2.0


def predict_blended(calibration: Calibration, sample: Sample) -> Prediction:
    """Shrink the difference estimator towards the model's expectation, by how far they are apart.

    With P the model's expectation and D the difference estimator of variance V, the squared bias
    of P is estimated by (D − P)² − V where that is positive, and P counts V/(V + bias²): the
    positive part of James and Stein (1961), the idea of gp-IRT (Polo et al. 2024) without a
    validation set. Respondents whose D and P differ by more than two standard errors, or whose
    ability is beyond all that were calibrated, are outside: there D counts alone.
    """
    model = predict_by_irt(calibration, sample)
    direct = predict_by_difference(calibration, sample)
    variance = np.maximum(direct.se**2, 1e-12)
    gap = direct.score - model.score
    bias = np.maximum(gap**2 - variance, 0.0)
    share = variance / (variance + bias)
    is_outside = (gap**2 > _SURPRISE**2 * variance) | _is_beyond(calibration, sample)
    share = np.where(is_outside, 0.0, share)
    score = direct.score - share * gap
    # The model's share still rests on the sample: it is believed only as far as it agrees.
    error = np.sqrt(share * np.maximum(model.se**2, 0.5 * variance) + (1 - share) * variance)
    return Prediction(score, error, direct.degrees, is_outside)


def _is_beyond(calibration: Calibration, sample: Sample) -> np.ndarray:
    """Whether abilities lie outside those calibrated on (or 2.5 sd of their population)."""
    bank = calibration.bank
    ability = sample.abilities(bank).ability
    low, high = (bank.ability_mean + sign * 2.5 * bank.ability_sd for sign in (-1, 1))
    if calibration.abilities is not None:
        low, high = calibration.abilities.min(), calibration.abilities.max()
    return np.asarray((ability < low) | (ability > high))
