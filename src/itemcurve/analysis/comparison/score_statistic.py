"""The score test and interval of a difference between two shares on the same items (Tango 1998).

With b items gained and c lost of n, the likelihood of a supposed difference δ is highest where the
share lost is q̃, the larger root of 2n q² + ((2n − b + c) δ − b − c) q − c δ (1 − δ) = 0, and

    T(δ) = (b − c − n δ) / √(n (2 q̃ + δ (1 − δ)))

is normal if δ is true. At δ = 0 it is McNemar's (b − c) / √(b + c). It does not break down where
few items or none differ, which the mean and its standard error do.
"""

import math


def score_statistic(gained: float, lost: float, n_items: float, supposed: float) -> float:
    """Give T(δ): how many standard errors the difference lies above the supposed one.

    Examples
    --------
    >>> round(score_statistic(12, 4, 100, 0.0), 6)
    2.0
    """
    excess = gained - lost - n_items * supposed
    middle = (2 * n_items - gained + lost) * supposed - gained - lost
    end = -lost * supposed * (1 - supposed)
    root = math.sqrt(max(middle**2 - 8 * n_items * end, 0.0))
    share_lost = max((root - middle) / (4 * n_items), 0.0)
    variance = n_items * (2 * share_lost + supposed * (1 - supposed))
    if variance <= 0:
        # Only a difference of −1 or 1, or nothing that differs and none supposed.
        return 0.0 if excess == 0 else math.copysign(math.inf, excess)
    return excess / math.sqrt(variance)


def score_interval(gained: float, lost: float, n_items: float, reach: float) -> tuple[float, float]:
    """Give all supposed differences whose statistic lies within ± `reach`: the ends of them.

    Parameters
    ----------
    reach : quantile of the normal distribution, 1.645 for 90 %.

    Examples
    --------
    >>> [round(end, 4) for end in score_interval(12, 4, 100, 1.959964)]
    [0.0018, 0.1656]
    """
    middle = (gained - lost) / n_items
    return (
        _find(gained, lost, n_items, reach, -1.0, middle),
        _find(gained, lost, n_items, -reach, middle, 1.0),
    )


def _find(
    gained: float, lost: float, n_items: float, target: float, low: float, high: float
) -> float:
    """Halve until the statistic, which falls in δ, meets its target."""
    for _ in range(80):
        middle = (low + high) / 2
        if score_statistic(gained, lost, n_items, middle) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2
