"""Whether those who miss an item are abler than those who hit it, without any model."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses


def judge_directions(
    responses: Responses, items: Sequence[str], is_wanted: NDArray[np.bool_]
) -> Array:
    """Give one-sided p-values of a rank-sum test per item; NaN where not wanted or not possible.

    Respondents are ordered by their mean response to the other items. Small p-values say that those
    who miss the item are abler than those who hit it. Where all or none hit it nothing is known.

    Parameters
    ----------
    responses : of 0 and 1.
    items : in the order of the result.
    is_wanted : which of them to test (items).
    """
    from scipy.stats import mannwhitneyu

    found = np.full(len(items), np.nan)
    wanted = np.flatnonzero(is_wanted).tolist()
    if not len(wanted):
        return found
    own = responses.select(items=[items[place] for place in wanted]).array()
    means = np.asarray(responses.means(axis=1))
    counts = np.asarray(responses.counts(axis=1))
    for place, column in zip(wanted, own.T, strict=True):
        seen = np.isfinite(column) & (counts > 1)
        rest = (means[seen] * counts[seen] - column[seen]) / (counts[seen] - 1)
        hit = column[seen] > 0.5
        if hit.any() and not hit.all():
            found[place] = mannwhitneyu(rest[hit], rest[~hit], alternative="less").pvalue
    return found
