"""The mean of the answers: no model, no calibration."""

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample


def predict_by_sample_mean(calibration: Calibration, sample: Sample) -> Prediction:
    """Mean response of the items asked, weighted by their chances where these differ.

    The standard error is that of a random sample without replacement.
    """
    n, size = sample.size, calibration.n_items
    weights = np.ones(n) if sample.chances is None else 1.0 / sample.chances
    mean = sample.values @ (weights / weights.sum())
    spread = sample.squares(sample.values - mean[:, None]) / n
    effective = weights.sum() ** 2 / (weights**2).sum()
    error = np.sqrt(spread / effective * (1 - n / size))
    return Prediction(mean, error, max(n - 1.0, 1.0))
