"""How much each of several predictions deserves."""

from itertools import combinations

import numpy as np

from itemcurve.numerics.engine import Array

_PULL = 5.0


def stack_weights(errors: Array) -> Array:
    """Weights from 0 on that sum to one and make the squared error least, pulled to equality.

    Stacking (Wolpert 1992; Breiman 1996). The pull has the strength of five respondents: few
    respondents teach little about which prediction is best.

    Parameters
    ----------
    errors : of each prediction, cross-validated (respondents × predictions).
    """
    n, count = errors.shape
    moments = errors.T @ errors / n
    pull = _PULL * max(float(np.trace(moments)) / count, 1e-12) / n
    moments = moments + pull * np.eye(count)
    best, least = np.full(count, 1 / count), np.inf
    # So few predictions that every set of them can be tried: the least over a simplex lies inside
    # one of its faces, where it solves linear equations.
    for size in range(1, count + 1):
        for kept in combinations(range(count), size):
            inverse = np.linalg.inv(moments[np.ix_(kept, kept)]).sum(axis=1)
            value = 1 / float(inverse.sum())
            if (inverse >= 0).all() and value < least:
                best, least = np.zeros(count), value
                best[list(kept)] = inverse * value
    return best
