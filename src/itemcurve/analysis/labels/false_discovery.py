"""Choosing the largest set of findings of which few are expected to be false."""

import numpy as np
from numpy.typing import NDArray


def select_discoveries(probabilities: NDArray[np.float64], rate: float) -> NDArray[np.bool_]:
    """Mark the most probable findings, as many as keep their expected share of errors at `rate`.

    The expected share of errors in a set is the mean of 1 − probability over it, if the
    probabilities are calibrated (Newton et al. 2004). NaN is never chosen; equals are chosen
    together or not at all.

    Parameters
    ----------
    probabilities : that each finding is true.
    rate : largest expected share of false ones.

    Examples
    --------
    >>> import numpy as np
    >>> select_discoveries(np.array([0.99, 0.2, 0.85, 0.5]), 0.1).tolist()
    [True, False, True, False]
    """
    known = np.where(np.isnan(probabilities), -np.inf, probabilities)
    order = np.argsort(-known, kind="stable")
    expected = np.cumsum(1 - known[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(expected <= rate + 1e-12)
    if not len(allowed):
        return np.zeros(len(known), dtype=bool)
    last = known[order[allowed[-1]]]
    chosen = known >= last
    if np.mean(1 - known[chosen]) > rate + 1e-12:
        chosen = known > last
    return np.asarray(chosen)
