"""The lowest and the highest response there can be: of each item, and of a respondent's mean."""

from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.bank.item_bank import Bank
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import SameShape, axes
from itemcurve.responses.matrix import Responses

# Means of many responses at an end miss it by rounding.
_ROUNDING = 1e-12


class ResponseEnds(NamedTuple):
    """Ends of mean responses, as many as there are items or respondents."""

    lower: Annotated[Array, axes("entities")]
    upper: Annotated[Array, axes("entities")]

    @classmethod
    def of_items(cls, bank: Bank) -> "ResponseEnds":
        """Of each item's responses."""
        lower, upper = bank.ranges.T
        return cls(lower, upper)

    @classmethod
    def of_respondents(cls, bank: Bank, responses: Responses) -> "ResponseEnds":
        """Of the mean response of each respondent to the items answered."""
        lower, upper = (_mean_ends(end, responses) for end in bank.ranges.T)
        return cls(lower, upper)

    def is_lowest(self, means: SameShape) -> SameShape:
        """Which means lie at the lower end."""
        return means <= self.lower + _ROUNDING * np.abs(self.lower)

    def is_highest(self, means: SameShape) -> SameShape:
        """Which means lie at the upper end."""
        rounding = np.where(np.isfinite(self.upper), _ROUNDING * np.abs(self.upper), 0.0)
        return means >= self.upper - rounding

    def is_end(self, means: SameShape) -> SameShape:
        """Which means lie at an end."""
        return self.is_lowest(means) | self.is_highest(means)

    def as_share(self, responses: Array) -> Array:
        """Responses, the entities last, as shares of their ranges; NaN without an upper end."""
        width = np.where(np.isfinite(self.upper), self.upper - self.lower, np.nan)
        return (responses - self.lower) / width


def _mean_ends(
    end: Annotated[Array, axes("items")], responses: Responses
) -> Annotated[Array, axes("respondents")]:
    """Mean end of the items that each respondent answered; cells are read only where they tell."""
    if (end == end[0]).all():
        return np.full(responses.shape[0], end[0])
    found = []
    for block in responses.blocks():
        weight = block.weight()
        if weight is None:
            found.append(np.full(block.shape[0], end.mean()))
            continue
        totals = np.maximum(np.asarray(weight.sum(axis=1)).ravel(), 1e-300)
        found.append(np.asarray(weight @ end).ravel() / totals)
    return np.concatenate(found)
