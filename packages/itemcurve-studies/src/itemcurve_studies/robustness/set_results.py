"""What is found on one data set."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve_studies.robustness.data import LoadedSet

# Difficulties further from 0 are left out by the paper.
FARTHEST = 6.0


@dataclass(frozen=True, eq=False)
class SetResult:
    """One data set: its difficulties, and the curves of all models.

    Attributes
    ----------
    difficulty, mean_responses : of each instance, the latter its share of right answers.
    summary : spread of the difficulties, and how well their model fits.
    spearman : of difficulty predicted for rows left out: learnt, 5 nearest neighbours.
    paper_curves : the same curves without instances that all or none answer right, and without
        difficulties beyond ±6, as the paper has them.
    """

    data: LoadedSet
    difficulty: NDArray[np.float64]
    mean_responses: NDArray[np.float64]
    summary: dict[str, float]
    spearman: tuple[float, float]
    curves: SystemCurves
    paper_curves: SystemCurves

    @property
    def is_varied(self) -> NDArray[np.bool_]:
        """Which instances some of the pool answer right and some wrong."""
        return np.asarray((self.mean_responses > 0) & (self.mean_responses < 1))

    @property
    def is_kept(self) -> NDArray[np.bool_]:
        """Of these, those whose difficulty lies within ±6: what the paper keeps."""
        return self.is_varied & np.asarray(np.abs(self.difficulty) <= FARTHEST)
