"""Two estimates with intervals set against each other: their difference and their mean."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate:
    """Numbers with their intervals, one per respondent."""

    value: Floats
    lower: Floats
    upper: Floats


def wilson_interval(hits: NDArray[np.integer], count: int, level: float = 0.9) -> Estimate:
    """Give shares with Wilson's score intervals; of no instance at all NaN.

    It keeps its level near 0 and 1, where shares of changed predictions lie: 0 of 80 has the
    interval 0 to 0.033.

    Parameters
    ----------
    hits : how many of `count`, one number per respondent.

    Examples
    --------
    >>> found = wilson_interval(np.array([0, 40]), 80)
    >>> found.upper.round(3).tolist()
    [0.033, 0.59]
    """
    from scipy.special import ndtri

    if not count:
        nothing = np.full(len(hits), np.nan)
        return Estimate(nothing, nothing, nothing)
    share, z = np.asarray(hits / count), float(ndtri((1 + level) / 2))
    centre = share + z**2 / (2 * count)
    reach = z * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    whole = 1 + z**2 / count
    # At 0 and all, arithmetic leaves the last digit beyond the share itself.
    lower = np.where(hits == 0, 0.0, (centre - reach) / whole)
    upper = np.where(hits == count, 1.0, (centre + reach) / whole)
    return Estimate(share, lower, upper)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Give second − first of independent estimates, with its interval.

    Each side takes the half-widths that matter for it (Newcombe 1998, method 10; Zou and Donner
    2008), so that lopsided intervals stay lopsided.

    Examples
    --------
    >>> easy, hard = (wilson_interval(np.array([hits]), 80) for hits in (3, 17))
    >>> found = difference(easy, hard)
    >>> [round(float(side[0]), 3) for side in (found.value, found.lower, found.upper)]
    [0.175, 0.091, 0.262]
    """
    gap = second.value - first.value
    below = np.hypot(_room(second.value, second.lower), _room(first.upper, first.value))
    above = np.hypot(_room(second.upper, second.value), _room(first.value, first.lower))
    return Estimate(gap, gap - below, gap + above)


def mean_of(first: Estimate, second: Estimate) -> Estimate:
    """Give (first + second) / 2 of independent estimates, with its interval."""
    middle = (first.value + second.value) / 2
    below = np.hypot(_room(first.value, first.lower), _room(second.value, second.lower)) / 2
    above = np.hypot(_room(first.upper, first.value), _room(second.upper, second.value)) / 2
    return Estimate(middle, middle - below, middle + above)


def _room(high: Floats, low: Floats) -> Floats:
    """Half-width of one side; bootstrap percentiles may leave the estimate outside."""
    return np.asarray(np.maximum(high - low, 0.0))
