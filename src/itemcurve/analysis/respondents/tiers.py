"""Tiers: groups of respondents whose abilities the data tell apart."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Holm's procedure looks at all pairs; beyond this many respondents Bonferroni's bound serves.
_MOST_FOR_HOLM = 3000


def assign_tiers(
    abilities: NDArray[np.float64], errors: NDArray[np.float64], significance: float = 0.05
) -> NDArray[np.int64]:
    """Give the tier of each respondent, 1 for the best.

    Two respondents are distinguishable when z = |difference| / √(se₁² + se₂²) passes a two-sided
    normal test, all pairs together at this familywise error rate (Holm). The most able respondent
    heads tier 1; going down, the first one distinguishable from the head of its tier heads the
    next. So nobody in a tier is distinguishable from its head, and each head is from the one above.

    The errors of two abilities are taken as independent; what both share in error (the scale) would
    make differences more certain, so tiers rather merge than split.

    Parameters
    ----------
    errors : standard errors; where unknown (NaN), nobody is distinguishable.
    significance : probability of one false distinction or more among all pairs.

    Examples
    --------
    >>> assign_tiers(np.array([2.0, 1.9, 0.0]), np.array([0.1, 0.1, 0.1])).tolist()
    [1, 1, 2]
    """
    order = np.argsort(-abilities, kind="stable")
    critical = _critical_z(abilities, errors, significance)
    tiers = np.empty(len(abilities), dtype=np.int64)
    head, tier = order[0], 1
    for place in order:
        if place != head and _z(abilities, errors, head, place) > critical:
            head, tier = place, tier + 1
        tiers[place] = tier
    return tiers


def assign_tiers_by_pairs(
    scores: NDArray[np.float64], adjusted: NDArray[np.float64], significance: float = 0.05
) -> NDArray[np.int64]:
    """Give the tier of each respondent, 1 for the best, from tests of every pair.

    Going down, the first one distinguishable from the head of its tier heads the next, as in
    `assign_tiers`: who is in the first tier cannot be told from the first of all.

    Parameters
    ----------
    adjusted : p-values of every pair, adjusted for all pairs (respondents × respondents).

    Examples
    --------
    >>> adjusted = np.array([[1.0, 0.9, 0.03], [0.9, 1.0, 0.09], [0.03, 0.09, 1.0]])
    >>> assign_tiers_by_pairs(np.array([0.9, 0.88, 0.7]), adjusted).tolist()
    [1, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    tiers = np.empty(len(scores), dtype=np.int64)
    head, tier = order[0], 1
    for place in order:
        if adjusted[head, place] < significance:
            head, tier = place, tier + 1
        tiers[place] = tier
    return tiers


def _critical_z(
    abilities: NDArray[np.float64], errors: NDArray[np.float64], significance: float
) -> float:
    """The smallest z that still counts, for all pairs together."""
    from scipy.special import ndtr, ndtri

    count = len(abilities)
    pairs = count * (count - 1) // 2
    if count > _MOST_FOR_HOLM or pairs == 0:
        return float(-ndtri(significance / 2 / max(pairs, 1)))
    first, second = np.triu_indices(count, 1)
    z = np.sort(_z(abilities, errors, first, second))[::-1]
    # Step down: the k-th largest is judged among the pairs that are left.
    passes = 2 * ndtr(-z) <= significance / (pairs - np.arange(pairs))
    failed = np.flatnonzero(~passes)
    return float(z[failed[0]]) if failed.size else 0.0


def _z(abilities: NDArray[np.float64], errors: NDArray[np.float64], first: Any, second: Any) -> Any:
    spread = np.hypot(errors[first], errors[second])
    distance = np.abs(abilities[first] - abilities[second])
    # Without an error nothing can be told apart.
    return np.where(spread > 0, distance / np.where(spread > 0, spread, 1.0), 0.0)
