"""The ranks that each respondent may have, from tests of every pair."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def rank_bounds(
    differences: Floats, adjusted: Floats, significance: float
) -> tuple[Counts, Counts]:
    """Give the best and the worst rank of each, all of them together with 1 − significance.

    The best is one more than the number of those shown to be better, the worst the number of those
    not shown to be worse.

    Parameters
    ----------
    differences : of the row's respondent from the column's (respondents × respondents).
    adjusted : p-values of no difference, adjusted for all pairs.

    Examples
    --------
    >>> apart = np.array([[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]])
    >>> p_values = np.array([[1.0, 0.3, 0.01], [0.3, 1.0, 0.2], [0.01, 0.2, 1.0]])
    >>> [ranks.tolist() for ranks in rank_bounds(apart, p_values, 0.05)]
    [[1, 1, 2], [2, 3, 3]]
    """
    is_told = adjusted < significance
    best = 1 + (is_told & (differences < 0)).sum(axis=1)
    worst = len(differences) - (is_told & (differences > 0)).sum(axis=1)
    return best, worst
