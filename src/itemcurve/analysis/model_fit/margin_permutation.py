"""Responses drawn anew with the same score of every respondent and the same mean of every item.

Whatever is found in such data comes from how able respondents and how hard items are, and from
chance: it is what a finding about the data must exceed.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Trades per respondent; after about five the data have forgotten what they were (Strona et al.
# 2014 use five for species tables of this size).
_TRADES = 8


def permute_within_margins(values: Floats, random: np.random.Generator) -> Floats:
    """Draw responses with the margins of these; missing cells stay missing.

    Of right and wrong, margins are kept exactly: two respondents trade right answers among the
    items that only one of them has right (Strona et al. 2014). All such tables are equally likely
    under a Rasch model. Of scores between 0 and 1, what respondent and item leave over is permuted
    within items, so that means are kept about.

    Parameters
    ----------
    values : respondents × items, NaN where not observed.

    Examples
    --------
    >>> import numpy as np
    >>> drawn = permute_within_margins(np.eye(4), np.random.default_rng(0))
    >>> drawn.sum(axis=0).tolist(), drawn.sum(axis=1).tolist()
    ([1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0])
    """
    known = values[~np.isnan(values)]
    if np.all((known == 0) | (known == 1)):
        return _trade(values.copy(), random)
    return _permute_rest(values, random)


def _trade(values: Floats, random: np.random.Generator) -> Floats:
    """Let pairs of respondents trade what one has right and the other wrong."""
    count = len(values)
    if count < 2:
        return values
    for _ in range(_TRADES * count):
        one, other = random.choice(count, size=2, replace=False)
        # NaN differs from everything, also from what is not missing: the sum leaves it out.
        places = np.flatnonzero(values[one] + values[other] == 1)
        shuffled = values[one, places][random.permutation(places.size)]
        values[one, places] = shuffled
        values[other, places] = 1 - shuffled
    return values


def _permute_rest(values: Floats, random: np.random.Generator) -> Floats:
    expected = fit_margins(values)
    rest = values - expected
    drawn = values.copy()
    for item in range(values.shape[1]):
        seen = np.flatnonzero(~np.isnan(values[:, item]))
        drawn[seen, item] = expected[seen, item] + random.permutation(rest[seen, item])
    return np.asarray(np.clip(drawn, 0, 1))


def fit_margins(values: Floats) -> Floats:
    """Expected responses from respondent and item alone: mean + row effect + column effect."""
    total = np.nanmean(values)
    items = _mean(values, axis=0) - total
    # Rows by what their own items leave: respondents may have answered different ones.
    rows = _mean(values - items, axis=1) - total
    return np.asarray(total + rows[:, np.newaxis] + items)


def _mean(values: Floats, axis: int) -> Floats:
    """Mean of what is there; that of all where nothing is."""
    seen = ~np.isnan(values)
    total, count = np.where(seen, values, 0.0).sum(axis=axis), seen.sum(axis=axis)
    fallback = np.nanmean(values)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), fallback))
