"""Categories that an item was never given: because it has none such, or by chance.

Among 30 respondents, nobody may have reached the highest grade of a hard item. Left out, the item
would count as one of fewer grades, easier than it is: over 30 × 40 answers, partial credit then has
thresholds that rise by 0.91 for each 1 of the truth, and by 0.98 when such grades are kept and
their thresholds told by those of other items.
"""

from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerItem, axes

Counts = Annotated[Array, axes("items categories")]
# What is expected more often and still never given, is not there.
_HANDFUL = 5.0
_USUAL_WIDTH = 1.0
_NARROWEST, _WIDEST = 0.05, 10.0


def has_category(counts: Counts) -> Counts:
    """Which categories items have: those that were used, and those that were not by chance.

    A category is missing by chance if it was to be expected less than a handful of times: with
    the shares above and below that the item has, and as wide, on the scale of logits, as it is for
    items that were given it. All categories above the highest one used are judged together, and so
    are all below the lowest.

    Parameters
    ----------
    counts : how often each item was given each category.

    Examples
    --------
    >>> has_category(np.array([[10, 20, 30, 20, 10], [25, 5, 0, 0, 0], [45, 45, 0, 0, 0]])).sum(1)
    array([5, 5, 2])
    """
    used = counts > 0
    size = counts.shape[1]
    heights = _heights(counts)
    widths = _typical_widths(heights, used)
    lowest, highest = used.argmax(axis=1), size - 1 - used[:, ::-1].argmax(axis=1)
    rows = np.arange(len(counts))
    total = counts.sum(axis=1)
    beyond = total * _share(heights[rows, highest] - widths[highest])
    below = total * _share(-heights[rows, lowest + 1] - widths[lowest])
    found = used.copy()
    for place in range(size):
        start = heights[:, place + 1]
        between = total * (_share(start + widths[place]) - _share(start))
        expected = np.where(place > highest, beyond, np.where(place < lowest, below, between))
        found[:, place] |= expected < _HANDFUL
    return found


def typical_widths(counts: Counts) -> tuple[float, ...]:
    """How wide each category is, on the scale of logits, for items that were given it."""
    found = _typical_widths(_heights(counts), counts > 0)
    return tuple(float(np.clip(width, _NARROWEST, _WIDEST)) for width in found)


def _heights(counts: Counts) -> Annotated[Array, axes("items ends")]:
    """Logits of the shares at or above each category, and above the last."""
    total = np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    above = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1] / total
    above = np.concatenate([above, np.zeros_like(total)], axis=1)
    above = np.clip(above, 0.5 / (total + 1), 1 - 0.5 / (total + 1))
    return np.log(above / (1 - above))


def _typical_widths(
    heights: Annotated[Array, axes("items ends")], used: Counts
) -> Annotated[Array, axes("categories")]:
    """How wide each category is for items that have it, one above it and one below it."""
    size = used.shape[1]
    below = np.cumsum(used, axis=1) - used > 0
    above = np.cumsum(used[:, ::-1], axis=1)[:, ::-1] - used > 0
    is_inner = used & below & above
    widths = heights[:, :-1] - heights[:, 1:]
    every = float(np.median(widths[is_inner])) if is_inner.any() else _USUAL_WIDTH
    found = [widths[is_inner[:, k], k] for k in range(size)]
    return np.array([float(np.median(own)) if len(own) else every for own in found])


def _share(height: PerItem) -> PerItem:
    return 1.0 / (1.0 + np.exp(-height))
