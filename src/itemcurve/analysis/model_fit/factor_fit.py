"""A logistic factor model by alternating Newton steps: fast, for prediction only."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_PASSES = 20
_LONGEST_STEP = 1.0
# Of the items' intercepts, which are nearly free; and of abilities, which set the scale.
_INTERCEPT, _ABILITY = 0.1, 1.0
_EDGE = 1e-4


def fit_factors(values: Floats, dimensions: int, penalty: float) -> Floats:
    """Expected responses σ(θ · a + b) of all cells, also of those that are missing (NaN).

    Posterior modes under θ ~ N(0, I), a ~ N(0, 1/penalty), by turns for items and respondents.

    Parameters
    ----------
    values : respondents × items, from 0 to 1.
    """
    seen = ~np.isnan(values)
    filled = np.where(seen, values, 0.0)
    ability, loading, intercept = _start(filled, seen, dimensions)
    item_penalty = np.r_[np.full(dimensions, penalty), _INTERCEPT]
    for _ in range(_PASSES):
        design = np.column_stack([ability, np.ones(len(ability))])
        found = np.column_stack([loading, intercept])
        expected = _expect(ability, loading, intercept)
        found = found + _step(design, filled - expected, expected, seen, found, item_penalty)
        loading, intercept = found[:, :-1], found[:, -1]
        expected = _expect(ability, loading, intercept)
        own_penalty = np.full(dimensions, _ABILITY)
        rest = (filled - expected).T
        ability = ability + _step(loading, rest, expected.T, seen.T, ability, own_penalty)
    return np.asarray(np.clip(_expect(ability, loading, intercept), _EDGE, 1 - _EDGE))


def _start(
    filled: Floats, seen: NDArray[np.bool_], dimensions: int
) -> tuple[Floats, Floats, Floats]:
    """Principal components of what the items' means leave over."""
    count = np.maximum(seen.sum(axis=0), 1)
    mean = np.clip(filled.sum(axis=0) / count, 0.02, 0.98)
    rest = np.where(seen, filled - mean, 0.0)
    left, size, right = np.linalg.svd(rest, full_matrices=False)
    scale = np.sqrt(len(filled))
    # Four: the slope of a logistic curve is a quarter of its loading.
    loading = 4 * right[:dimensions].T * size[:dimensions] / scale
    return left[:, :dimensions] * scale, loading, np.log(mean / (1 - mean))


def _expect(ability: Floats, loading: Floats, intercept: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(ability @ loading.T + intercept, -30, 30))))


def _step(
    design: Floats,
    rest: Floats,
    expected: Floats,
    seen: NDArray[np.bool_],
    found: Floats,
    penalty: Floats,
) -> Floats:
    """One Newton step of every column's logistic regression on the design (rows × width)."""
    width = design.shape[1]
    weight = np.where(seen, expected * (1 - expected), 0.0)
    gradient = np.where(seen, rest, 0.0).T @ design - found * penalty
    products = (design[:, :, np.newaxis] * design[:, np.newaxis, :]).reshape(len(design), -1)
    curvature = (weight.T @ products).reshape(-1, width, width) + np.diag(penalty)
    step = np.linalg.solve(curvature, gradient[..., np.newaxis])[..., 0]
    return np.asarray(np.clip(step, -_LONGEST_STEP, _LONGEST_STEP))
