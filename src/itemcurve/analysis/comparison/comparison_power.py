"""What a paired comparison can find: power, items needed, the least difference it would show.

A mean of n differences with spread s (their standard deviation) and true value δ has a t statistic
that follows the non-central t distribution with n − 1 degrees of freedom and centre δ √n / s.
"""

import math
from collections.abc import Callable

from itemcurve.errors import ModelError

_MOST_ITEMS = 1e12
# From here on the other tail, at most Φ(−7), is nothing; SciPy gives NaN for it from 7.9 on.
_FAR = 7.0


def power(
    difference: float, items: float, *, spread: float, significance: float = 0.05, sides: int = 2
) -> float:
    """Give the probability that a true difference is found.

    Parameters
    ----------
    difference : true mean difference; for non-inferiority the distance from the margin, one-sided.
    items : how many are compared; clusters, where items come in clusters, with the spread of the
        means of clusters.
    spread : standard deviation of the differences by item, as `RespondentComparison.spread` has it;
        of right and wrong answers that differ on a share q of items, √(q − difference²).
    significance : of the test; half of it falls on either side if it has two.

    Examples
    --------
    >>> round(power(0.03, 1000, spread=0.4), 3)
    0.659
    """
    from scipy.special import nctdtr, stdtrit

    _check(spread, significance, sides)
    if not items > 1:
        return float("nan")
    freedom, centre = items - 1, abs(difference) * math.sqrt(items) / spread
    reach = float(stdtrit(freedom, 1 - significance / sides))
    found = 1 - float(nctdtr(freedom, centre, reach))
    if sides == 1 or centre > _FAR:
        return found
    return found + float(nctdtr(freedom, centre, -reach))


def items_needed(
    difference: float,
    *,
    spread: float,
    power: float = 0.8,
    significance: float = 0.05,
    sides: int = 2,
) -> int:
    """Give the fewest items that find a true difference with this power.

    Examples
    --------
    >>> items_needed(0.03, spread=0.4)
    1398
    """
    _check(spread, significance, sides, power)
    if difference == 0:
        raise ModelError(
            "Items can be counted for a difference other than 0;",
            "given is 0, which no number of items shows.",
            "Give the least difference that matters.",
        )
    wanted = _power_above(power, spread, significance, sides)
    low, high = 2.0, 4.0
    while not wanted(difference, high):
        low, high = high, 2 * high
        if high > _MOST_ITEMS:
            raise ModelError(
                "The difference must be large enough to be found;",
                f"{difference} needs more than {_MOST_ITEMS:.0e} items.",
                "Give the least difference that matters.",
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if wanted(difference, middle) else (middle, high)
    return int(high)


def detectable_difference(
    items: float,
    *,
    spread: float,
    power: float = 0.8,
    significance: float = 0.05,
    sides: int = 2,
) -> float:
    """Give the least true difference that so many items find with this power.

    Examples
    --------
    >>> round(detectable_difference(1000, spread=0.4), 4)
    0.0355
    """
    _check(spread, significance, sides, power)
    if not items > 1 or spread == 0:
        return float("nan")
    wanted = _power_above(power, spread, significance, sides)
    low, high = 0.0, spread
    while not wanted(high, items):
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if wanted(middle, items) else (middle, high)
    return high


def _power_above(
    wanted: float, spread: float, significance: float, sides: int
) -> Callable[[float, float], bool]:
    def is_enough(difference: float, items: float) -> bool:
        own = power(difference, items, spread=spread, significance=significance, sides=sides)
        return own >= wanted

    return is_enough


def _check(spread: float, significance: float, sides: int, wanted: float = 0.5) -> None:
    if not (spread > 0 and 0 < significance < 1 and sides in (1, 2) and significance < wanted < 1):
        raise ModelError(
            "Power needs a spread above 0, a significance below the power, both below 1, and 1 or "
            "2 sides;",
            f"given are spread {spread}, significance {significance}, power {wanted}, "
            f"{sides} sides.",
            "Leave out what you are unsure of.",
        )
