"""Ridge regression of calibration scores on calibration responses to the same items."""

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample
from itemcurve.numerics.engine import Array

_PENALTIES = np.logspace(-1, 4, 21)


def predict_by_ridge(calibration: Calibration, sample: Sample) -> Prediction:
    """Regress scores on responses over the calibration respondents; the penalty by leave-one-out.

    The best published way for respondents like those calibrated on, and far off for better ones.
    """
    responses, scores = calibration.responses, calibration.scores
    assert responses is not None
    seen = responses[:, sample.places]
    centre = seen.mean(axis=0)
    U, s, Vt = np.linalg.svd(seen - centre, full_matrices=False)
    gaps = scores - scores.mean()
    errors = [_left_out(U, s, gaps, penalty) for penalty in _PENALTIES]
    best = int(np.argmin([np.mean(e**2) for e in errors]))
    weights = Vt.T @ (s / (s**2 + _PENALTIES[best]) * (U.T @ gaps))
    found = scores.mean() + (sample.values - centre) @ weights
    error = np.full(len(found), np.sqrt(np.mean(errors[best] ** 2)))
    return Prediction(found, error, max(len(scores) - 1.0, 1.0))


def _left_out(U: Array, s: Array, gaps: Array, penalty: float) -> Array:
    """Leave-one-out errors of ridge regression with an intercept."""
    shrink = s**2 / (s**2 + penalty)
    leverage = (U**2) @ shrink + 1.0 / len(gaps)
    return np.asarray((gaps - U @ (shrink * (U.T @ gaps))) / np.maximum(1 - leverage, 1e-6))
