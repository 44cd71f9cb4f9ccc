"""Paired differences where not everybody answered everything: each pair on the items it shares."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Means, errors of differences, items, errors of means, degrees of freedom, differences.
Parts = tuple[Floats, Floats, int, Floats, Floats, Floats]


def pair_shared(scores: Floats, clusters: NDArray[np.integer] | None) -> Parts:
    """Compare all pairs; NaN where a pair shares fewer than two items (or clusters).

    Returns
    -------
    What `PairedDifferences` is made of, in its order.
    """
    known = (~np.isnan(scores)).astype(np.float64)
    values = np.where(known > 0, scores, 0.0)
    counts = known @ known.T
    sums = values @ known.T
    totals = np.diag(counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        differences = (sums - sums.T) / counts
        means = np.diag(sums) / totals
        if clusters is None:
            squares = (values**2) @ known.T
            spread = squares + squares.T - 2 * values @ values.T - counts * differences**2
            variance = np.maximum(spread, 0.0) / (counts * (counts - 1))
            own = (np.diag(squares) / totals - means**2) / (totals - 1)
            degrees = counts - 1
        else:
            variance, own, degrees = _by_clusters(values, known, clusters, differences, means)
    errors = np.sqrt(variance)
    np.fill_diagonal(errors, 0.0)
    return (
        means,
        errors,
        scores.shape[1],
        np.sqrt(np.maximum(own, 0.0)),
        np.asarray(np.maximum(degrees, 1.0)),
        differences,
    )


def _by_clusters(
    values: Floats,
    known: Floats,
    clusters: NDArray[np.integer],
    differences: Floats,
    means: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Sum over clusters: variances of differences and of means, and degrees of freedom."""
    counts = known @ known.T
    totals = np.diag(counts)
    variance, squared, weighed, weighed_squared = np.zeros((4, *counts.shape))
    own = np.zeros(len(totals))
    for code in np.unique(clusters):
        here = clusters == code
        sizes = known[:, here] @ known[:, here].T
        sums = values[:, here] @ known[:, here].T
        room = 1 - sizes / counts
        variance += (sums - sums.T - sizes * differences) ** 2 / room
        weight = sizes**2 / room
        squared += sizes**2
        weighed += weight
        weighed_squared += weight**2
        own += (np.diag(sums) - np.diag(sizes) * means) ** 2 / np.diag(room)
    cross = (weighed**2 - weighed_squared) / counts**2
    return variance / counts**2, own / totals**2, counts**2 / (squared + cross)
