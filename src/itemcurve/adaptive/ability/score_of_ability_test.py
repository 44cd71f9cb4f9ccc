"""The score over the whole bank at a moment of a test, whichever way its items were chosen.

Two predictions: the model's (answers where there are some, expectations elsewhere), and one that
corrects the model by what the recorded chances allow. Of a test whose rule could have asked any
item, the second is unbiased whatever the model is worth; of others there is only the first.
"""

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.adaptive.prediction.blended import blend
from itemcurve.adaptive.records import HALF_WIDTH, ScoreEstimate
from itemcurve.bank.calibration_uncertainty import (
    expected_response_variance,
    score_equation_variance,
)
from itemcurve.numerics.engine import Array

_BEYOND = 2.5
_FEWEST = 5
_REACH = 5.0
_POINTS = 61


def predict_state(state: AdaptiveState) -> ScoreEstimate:
    """Predict the mean response over the whole bank, blending the two predictions."""
    value, variance = by_model(state)
    if len(state.answered) < len(state.bank):
        variance += state.score_misfit**2
    low, high = state.bank.response_range
    is_outside = _is_beyond(state)
    corrected = _by_chances(state)
    if corrected is not None:
        direct, own = corrected
        # Errors have no largest value; the largest that was seen must do.
        width = high - low if np.isfinite(high) else float(state.responses.max()) - low
        found = blend(value, variance, direct, own, width=width, is_apart=is_outside)
        value, variance = float(found.value), float(found.variance)
        is_outside = bool(found.is_surprising)
    half = HALF_WIDTH * float(np.sqrt(variance))
    lower, upper = max(value - half, low), min(value + half, high)
    return ScoreEstimate(float(value), float(lower), float(upper), bool(is_outside))


def has_honest_score(state: AdaptiveState) -> bool:
    """Tell whether the score of a test for ability can be trusted beside its interval.

    It can where every item had a known chance, where what the model misses was measured, and
    where nothing is left to predict. Items chosen to tell abilities apart alone leave it to the
    model, whose intervals then fail on real data.
    """
    is_complete = len(state.answered) == len(state.bank)
    return is_complete or state.score_misfit > 0 or _by_chances(state) is not None


def _is_beyond(state: AdaptiveState) -> bool:
    """Outside the calibration, as everywhere: with one standard error not within its range."""
    if state.ability_range is None:
        # A bare bank knows its population alone.
        gap = abs(state.centre - state.bank.ability_mean)
        return bool(gap > _BEYOND * state.bank.ability_sd)
    low, high = state.ability_range
    if not len(state.answered):
        return False
    return bool(state.centre + state.spread > high or state.centre - state.spread < low)


def by_model(state: AdaptiveState) -> tuple[float, float]:
    """Prediction and variance: ability, uncertain items, and the chance in answers not given."""
    bank, size = state.bank, len(state.bank)
    curves = bank.expected_response(state.nodes)
    rest = np.ones(size, dtype=bool)
    rest[state.answered] = False
    if not rest.any():
        return float(state.responses.mean()), 0.0
    sums = curves[:, rest].sum(axis=1) / size
    mean = float(state.posterior @ sums)
    spread = float(state.posterior @ (sums - mean) ** 2)
    slope = float(state.posterior @ ((sums - mean) * (state.nodes - state.centre)))
    slope /= max(state.spread**2, 1e-12)
    if len(state.answered):
        asked = bank.take(state.answered)
        spread += (
            slope**2 * state.spread**4 * float(score_equation_variance(asked, state.centre).sum())
        )
    item_errors = float(expected_response_variance(bank, state.centre)[0][rest].sum()) / size**2
    expected = state.posterior @ curves[:, rest]
    # Exact for right and wrong, the most there can be for scores between 0 and 1.
    chance = float(np.clip(expected * (1 - expected), 0.0, None).sum()) / size**2
    return float(state.responses.sum()) / size + mean, spread + item_errors + chance


def _by_chances(state: AdaptiveState) -> tuple[float, float] | None:
    """Mean over steps of a difference estimator, each unbiased given the steps before.

    Step t knows the answers before it, expects m of the others, and corrects by
    (y_t − m_t)/p_t; p_t is the recorded chance (sampling without replacement with changing
    chances: Raj 1956; active testing: Kossen et al. 2021). None unless every step could have
    asked any item.
    """
    draws = state.handed_out_as
    n, size = len(draws), len(state.bank)
    known = all(d.probability is not None and d.least > 0 for d in draws)
    if n < _FEWEST or not known:
        return None
    expected = _expected_before(state)
    order = np.argsort([draw.step for draw in draws], kind="stable")
    rest = np.ones(size, dtype=bool)
    past, found = 0.0, []
    for index in order:
        place, response = state.answered[index], state.responses[index]
        forecast = expected[index]
        chance = draws[index].probability or 1.0
        correction = (response - forecast[place]) / chance
        found.append((past + forecast[rest].sum() + correction) / size)
        rest[place] = False
        past += response
    variance = float(np.var(found, ddof=1)) / n * (1 - n / size)
    return float(np.mean(found)), max(variance, 1e-12)


def _expected_before(state: AdaptiveState) -> Array:
    """What was expected of every item when each answered one was chosen (answers × items)."""
    bank, asked = state.bank, state.bank.take(state.answered)
    # Nodes of the population, not of the posterior, which knows all answers.
    gap = np.linspace(-_REACH, _REACH, _POINTS)
    nodes = bank.ability_mean + bank.ability_sd * gap
    rows = np.stack(
        [
            AdaptiveState.log_likelihood_of(asked, place, response, nodes)
            for place, response in enumerate(state.responses)
        ]
    )
    sums = np.concatenate([np.zeros((1, len(nodes))), np.cumsum(rows, axis=0)])
    height = sums[[draw.known for draw in state.handed_out_as]] - 0.5 * gap**2
    weights = np.exp(height - height.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True) @ bank.expected_response(nodes))
