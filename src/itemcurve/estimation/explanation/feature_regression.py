"""Difficulties regressed on features of items, each item known as well as its responses tell.

b_j = x_j·β + ε_j with ε_j ~ N(0, τ²): the linear logistic test model with a residual (Fischer 1973;
De Boeck 2008). Difficulties are integrated out: the slope of an item by nodes, its difficulty in
closed form. Moments of ε_j given the responses are then all that is needed. With E and V its mean
and variance, the score of β is Σ x_j E_j/τ² and the weight of an item (1 − V_j/τ²)/τ², which is
1/(v_j + τ²) where the likelihood of a difficulty is normal with variance v_j. The spread τ is found
by restricted maximum likelihood, so that few items do not make it too small.
"""

from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.estimation.marginal.over_respondents.difficulty_posteriors import (
    LinearItems,
    LinearMoments,
)
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerItem, axes

_MOST_TURNS = 500
_SETTLED = 1e-7
_LEAST_SPREAD = 0.02
_LEAST_WEIGHT = 1e-4
_LONGEST = 0.7

Design = Annotated[Array, axes("items terms")]


class Regression(NamedTuple):
    """What was found.

    Attributes
    ----------
    coefficients, covariance : of the terms of the design.
    spread : standard deviation of what features leave unexplained, τ.
    expected : x·β of each item.
    residual, residual_sd : of each item given its responses, E and √V.
    surprise : how far the responses' own difficulty lies from what is expected, in standard errors.
    """

    coefficients: Annotated[Array, axes("terms")]
    covariance: Annotated[Array, axes("terms terms")]
    spread: float
    expected: PerItem
    residual: PerItem
    residual_sd: PerItem
    surprise: PerItem


def regress(items: LinearItems, design: Design) -> Regression:
    """Find coefficients and the spread of what they leave over."""
    beta, spread = np.zeros(design.shape[1]), 1.0
    mean, sd = float(items.slopes[0].mean()), max(float(items.slopes[0].std()), 0.1)
    for _ in range(_MOST_TURNS):
        moments = _around(items, design @ beta).moments(mean, sd, spread)
        weights = _weights(moments, spread)
        inner = design.T @ (design * weights[:, None])
        step = np.linalg.solve(inner, design.T @ (moments.difficulty / spread**2))
        turn = _longer(moments, weights, design, inner, spread)
        beta, before = beta + step, (mean, sd)
        spread = max(spread * np.exp(np.clip(turn, -_LONGEST, _LONGEST)), _LEAST_SPREAD)
        mean = float(moments.slope.mean())
        sd = max(float(np.sqrt((moments.slope_sd**2 + (moments.slope - mean) ** 2).mean())), 0.05)
        moved = np.abs([*step, turn * (spread > _LEAST_SPREAD), mean - before[0], sd - before[1]])
        if moved.max() < _SETTLED:
            break
    expected = design @ beta
    moments = _around(items, expected).moments(mean, sd, spread)
    weights = _weights(moments, spread)
    covariance = np.linalg.inv(design.T @ (design * weights[:, None]))
    variance = np.maximum(moments.difficulty_square - moments.difficulty**2, 0.0)
    surprise = moments.difficulty / spread**2 / np.sqrt(weights)
    return Regression(
        beta, covariance, spread, expected, moments.difficulty, np.sqrt(variance), surprise
    )


def _around(items: LinearItems, expected: PerItem) -> LinearItems:
    """The same items with difficulties counted from what is expected of each.

    With b = m + ε, the predictor a·θ − a·b has the intercept e' = e + a·m = −a·ε.
    """
    aa, ae, ee = items.known
    push_a, push_e = items.push
    known = aa - 2 * expected * ae + expected**2 * ee, ae - expected * ee, ee
    return replace(items, known=known, push=(push_a - expected * push_e, push_e))


def _weights(moments: LinearMoments, spread: float) -> PerItem:
    """What each item tells of its mean difficulty; little where its responses tell nothing."""
    variance = moments.difficulty_square - moments.difficulty**2
    return np.clip(1.0 - variance / spread**2, _LEAST_WEIGHT, 1.0) / spread**2


def _longer(
    moments: LinearMoments, weights: PerItem, design: Design, inner: Array, spread: float
) -> float:
    """The step of log τ, by Fisher scoring on the restricted likelihood."""
    squares = moments.difficulty_square.sum() / spread**2 - len(design)
    lost = np.linalg.solve(inner, design.T @ (design * (weights**2)[:, None])).trace()
    rise = squares + lost * spread**2
    bend = 2.0 * float(((weights * spread**2) ** 2).sum())
    return float(rise / max(bend, 1e-9))
