"""How sure respondents are beside how sure they should be: as numbers and in words."""

from math import isfinite

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Of stated probabilities, as where the sharpness of two respondents is compared.
_FLOOR = 1e-4
_TIE = 1e-12
_MOST_STEPS = 50
_SLOPES = (1e-3, 1e3)
# Within a quarter of the right sharpness, stated probabilities serve as they are.
_CLOSE = 1.25
# Beyond this the size of the factor says no more than that it is large.
_LARGE = 10.0


def calibration_slopes(probabilities: NDArray[np.floating], soft_labels: Floats) -> Floats:
    """How much surer each respondent should be: t in p^t / Σ p^t that foretells labels best.

    Below 1 the respondent is over-confident, above 1 under-confident; 1 is right. NaN of
    respondents that never prefer a class.

    Parameters
    ----------
    probabilities : respondents × items × classes.
    soft_labels : items × classes.
    """
    return np.array([_slope(stated, soft_labels) for stated in probabilities])


def _slope(stated: NDArray[np.floating], soft_labels: Floats) -> float:
    """Newton's method on a concave function of log t's own scale, kept inside bounds."""
    logs = np.log(np.clip(np.asarray(stated, dtype=float), _FLOOR, 1.0))
    logs -= logs.mean(axis=1, keepdims=True)
    if np.ptp(logs) < _TIE:
        return float("nan")
    slope = 1.0
    wanted = float((soft_labels * logs).sum())
    for _ in range(_MOST_STEPS):
        odds = slope * logs
        raised = np.exp(odds - odds.max(axis=1, keepdims=True))
        shares = raised / raised.sum(axis=1, keepdims=True)
        mean = (shares * logs).sum(axis=1)
        gradient = wanted - float(mean.sum())
        curvature = float(((shares * logs**2).sum(axis=1) - mean**2).sum())
        # Half a log unit at most: far from the answer the curvature vanishes.
        step = gradient / max(curvature, _TIE)
        former, slope = slope, float(np.clip(slope + step, slope * 0.6, slope * 1.65))
        slope = float(np.clip(slope, *_SLOPES))
        if abs(slope - former) < 1e-6 * slope:
            break
    return slope


def say_calibration(slope: float) -> str:
    """Say what a calibration slope means.

    Examples
    --------
    >>> say_calibration(0.4), say_calibration(1.0), say_calibration(2.0)
    ('over-confident ×2.5', 'calibrated', 'under-confident ×2.0')
    """
    if not isfinite(slope) or slope <= 0:
        return "says nothing"
    if 1 / _CLOSE <= slope <= _CLOSE:
        return "calibrated"
    factor = max(slope, 1 / slope)
    side = "over-confident" if slope < 1 else "under-confident"
    return f"{side} ×{factor:.1f}" if factor <= _LARGE else f"{side} ×10+"
