"""What the model expects: answers where there are some, item curves elsewhere (p-IRT)."""

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample
from itemcurve.bank.ability_estimation import Scores
from itemcurve.bank.calibration_uncertainty import expected_response_variance
from itemcurve.bank.item_bank import Bank
from itemcurve.numerics.engine import Array
from itemcurve.numerics.hermite import gauss_hermite

_POINTS = 7


def predict_by_irt(calibration: Calibration, sample: Sample) -> Prediction:
    """Observed answers and, for all others, expectations at the estimated ability.

    Right when the model is right and the respondent is like those calibrated on; neither can be
    seen from here. The standard error has three parts: ability, uncertain item parameters behind
    the ability and behind the expectations, and the chance of the answers not given.
    """
    bank = calibration.curves
    abilities = sample.abilities(bank)
    rest = sample.is_rest(len(bank))
    curve, slope = rest_curve(bank, abilities, rest)
    score = (sample.values.sum(axis=1) + curve * rest.sum()) / len(bank)
    # What is summed over the items not asked, in units of the mean over all.
    others = bank.take(np.flatnonzero(rest))
    item_errors = expected_response_variance(others, abilities.ability).sum(axis=1)
    noise = _noise(others, abilities.ability)
    rise = (slope * abilities.ability_se * rest.sum()) ** 2
    return Prediction(score, np.sqrt(rise + item_errors + noise) / len(bank), np.inf)


def rest_curve(bank: Bank, abilities: Scores, rest: Array) -> tuple[Array, Array]:
    """Expected mean response of the items not asked, over the posterior, and its slope."""
    if not rest.any():
        return np.zeros(len(abilities.ability)), np.zeros(len(abilities.ability))
    offsets, log_weights = gauss_hermite(_POINTS)
    # These weights are for integrals without the normal density; put it back and normalise.
    weights = np.exp(log_weights - 0.5 * offsets**2)
    weights = weights / weights.sum()
    others = bank.take(np.flatnonzero(rest))
    points = abilities.ability[:, None] + abilities.ability_se[:, None] * offsets
    values = others.expected_response(points.ravel()).mean(axis=1).reshape(points.shape)
    slope = values @ (weights * offsets) / np.maximum(abilities.ability_se, 1e-12)
    return values @ weights, slope


def _noise(others: Bank, abilities: Array) -> Array:
    """Variance of the sum of the answers not given: exact for 0 and 1, the most for scores."""
    expected = others.expected_response(abilities)
    return np.clip(expected * (1 - expected), 0.0, None).sum(axis=1)
