"""Which candidates can still win, from what they scored on the rows asked so far.

Candidates answer the same rows, fold after fold. What counts in the end is the mean over all N
rows; n of them are known. The difference D of a candidate and the leader over all rows is then
normal about the difference d on the rows known, with variance s²(N − n)/(N n), where s² is the
variance of the differences row by row: rows that both answer alike say nothing, and how hard a row
is cancels.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

Scores = Annotated[Array, axes("candidates rows")]


@dataclass(frozen=True, eq=False)
class Standing:
    """How candidates stand after some rows.

    Attributes
    ----------
    leader : place of the candidate with the highest mean; the first of several.
    chance : of each, that it is ahead of the leader over all rows; 1 for the leader.
    is_twin : whether an earlier candidate scored the same on every row.
    """

    leader: int
    chance: NDArray[np.float64]
    is_twin: NDArray[np.bool_]

    def stays(self, level: float) -> NDArray[np.bool_]:
        """Which go on: those with a chance above the level, of twins the first."""
        found = (self.chance > level) & ~self.is_twin
        # The leader stays even where it is the twin of one that was found before it.
        found[self.leader] = True
        return np.asarray(found)


def judge_candidates(scores: Scores, total: int) -> Standing:
    """Compare every candidate with the leader.

    Parameters
    ----------
    scores : on the rows asked so far, larger is better (candidates × rows).
    total : rows that there are in all.

    Examples
    --------
    >>> import numpy as np
    >>> right = np.array([[1, 1, 1, 1, 0, 1], [1, 1, 0, 1, 0, 1], [0, 0, 0, 0, 0, 1]], float)
    >>> judge_candidates(right, total=12).chance.round(2).tolist()
    [1.0, 0.08, 0.0]
    """
    from scipy.stats import norm

    known = scores.shape[1]
    means = scores.mean(axis=1)
    leader = int(np.argmax(means))
    gaps = scores - scores[leader]
    # One row that differs must be thinkable where none did, and of one row no spread is known.
    least = float(np.ptp(scores)) ** 2 / known
    spread = gaps.var(axis=1, ddof=1) if known > 1 else np.zeros(len(scores))
    left = max(total - known, 0)
    error = np.sqrt(np.maximum(spread, least) * left / (total * known))
    gap = means - means[leader]
    ratio = np.divide(gap, error, out=np.where(gap < 0, -np.inf, 0.0), where=error > 0)
    chance = np.asarray(norm.cdf(ratio), dtype=np.float64)
    chance[leader] = 1.0
    return Standing(leader, chance, _find_twins(scores))


def _find_twins(scores: Scores) -> NDArray[np.bool_]:
    _, first, inverse = np.unique(scores, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[inverse.ravel()] != np.arange(len(scores)))
