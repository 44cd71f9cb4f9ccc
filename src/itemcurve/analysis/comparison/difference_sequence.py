"""A difference that may be looked at after every item: intervals that all hold at once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.comparison.answer_pairs import AnswerPairs
from itemcurve.analysis.comparison.confidence_sequence import DrawnAnswers, confidence_sequence
from itemcurve.errors import ResponsesError
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class DifferenceSequence:
    """The difference after each item, with intervals that hold at every look together.

    Attributes
    ----------
    items : in the order in which they were asked.
    difference, lower, upper : after each item; above 0 means that the second is better.
    level : probability that all intervals hold the true difference, however often one looks.
    """

    items: tuple[str, ...]
    difference: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    level: float

    def decided_after(self, supposed: float = 0.0) -> int | None:
        """Say after how many items the difference is known to lie above or below; None if never."""
        is_out = (self.lower > supposed) | (self.upper < supposed)
        return int(np.argmax(is_out)) + 1 if is_out.any() else None

    def frame(self) -> "pandas.DataFrame":
        """One row per item."""
        count = np.arange(1, len(self.items) + 1)
        return tabulate(self, "difference", "lower", "upper", n_items=count, item=self.items)


def follow_difference(
    pairs: AnswerPairs, level: float = 0.95, population: int | None = None
) -> DifferenceSequence:
    """Give intervals after every item that both answered.

    They hold if items come in random order; nothing is assumed of how scores are spread.

    Parameters
    ----------
    pairs : scores from 0 to 1, each item by itself.
    population : how many items there are in all, if the difference on just these is asked for;
        items like them without end when left out.
    """
    used = pairs.take(pairs.is_shared)
    scores = np.abs(np.stack([used.first, used.second]))
    if not len(used.items) or scores.max() > 1 or (pairs.sign > 0 and used.first.min() < 0):
        raise ResponsesError(
            "A sequence needs scores between 0 and 1;",
            f"given are {len(used.items):,} items with other scores, or none at all.",
            "Rescale them first, for logs with rescale=True (--rescale).",
        )
    if used.clusters is not None:
        raise ResponsesError(
            "A sequence needs items that each stand by themselves;",
            "given are clusters.",
            "Leave the clusters out, or use the interval of the whole comparison.",
        )
    gap = used.gap
    size = np.inf if population is None else max(population, len(gap))
    draws = DrawnAnswers.without_forecasts((gap + 1) / 2, size)
    lower, upper = confidence_sequence(draws, level=level)
    running = np.cumsum(gap) / np.arange(1, len(gap) + 1)
    return DifferenceSequence(used.items, running, 2 * lower - 1, 2 * upper - 1, level)
