"""Scores that may be looked at any time: answers of a test as a sequence of draws."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.prediction.item_noise import item_noise
from itemcurve.adaptive.prediction.linear import Asked, ScoreProblem
from itemcurve.adaptive.prediction.score_predictor import train_predictor
from itemcurve.adaptive.records import ScoreEstimate
from itemcurve.analysis.comparison.confidence_sequence import DrawnAnswers, confidence_sequence
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    from itemcurve.adaptive.score.score_test import ScoreTest

_NOISE = 0.4
# Forecasts are made anew after so many answers; in between they stay.
_LOOKS = (0, 5, 10, 20, 40, 80, 160, 320, 640)


def look(test: "ScoreTest") -> ScoreEstimate:
    """The score so far, with an interval that holds at this and every other look."""
    low, high = test.limits
    draws = score_draws(test)
    if not len(draws.answers):
        return ScoreEstimate(0.5 * (low + high), low, high, False)
    lower, upper = confidence_sequence(draws)
    residual = float((draws.answers - draws.forecasts).mean())
    left = draws.left_sum[-1] - draws.forecasts[-1]
    rest = draws.size - len(draws.answers)
    value = (float(draws.answers.sum()) + left + residual * rest) / draws.size
    first, last = (low + (high - low) * float(end) for end in (lower[-1], upper[-1]))
    value = min(max(low + (high - low) * float(value), first), last)
    return ScoreEstimate(value, first, last, _is_outside(test))


def score_draws(test: "ScoreTest") -> DrawnAnswers:
    """Take the answers to items drawn, in the order of the draw, on the scale from 0 to 1."""
    low, high = test.limits
    answers = [a for a in test.answers if a.handed_out.probability is not None]
    answers.sort(key=lambda answer: answer.handed_out.step)
    # An item that is still open ends the sequence: what was drawn after it must wait.
    steps = [answer.handed_out.step for answer in answers]
    count = next((k for k, step in enumerate(steps) if step != k), len(steps))
    answers = answers[:count]
    places = test.known.positions([answer.item for answer in answers])
    values = (np.array([answer.response for answer in answers]) - low) / (high - low)
    known = np.array([answer.handed_out.known for answer in answers], dtype=int)
    responses = (test.known.array - low) / (high - low)
    return forecast_draws(responses, places, values, known)


def forecast_draws(
    responses: Array, places: NDArray[np.int_], values: Array, known: NDArray[np.int_]
) -> DrawnAnswers:
    """Forecast every answer from the calibration and the answers known when it was drawn."""
    size, n = responses.shape[1], len(values)
    forecasts, sums, lows, highs = np.zeros((4, n))
    free = np.ones(size, dtype=bool)
    made, expected = -1, np.zeros(size)
    noise = item_noise(responses)
    for step, place in enumerate(places):
        count = max(look for look in _LOOKS if look <= min(int(known[step]), step))
        if count != made:
            made, expected = count, _forecast(responses, noise, places[:count], values[:count])
        left = expected[free]
        forecasts[step], sums[step] = expected[place], left.sum()
        lows[step], highs[step] = left.min(), left.max()
        free[place] = False
    return DrawnAnswers(values, forecasts, sums, lows, highs, size)


def _forecast(responses: Array, noise: Array, places: NDArray[np.int_], values: Array) -> Array:
    """The best linear forecast of every item, within 0 and 1."""
    means = responses.mean(axis=0)
    if not len(places):
        return means
    spread = (responses - means) / np.sqrt(len(responses))
    seen = spread[:, places]
    moment = seen.T @ seen + np.diag(_NOISE * noise[places])
    found = means + np.linalg.solve(moment, values - means[places]) @ seen.T @ spread
    return np.clip(found, 0.0, 1.0)


def _is_outside(test: "ScoreTest") -> bool:
    problem = ScoreProblem(test.known.array, test.weights)
    predictor = train_predictor(problem, Asked.at_random(test.places))
    found = predictor.predict(test.responses[None, :]).is_outside
    return bool(found is not None and found[0])
