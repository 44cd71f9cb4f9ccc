"""Who disagrees with the label of an item, and what they say instead."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Predictions
from itemcurve.estimation.result import FitResult

if TYPE_CHECKING:
    import pandas

_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Dissent:
    """Respondents against labels; respondents in the order of the fit.

    Attributes
    ----------
    disagrees : whether a respondent prefers another label (respondents × items).
    says : position of the class it prefers, −1 where only the response is known.
    support : what it gives the label: its probability, or the response.
    is_able : whether its ability is at or above the median.
    """

    respondents: tuple[str, ...]
    classes: tuple[str, ...]
    abilities: NDArray[np.float64]
    is_able: NDArray[np.bool_]
    disagrees: NDArray[np.bool_]
    says: NDArray[np.int64]
    support: NDArray[np.float64]

    @cached_property
    def _able(self) -> NDArray[np.intp]:
        """Rows of the able, the most able first."""
        order = np.argsort(-self.abilities, kind="stable")
        return np.asarray(order[self.is_able[order]])

    def describe(self, item: int) -> str:
        """Name up to five able dissenters of an item, the most able first, with what they say."""
        against = self._able[self.disagrees[self._able, item]]
        named = [self._describe_one(row, item) for row in against[:_SHOWN]]
        more = len(against) - len(named)
        return ", ".join(named) + (f" and {more} more" if more else "")

    def frame(self, item: int) -> "pandas.DataFrame":
        """One row per respondent, the most able first: what it says of this item."""
        import pandas

        order = np.argsort(-self.abilities, kind="stable")
        table = {
            "respondent": [self.respondents[row] for row in order],
            "ability": self.abilities[order],
            "is_able": self.is_able[order],
            "disagrees": self.disagrees[order, item],
            "support": self.support[order, item],
        }
        if self.classes:
            table["says"] = [self.classes[self.says[row, item]] for row in order]
        return pandas.DataFrame(table)

    def _describe_one(self, row: int, item: int) -> str:
        name = self.respondents[row]
        return f"{name}: {self.classes[self.says[row, item]]}" if self.classes else name


def find_disagreement(fit: FitResult, predictions: Predictions | None) -> Dissent:
    """Compare each respondent's answer with the label; without predictions, responses with 0.5."""
    abilities = np.asarray(fit.estimates.abilities)
    if predictions is None:
        support = fit.responses.array()
        disagrees = np.nan_to_num(support, nan=1.0) < 0.5
        says = np.full(support.shape, -1)
    else:
        places = {name: row for row, name in enumerate(predictions.respondents)}
        rows = [places[name] for name in fit.responses.respondents]
        support = np.asarray(predictions.of_label[rows], dtype=float)
        best = predictions.probabilities[rows].max(axis=2)
        # A tie with the label is no dissent.
        disagrees, says = support < best, predictions.chosen[rows]
    return Dissent(
        respondents=fit.responses.respondents,
        classes=() if predictions is None else predictions.classes,
        abilities=abilities,
        is_able=abilities >= np.median(abilities),
        disagrees=np.asarray(disagrees),
        says=np.asarray(says, dtype=np.int64),
        support=support,
    )
