"""Where the search for loadings begins: principal axes of what intercepts leave over."""

import numpy as np

from itemcurve.estimation.dimensions.composite_cells import CompositeCells
from itemcurve.estimation.dimensions.loading_pattern import LoadingPattern
from itemcurve.numerics.engine import Array

_TURNS = 6
_LONGEST = 1.5
_LARGEST_SLOPE = 3.0
_LEAST_SLOPE = 0.3
# Beyond this many of both, axes are found on a sample.
_ENOUGH = 3000


def start_items(cells: CompositeCells, pattern: LoadingPattern) -> Array:
    """Slopes, intercepts and own coordinates to begin with (items × coordinates)."""
    intercept = _intercepts(cells)
    loadings = _loadings(cells, intercept, pattern)
    return np.column_stack([loadings, intercept, cells.start])


def _intercepts(cells: CompositeCells) -> Array:
    """Intercepts at which responses are right on average if ability did not matter."""
    count, others = cells.shape
    found = np.zeros(count)
    for _ in range(_TURNS):
        at = cells.at(np.repeat(found[:, np.newaxis], others, axis=1), cells.start)
        step = at.score.sum(axis=1) / (at.information.sum(axis=1) + 0.1)
        found = np.clip(found + np.clip(step, -_LONGEST, _LONGEST), -6.0, 6.0)
    return found


def _loadings(cells: CompositeCells, intercept: Array, pattern: LoadingPattern) -> Array:
    others = cells.shape[1]
    at = cells.at(np.repeat(intercept[:, np.newaxis], others, axis=1), cells.start)
    scale = np.sqrt(np.maximum(at.information.mean(axis=1), 1e-4))
    rest = at.score / scale[:, np.newaxis]
    rest = np.where(cells.weight > 0, np.clip(rest, -6.0, 6.0), 0.0)
    if pattern.is_exploratory:
        return _axes(rest, pattern.size) / scale[:, np.newaxis]
    return _named_axes(rest, scale, pattern)


def _axes(rest: Array, size: int) -> Array:
    """Principal axes of standardised residuals, less the variance that noise has (items × size)."""
    columns = rest[:, :: max(1, rest.shape[1] // _ENOUGH)]
    left, values, _ = np.linalg.svd(columns, full_matrices=False)
    left, values = left[:, :size], values[:size]
    spread = np.sqrt(np.maximum(values**2 / columns.shape[1] - 1.0, 0.1))
    if left.shape[1] < size:
        left = np.pad(left, ((0, 0), (0, size - left.shape[1])))
        spread = np.pad(spread, (0, size - len(spread)), constant_values=0.3)
    return left * spread


def _named_axes(rest: Array, scale: Array, pattern: LoadingPattern) -> Array:
    """The first axis of each ability's items; of special ones, of what the general one leaves."""
    found = np.zeros(pattern.free.shape)
    left = rest.copy()
    for column in range(pattern.size):
        rows = np.flatnonzero(pattern.free[:, column])
        axis = _axes(left[rows], 1)[:, 0]
        axis = axis * (1.0 if axis.sum() >= 0 else -1.0)
        found[rows, column] = axis / scale[rows]
        is_general = not pattern.is_correlated and pattern.size > 1 and column == 0
        if is_general:
            norm = float(axis @ axis) + 1.0
            left[rows] = left[rows] - np.outer(axis, axis @ left[rows]) / norm
    bounded = np.clip(found, -_LARGEST_SLOPE, _LARGEST_SLOPE)
    least = np.where(bounded < 0, -_LEAST_SLOPE, _LEAST_SLOPE)
    return np.where(pattern.free, np.where(np.abs(bounded) < _LEAST_SLOPE, least, bounded), 0.0)
