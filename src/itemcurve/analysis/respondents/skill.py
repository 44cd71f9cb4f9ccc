"""Skill of classifiers: the share of right answers, against what labels most probably are."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Probabilities this close are a tie: the same value reached by another order of additions.
_TIE = 1e-12
# Of stated probabilities, as where the sharpness of two respondents is compared.
_FLOOR = 1e-4
_MOST_STEPS = 50
_SLOPES = (1e-3, 1e3)


def share_choices(probabilities: NDArray[np.floating]) -> Floats:
    """Give the class each respondent chooses; equals share it (respondents × items × classes)."""
    best = probabilities.max(axis=2, keepdims=True)
    chosen = (probabilities >= best - _TIE).astype(float)
    return np.asarray(chosen / chosen.sum(axis=2, keepdims=True))


def expect_correct(probabilities: NDArray[np.floating], soft_labels: Floats) -> Floats:
    """Probability that each choice is right, in [0, 1] (respondents × items)."""
    return np.asarray(np.einsum("rik,ik->ri", share_choices(probabilities), soft_labels))


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
