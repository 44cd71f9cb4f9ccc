"""Items drawn evenly over what is known about them, each with a chance that is known."""

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import Array

# Items of a group from which on its own levels of difficulty can be told apart.
_FEW = 5


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
    forth and back, so that neighbours stay alike where one ends. Where groups get few items each,
    difficulty comes before the group: all easy items would be worse than a group too few.
    """
    means = responses.mean(axis=0)
    spread = responses - means
    _, vectors = np.linalg.eigh(spread @ spread.T)
    component = vectors[:, -1] @ spread
    # Equal items in any order.
    jitter = rng.random(len(means))
    everything = np.lexsort((jitter, means))
    n_groups = int(labels.max()) + 1
    if n_groups > 1 and count < _FEW * n_groups:
        inner = rng.permutation(n_groups)[labels]
        return _snake(_strata(everything, round(np.sqrt(count))), inner, component)
    parts = []
    for label in range(n_groups):
        own = everything[labels[everything] == label]
        parts += _strata(own, round(np.sqrt(count * len(own) / len(means))))
    return _snake(parts, np.zeros(len(means), dtype=int), component)


def _strata(sorted_items: NDArray[np.int_], count: int) -> list[NDArray[np.int_]]:
    return np.array_split(sorted_items, max(count, 1))


def _snake(
    parts: list[NDArray[np.int_]], inner: NDArray[np.int_], component: Array
) -> NDArray[np.int_]:
    """Sort every part by group and component, every second one backwards."""
    ordered = [part[np.lexsort((component[part], inner[part]))] for part in parts]
    return np.concatenate([part[:: -1 if k % 2 else 1] for k, part in enumerate(ordered)])


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
