"""What is to be expected of rows that nobody has answered: difficulty, its error, right answers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.evaluation.difficulty.difficulty_prediction import DifficultyCheck
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty

if TYPE_CHECKING:
    import pandas

Numbers = NDArray[np.float64]
# Known rows that a new one is compared with: a tenth of all, and not fewer than this.
_SHARE, _FEWEST = 0.1, 20
# A row of which fewer models are right is hard; a new one is doubtful where so many like it are.
_MOST, _DOUBTFUL = 0.5, 0.25


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows without a label, each told by the known rows that are predicted to be as hard.

    Known rows are predicted without themselves, so that error and right answers are those of rows
    that nobody has answered.

    Attributes
    ----------
    difficulty : predicted, in the order of the rows.
    error : root mean squared error of such predictions among the known rows that are predicted to
        be as hard.
    right, right_lower, right_upper : share of models that answer these right: the median, and the
        shares that one in ten of them is below and above.
    harder_than : share of all known rows that are easier.
    mostly_wrong : share of the known rows that are predicted to be as hard of which most models are
        wrong.
    known_wrong : that share of all known rows.
    count : known rows that each new one is told by.
    """

    difficulty: Numbers
    error: Numbers
    right: Numbers
    right_lower: Numbers
    right_upper: Numbers
    harder_than: Numbers
    mostly_wrong: Numbers
    known_wrong: float
    count: int

    @property
    def is_doubtful(self) -> NDArray[np.bool_]:
        """Where most models are wrong of a quarter or more of such rows: let a person look."""
        return np.asarray(self.mostly_wrong >= _DOUBTFUL)

    def frame(self) -> "pandas.DataFrame":
        """One row per new row, counted from 1."""
        import pandas

        return pandas.DataFrame(
            {
                "row": np.arange(1, len(self.difficulty) + 1),
                "difficulty": self.difficulty,
                "error": self.error,
                "right": self.right,
                "right_lower": self.right_lower,
                "right_upper": self.right_upper,
                "harder_than": self.harder_than,
                "mostly_wrong": self.mostly_wrong,
                "is_doubtful": self.is_doubtful,
            }
        )


def expect_rows(known: Difficulty, check: DifficultyCheck, predicted: Numbers) -> NewRows:
    """Tell new rows by the known rows that are predicted to be as hard.

    Parameters
    ----------
    known : difficulties of the known rows.
    check : predictions of them without themselves.
    predicted : difficulties of the new rows.
    """
    usable = np.flatnonzero(known.is_usable)
    shares = np.asarray(known.fit.responses.means(axis=0))[usable]
    count = min(max(_FEWEST, round(_SHARE * len(usable))), len(usable))
    # Known rows by how far from each new one they were predicted (new × known).
    far = np.abs(predicted[:, np.newaxis] - check.learnt)
    near = np.argsort(far, axis=1, kind="stable")[:, :count]
    misses = (check.observed - check.learnt)[near]
    lower, middle, upper = np.quantile(shares[near], (0.1, 0.5, 0.9), axis=1)
    ordered = np.sort(check.observed)
    return NewRows(
        predicted,
        np.sqrt((misses**2).mean(axis=1)),
        middle,
        lower,
        upper,
        np.asarray(np.searchsorted(ordered, predicted) / len(ordered)),
        np.asarray((shares[near] < _MOST).mean(axis=1)),
        float((shares < _MOST).mean()),
        count,
    )
