"""Items drawn evenly over what is known about them, each with a chance that is known."""

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import Array


def chances_of(weights: Array, count: int) -> Array:
    """Chances in proportion to weights that sum to `count`, none above one."""
    chances = np.zeros(len(weights))
    is_open = weights > 0
    count = min(count, int(is_open.sum()))
    while True:
        left = count - float((chances[~is_open]).sum())
        chances[is_open] = left * weights[is_open] / weights[is_open].sum()
        is_sure = is_open & (chances >= 1 - 1e-12)
        if not is_sure.any():
            return chances
        chances[is_sure] = 1.0
        is_open = is_open & ~is_sure
        if not is_open.any():
            return chances


def order_items(
    responses: Array, count: int, labels: NDArray[np.int_], rng: np.random.Generator
) -> NDArray[np.int_]:
    """Put items alike next to each other: by group, mean response, then first component.

    Of `count` items drawn evenly along this order about as many come from every group, from every
    level of difficulty, and from either end of what respondents differ in beside that. Strata run
    forth and back, so that neighbours stay alike where one ends.
    """
    means = responses.mean(axis=0)
    spread = responses - means
    _, vectors = np.linalg.eigh(spread @ spread.T)
    component = vectors[:, -1] @ spread
    # Equal items in any order.
    jitter = rng.random(len(means))
    found: list[NDArray[np.int_]] = []
    for label in range(int(labels.max()) + 1):
        own = np.flatnonzero(labels == label)
        own = own[np.lexsort((jitter[own], means[own]))]
        strata = max(round(np.sqrt(count * len(own) / len(means))), 1)
        for part in np.array_split(own, strata):
            along = part[np.argsort(component[part], kind="stable")]
            found.append(along[:: -1 if len(found) % 2 else 1])
    return np.concatenate(found)


def draw_systematically(
    order: NDArray[np.int_], chances: Array, rng: np.random.Generator
) -> NDArray[np.int_]:
    """Draw at even distances of chance along an order, from a random start.

    Returns
    -------
    Places, in an order in which every beginning is spread evenly too.
    """
    count = round(float(chances.sum()))
    ends = np.cumsum(chances[order])
    points = (np.arange(count) + rng.random()) * (ends[-1] / max(count, 1))
    drawn = order[np.minimum(np.searchsorted(ends, points, side="right"), len(order) - 1)]
    drawn = np.array(list(dict.fromkeys(drawn.tolist())), dtype=int)
    return np.asarray(drawn[_evenly(len(drawn), int(rng.integers(max(len(drawn), 1))))])


def _evenly(count: int, start: int) -> NDArray[np.int_]:
    """Numbers below `count` in the order of van der Corput, from a start, round the end."""
    bits = max(count - 1, 1).bit_length()
    mirrored = [int(format(k, f"0{bits}b")[::-1], 2) for k in range(2**bits)]
    return (np.array([k for k in mirrored if k < count], dtype=int) + start) % max(count, 1)
