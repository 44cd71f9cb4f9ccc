"""A paired difference with its error, in the two forms that answers call for.

Both say what `interval` holds the difference at a level, and how likely differences so far above a
supposed one are (`upper_tail`), so that margins and verdicts need not know which form it is.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from itemcurve.analysis.comparison.score_statistic import score_interval, score_statistic

# Half an item added to either side of the disagreements. Without it, intervals of 50 items with few
# disagreements hold the truth in 87 to 88 % instead of 90 %; from 220 items on it changes little.
_ADDED = 0.5


class PairedEstimate(Protocol):
    """What comparisons ask of an estimated difference."""

    @property
    def value(self) -> float:
        """The difference itself."""

    @property
    def error(self) -> float:
        """Its standard error."""

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the error."""

    def interval(self, level: float) -> tuple[float, float]:
        """Ends of the interval at this level."""

    def upper_tail(self, supposed: float) -> float:
        """P-value of the difference being at most the supposed one."""

    def lower_tail(self, supposed: float) -> float:
        """P-value of the difference being at least the supposed one."""


@dataclass(frozen=True)
class MeanEstimate:
    """The mean of differences, with Student's t and a sandwich error."""

    value: float
    error: float
    freedom: float

    def interval(self, level: float) -> tuple[float, float]:
        """Ends of the interval at this level."""
        from scipy.special import stdtrit

        reach = float(stdtrit(self.freedom, 0.5 + level / 2)) * self.error
        return self.value - reach, self.value + reach

    def upper_tail(self, supposed: float) -> float:
        """P-value of the difference being at most the supposed one."""
        from scipy.special import stdtr

        return float(stdtr(self.freedom, -(self.value - supposed) / self.error))

    def lower_tail(self, supposed: float) -> float:
        """P-value of the difference being at least the supposed one."""
        return 1 - self.upper_tail(supposed)


@dataclass(frozen=True)
class ScoreEstimate:
    """A difference of shares of right answers, by the score test of Tango (1998).

    Attributes
    ----------
    gained, lost : items that only the second, or only the first, answered right.
    n_items : all items.
    error : standard error, clusters allowed for.
    freedom : infinite without clusters.
    design_effect : how many times the variance is that of independent items; items then count for
        so much less.
    """

    gained: int
    lost: int
    n_items: int
    error: float
    freedom: float = np.inf
    design_effect: float = 1.0

    @property
    def value(self) -> float:
        """The difference itself."""
        return (self.gained - self.lost) / self.n_items

    def interval(self, level: float) -> tuple[float, float]:
        """Ends of the interval at this level; the difference is always inside."""
        from scipy.special import stdtrit

        reach = float(stdtrit(min(self.freedom, 1e10), 0.5 + level / 2))
        lower, upper = score_interval(*self._counts, reach)
        return min(lower, self.value), max(upper, self.value)

    def upper_tail(self, supposed: float) -> float:
        """P-value of the difference being at most the supposed one."""
        from scipy.special import stdtr

        statistic = score_statistic(*self._counts, supposed)
        return float(stdtr(min(self.freedom, 1e10), -statistic))

    def lower_tail(self, supposed: float) -> float:
        """P-value of the difference being at least the supposed one."""
        return 1 - self.upper_tail(supposed)

    @property
    def _counts(self) -> tuple[float, float, float]:
        share = 1 / self.design_effect
        return (
            (self.gained + _ADDED) * share,
            (self.lost + _ADDED) * share,
            (self.n_items + 2 * _ADDED) * share,
        )
