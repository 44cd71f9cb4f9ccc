"""How often the gate errs on single right and wrong answers, summed over all outcomes."""

import numpy as np

from benchmarks.paired_designs import Design
from itemcurve.analysis.comparison.paired_estimates import ScoreEstimate

# Outcomes further out than so many standard deviations, or less likely than that, are left out.
_REACH = 5.5
_LEAST = 1e-10


def exact_rates(design: Design, margin: float, significance: float = 0.05) -> dict[str, float]:
    """Give the probabilities of the verdicts `ship` and `regression`."""
    from scipy.special import gammaln

    gained, lost = _shares(design)
    n = design.items
    rates = {"ship": 0.0, "regression": 0.0}
    for more in _likely(n, gained):
        fewer = _likely(n, lost)
        same = n - more - fewer
        chance = np.exp(
            gammaln(n + 1)
            - gammaln(more + 1)
            - gammaln(fewer + 1)
            - gammaln(same + 1)
            + more * np.log(gained)
            + fewer * np.log(lost)
            + same * np.log(1 - gained - lost)
        )
        for count, own in zip(fewer.tolist(), chance.tolist(), strict=True):
            if own > _LEAST:
                found = ScoreEstimate(int(more), int(count), n, 0.0)
                if found.upper_tail(-margin) < significance:
                    rates["ship"] += own
                elif found.lower_tail(0.0) < significance:
                    rates["regression"] += own
    return rates


def _shares(design: Design) -> tuple[float, float]:
    """True shares of items gained and lost, of a bivariate normal with the items in common."""
    from scipy.stats import multivariate_normal, norm

    second = design.score + design.difference
    limits = norm.ppf([design.score, second])
    both = multivariate_normal(cov=[[1, design.shared], [design.shared, 1]]).cdf(limits)
    return float(second - both), float(design.score - both)


def _likely(n: int, share: float) -> np.ndarray:
    middle, room = n * share, _REACH * np.sqrt(n * share)
    return np.arange(max(0, int(middle - room)), min(n, int(middle + room)) + 1)
