"""How much the answers to an item vary."""

import numpy as np

from itemcurve.numerics.engine import Array

_LEAST_VARIANCE = 0.02


def item_noise(responses: Array) -> Array:
    """Variance of each item over respondents, after half a right and half a wrong answer more."""
    n = len(responses)
    low, high = float(responses.min()), float(responses.max())
    added = 0.5 * (low + high)
    mean = (responses.sum(axis=0) + added) / (n + 1)
    square = ((responses**2).sum(axis=0) + 0.5 * (low**2 + high**2)) / (n + 1)
    least = _LEAST_VARIANCE * max(high - low, 1e-12) ** 2
    return np.maximum(square - mean**2, least)
