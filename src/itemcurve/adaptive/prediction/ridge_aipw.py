"""Ridge regression across items, with calibration respondents as features (AIPW)."""

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample

_PENALTIES = np.logspace(-1, 3, 17)


def predict_by_ridge_aipw(calibration: Calibration, sample: Sample) -> Prediction:
    """Regress a respondent's answers on the calibration respondents' answers to the same items.

    Items are the observations, so the respondent need not be like the others; the intercept makes
    the mean residual zero, which makes it the augmented inverse-propensity estimator of
    "Benchmark prediction misses the mark" (2025). The penalty is chosen for each respondent by
    leave-one-out.
    """
    responses = calibration.responses
    assert responses is not None
    n, size = sample.size, responses.shape[1]
    features = responses.T
    centre = features[sample.places].mean(axis=0)
    seen = features[sample.places] - centre
    roots, Q = np.linalg.eigh(seen @ seen.T)
    roots = np.maximum(roots, 0.0)
    mean = sample.values.mean(axis=1)
    gaps = sample.values - mean[:, None]
    turned = gaps @ Q
    whole = (features.mean(axis=0) - centre) @ seen.T @ Q
    best = np.full(len(mean), np.inf)
    score, error = mean.copy(), np.zeros(len(mean))
    for penalty in _PENALTIES:
        shrink = roots / (roots + penalty)
        leverage = (Q**2) @ shrink + 1.0 / n
        missed = (gaps - (turned * shrink) @ Q.T) / np.maximum(1 - leverage, 1e-6)
        left_out = sample.squares(missed) / n
        is_better = left_out < best
        best = np.where(is_better, left_out, best)
        score = np.where(is_better, mean + (turned / (roots + penalty)) @ whole, score)
        error = np.where(is_better, np.sqrt(left_out / n * (1 - n / size)), error)
    return Prediction(score, error, max(n - 1.0, 1.0))
