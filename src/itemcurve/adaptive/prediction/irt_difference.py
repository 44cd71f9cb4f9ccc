"""The model as a control variate: expectations plus what the answers say they miss."""

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample
from itemcurve.numerics.engine import Array


def predict_by_difference(calibration: Calibration, sample: Sample) -> Prediction:
    """Mean expectation over all items plus the weighted mean residual of those asked.

    Σ m_j / J + Σ (y_i − m_i)/(J π_i), the difference (augmented inverse-propensity) estimator: for
    fixed expectations m it is unbiased under random selection with known chances π, whatever the
    truth. The ability is estimated from the same answers, which costs a bias of order 1/n.
    """
    bank = calibration.curves
    abilities = sample.abilities(bank)
    expected = bank.expected_response(abilities.ability)
    return correct_expectations(expected, sample, spent=1.0)


def correct_expectations(expected: Array, sample: Sample, spent: float) -> Prediction:
    """The difference estimator for given expectations (respondents × items).

    Parameters
    ----------
    spent : degrees of freedom that the expectations took from the same answers.
    """
    n, size = sample.size, expected.shape[1]
    residuals = sample.values - expected[:, sample.places]
    weights = np.ones(n) if sample.chances is None else 1.0 / sample.chances
    # Weights that sum to one (Hájek): far less variable than those that do so on average.
    share = weights / weights.sum()
    score = expected.mean(axis=1) + residuals @ share
    degrees = max(n - 1.0 - spent, 1.0)
    centred = residuals - (residuals @ share)[:, None]
    variance = sample.squares(centred * share * n) / (n * degrees) * (1 - n / size)
    return Prediction(score, np.sqrt(np.maximum(variance, 0.0)), degrees)
