"""The default: population-based for respondents like those calibrated on, sample-based for others.

Two predictions of the same score (`two_sides`) are mixed. How much the population-based one
deserves is learned by cross-validation over the calibration respondents, and taken back for a
respondent at the edge of their scores, or for whom the two disagree more than they do within the
calibration: the frontier guard.
"""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample
from itemcurve.adaptive.prediction.newcomers import find_unsurprising
from itemcurve.adaptive.prediction.two_sides import predict_two_sides
from itemcurve.numerics.engine import Array

_FOLDS = 10


@dataclass(frozen=True)
class _Experience:
    """What cross-validation over calibration respondents taught.

    Attributes
    ----------
    trust : weight of the population-based prediction.
    gap_sd : how far the two predictions usually lie apart.
    item_error, mixed_error : root mean squared errors of the item side and of the mixture.
    """

    trust: float
    gap_sd: float
    item_error: float
    mixed_error: float


def predict_guarded(calibration: Calibration, sample: Sample) -> Prediction:
    """Mix two predictions as far as the respondent seems to belong to the calibrated population."""
    responses, scores = calibration.responses, calibration.scores
    assert responses is not None
    sides = predict_two_sides(responses, sample)
    past = _cross_validate(responses, scores, sample)
    gap = sides.by_respondents - sides.by_items
    known = find_unsurprising(gap, past.gap_sd, float(np.ptp(responses)))
    inside = known * _within(sides.by_items, scores, past)
    score = sides.by_items + past.trust * inside * gap
    n, size = sample.size, responses.shape[1]
    own = sample.squares(sides.left_out) / n**2 * (1 - n / size)
    error = _standard_error(own, inside, past)
    return Prediction(score, error, max(n - 1.0, 1.0), inside < 0.5)


def _cross_validate(responses: Array, scores: Array, sample: Sample) -> _Experience:
    """Predict every calibration respondent from the others."""
    n = len(responses)
    fold = np.random.default_rng(0).permutation(np.arange(n) % min(_FOLDS, n))
    by_respondents, by_items = np.empty(n), np.empty(n)
    for index in range(fold.max() + 1):
        mine = fold == index
        held = replace(sample, values=responses[mine][:, sample.places])
        sides = predict_two_sides(responses[~mine], held)
        by_respondents[mine], by_items[mine] = sides.by_respondents, sides.by_items
    gap, miss = by_respondents - by_items, scores - by_items
    # As many respondents again that speak for one half: few respondents teach little.
    weight = n * max(float(gap.var()), 1e-12)
    trust = float(np.clip((miss @ gap + 0.5 * weight) / (gap @ gap + weight), 0.0, 1.0))
    return _Experience(
        trust,
        max(float(gap.std()), 1e-6),
        max(float(np.sqrt(np.mean(miss**2))), 1e-6),
        float(np.sqrt(np.mean((miss - trust * gap) ** 2))),
    )


def _within(score: Array, scores: Array, past: _Experience) -> Array:
    """1 well inside the range of calibrated scores, 0 half an error beyond its ends."""
    margin = np.minimum(scores.max() - score, score - scores.min()) / past.item_error
    return np.clip(margin + 0.5, 0.0, 1.0)


def _standard_error(own: Array, inside: Array, past: _Experience) -> Array:
    """Of a newcomer from its own answers; of others, half from those and half from the past."""
    gain = (past.mixed_error / past.item_error) ** 2
    usual = 0.5 * (past.mixed_error**2 + own * gain)
    return np.sqrt(inside * usual + (1 - inside) * own)
