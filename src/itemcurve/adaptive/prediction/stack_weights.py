"""How much each of several predictions deserves."""

import numpy as np

from itemcurve.numerics.engine import Array

_PULL = 5.0
_STEPS = 300


def stack_weights(errors: Array) -> Array:
    """Weights from 0 to 1 that sum to one and make the squared error least, pulled to equality.

    Stacking (Wolpert 1992; Breiman 1996). The pull has the strength of five respondents: few
    respondents teach little about which prediction is best.

    Parameters
    ----------
    errors : of each prediction, cross-validated (respondents × predictions).
    """
    n, count = errors.shape
    equal = np.full(count, 1 / count)
    moments = errors.T @ errors / n
    pull = _PULL * max(float(np.trace(moments)) / count, 1e-12) / n
    moments = moments + pull * np.eye(count)
    step = 1 / float(np.linalg.eigvalsh(moments).max())
    found = equal
    for _ in range(_STEPS):
        moved = _to_simplex(found - step * (moments @ found - pull * equal))
        if np.abs(moved - found).max() < 1e-9:
            return moved
        found = moved
    return found


def _to_simplex(point: Array) -> Array:
    """Give the nearest point with parts from 0 on that sum to one (Duchi et al. 2008)."""
    falling = np.sort(point)[::-1]
    above = np.cumsum(falling) - 1
    last = np.flatnonzero(falling - above / np.arange(1, len(point) + 1) > 0)[-1]
    return np.maximum(point - above[last] / (last + 1), 0.0)
