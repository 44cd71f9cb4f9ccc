"""Skill of classifiers: the share of right answers, against what labels most probably are."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Probabilities this close are a tie: the same value reached by another order of additions.
_TIE = 1e-12


def share_choices(probabilities: NDArray[np.floating]) -> Floats:
    """Give the class each respondent chooses; equals share it (respondents × items × classes)."""
    best = probabilities.max(axis=2, keepdims=True)
    chosen = (probabilities >= best - _TIE).astype(float)
    return np.asarray(chosen / chosen.sum(axis=2, keepdims=True))


def expect_correct(probabilities: NDArray[np.floating], soft_labels: Floats) -> Floats:
    """Probability that each choice is right, in [0, 1] (respondents × items)."""
    return np.asarray(np.einsum("rik,ik->ri", share_choices(probabilities), soft_labels))
