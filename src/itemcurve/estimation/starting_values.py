"""Starting values that depend on the data alone, so that reruns agree."""

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

_BLOCK_ROWS = 4096


def _same(values: Array) -> Array:
    return values


def _squared(values: Array) -> Array:
    return np.square(values, dtype=float)


def item_rest_correlations(responses: Responses) -> Array:
    """Correlate each item's responses with its respondents' mean on the other items (items).

    Everything comes from a few products of the response matrix with vectors; an item without
    spread gets 0.
    """
    means = responses.means(axis=1)
    n_items = max(responses.counts(axis=1).mean(), 2.0)
    sums, weights = responses.accumulate(_same), responses.weight()
    squares = responses.accumulate(_squared)
    y, yy, ym = (_products(m, v) for m, v in ((sums, None), (squares, None), (sums, means)))
    if weights is None:
        n = np.full(len(y), float(len(means)))
        m, mm = np.full(len(y), means.sum()), np.full(len(y), (means**2).sum())
    else:
        n, m, mm = (_products(weights, v) for v in (None, means, means**2))
    n = np.maximum(n, 1e-12)
    covariance = ym / n - y * m / n**2
    variance, spread = yy / n - (y / n) ** 2, mm / n - (m / n) ** 2
    rest_covariance = covariance - variance / n_items
    rest_variance = spread - 2 * covariance / n_items + variance / n_items**2
    scale = np.sqrt(np.maximum(variance, 0) * np.maximum(rest_variance, 0))
    return np.divide(rest_covariance, scale, out=np.zeros_like(scale), where=scale > 1e-12)


def _products(matrix: Array, vector: Array | None) -> Array:
    """matrixᵀ @ vector (ones when None), in blocks so that bytes need not all become floats."""
    if hasattr(matrix, "tocsr"):
        weight = np.ones(matrix.shape[0]) if vector is None else vector
        return np.asarray(matrix.T @ weight)
    if vector is None:
        return np.asarray(matrix.sum(axis=0, dtype=float))
    total = np.zeros(matrix.shape[1])
    for start in range(0, matrix.shape[0], _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        total += vector[rows] @ matrix[rows].astype(np.float32).astype(float)
    return total
