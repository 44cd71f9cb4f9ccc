"""The range of responses, and what a mean response is in it."""

from math import isfinite
from typing import NamedTuple

import numpy as np

from itemcurve.numerics.shapes import SameShape

# Means are kept this far from the ends of their range, in shares of it, before a logit is taken.
_MARGIN = 0.01
# The smallest and the largest mean error whose logarithm is taken.
_ERRORS = (1e-3, 1e3)


class Support(NamedTuple):
    """The ends of the range of responses; the upper one may be infinite."""

    lower: float
    upper: float

    @property
    def is_bounded(self) -> bool:
        """Whether there is a best response, as of scores; errors have no upper end."""
        return isfinite(self.upper)

    @property
    def is_unit(self) -> bool:
        """Whether a response is a share already."""
        return self.lower == 0.0 and self.upper == 1.0

    def as_share(self, responses: SameShape) -> SameShape:
        """Responses as shares of their range, from 0 to 1; NaN where it has no upper end."""
        if not self.is_bounded:
            return np.full(np.shape(responses), np.nan)
        if self.is_unit:
            return responses
        return (responses - self.lower) / (self.upper - self.lower)

    def from_share(self, shares: SameShape) -> SameShape:
        """Responses that are these shares of their range."""
        return shares if self.is_unit else self.lower + shares * (self.upper - self.lower)

    def is_end(self, responses: SameShape) -> SameShape:
        """Which responses lie at an end of the range."""
        return (responses <= self.lower) | (responses >= self.upper)

    def unbounded(self, means: SameShape) -> SameShape:
        """Mean responses on the real line: logits between two ends, logarithms above one."""
        if not self.is_bounded:
            return np.log(np.clip(means - self.lower, *_ERRORS))
        share = np.clip(self.as_share(means), _MARGIN, 1 - _MARGIN)
        return np.log(share / (1 - share))


class Ranged:
    """What every family gives from the range of its responses alone, its `support`."""

    @property
    def support(self) -> Support:
        """The range of responses."""
        raise NotImplementedError

    @property
    def is_bounded(self) -> bool:
        """Whether there is a best response, as of scores; errors have no upper end."""
        return self.support.is_bounded

    def as_share(self, responses: SameShape) -> SameShape:
        """Responses as shares of their range, from 0 to 1; NaN where it has no upper end."""
        return self.support.as_share(responses)

    def from_share(self, shares: SameShape) -> SameShape:
        """Responses that are these shares of their range."""
        return self.support.from_share(shares)

    def is_end(self, responses: SameShape) -> SameShape:
        """Which responses lie at an end of the range."""
        return self.support.is_end(responses)

    def unbounded(self, means: SameShape) -> SameShape:
        """Mean responses on the real line, where abilities start."""
        return self.support.unbounded(means)


UNIT = Support(0.0, 1.0)
FROM_ZERO = Support(0.0, float("inf"))
