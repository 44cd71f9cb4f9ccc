"""The mean of the answers: no model, no calibration."""

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample


def predict_by_sample_mean(calibration: Calibration, sample: Sample) -> Prediction:
    """Mean response of the items asked, weighted by their chances where these differ.

    The standard error is that of a random sample without replacement, with a right and a wrong
    answer added (Agresti and Coull), so that a perfect score is not certain.
    """
    n, size = sample.size, len(calibration.bank)
    weights = np.ones(n) if sample.chances is None else 1.0 / sample.chances
    mean = sample.values @ (weights / weights.sum())
    spread = _guarded_variance(sample.values)
    effective = weights.sum() ** 2 / (weights**2).sum()
    error = np.sqrt(spread / effective * (1 - n / size))
    return Prediction(mean, error, max(n - 1.0, 1.0))


def _guarded_variance(values: np.ndarray) -> np.ndarray:
    """Variance of the answers after adding one at either end of their own range."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        low, high = min(low, 0.0), max(high, 1.0)
    ends = np.broadcast_to([low, high], (len(values), 2))
    return np.asarray(np.concatenate([values, ends], axis=1).var(axis=1))
