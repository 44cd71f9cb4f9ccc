"""How well groups are apart: distances between and within, silhouette, elbow, medoids."""

import numpy as np
from numpy.typing import NDArray

Distances = NDArray[np.float64]
Groups = NDArray[np.intp]


def mean_between(distances: Distances, groups: Groups) -> float:
    """Give AvgBC: the mean distance of all pairs that lie in different groups."""
    apart = groups[:, np.newaxis] != groups
    return float(distances[apart].mean()) if apart.any() else np.nan


def silhouette_widths(distances: Distances, groups: Groups) -> NDArray[np.float64]:
    """Give the silhouette width of every member: (b − a) / max(a, b), 0 when alone in its group.

    a is its mean distance to the others of its group, b that to the nearest other group.
    """
    kinds = np.unique(groups)
    member = (groups[:, np.newaxis] == kinds).astype(np.float64)
    sizes = member.sum(axis=0)
    sums = distances @ member
    own = np.searchsorted(kinds, groups)
    rows = np.arange(len(groups))
    inside = sums[rows, own] / np.maximum(sizes[own] - 1, 1)
    outside = sums / sizes
    outside[rows, own] = np.inf
    nearest = outside.min(axis=1)
    largest = np.maximum(inside, nearest)
    widths = np.divide(nearest - inside, largest, out=np.zeros(len(rows)), where=largest > 0)
    return np.where(sizes[own] == 1, 0.0, widths)


def within_squares(distances: Distances, groups: Groups) -> float:
    """Give the sum of squared distances to the centres of the groups (from pairs alone)."""
    total = 0.0
    for kind in np.unique(groups):
        inside = np.flatnonzero(groups == kind)
        total += float((distances[np.ix_(inside, inside)] ** 2).sum()) / (2 * len(inside))
    return total


def find_elbow(values: NDArray[np.float64]) -> int:
    """Give the place where a falling curve bends most: farthest below its chord.

    Examples
    --------
    >>> find_elbow(np.array([10.0, 4.0, 3.0, 2.5, 2.0]))
    1
    """
    span = values.max() - values.min()
    if len(values) < 3 or not span > 0:
        return 0
    steps = np.linspace(0.0, 1.0, len(values))
    chord = values[0] + steps * (values[-1] - values[0])
    return int(np.argmax(chord - values))


def find_medoids(distances: Distances, groups: Groups) -> tuple[int, ...]:
    """Give of each group the member with the smallest summed distance to the others."""
    found = []
    for kind in np.unique(groups):
        inside = np.flatnonzero(groups == kind)
        found.append(int(inside[distances[np.ix_(inside, inside)].sum(axis=1).argmin()]))
    return tuple(found)
