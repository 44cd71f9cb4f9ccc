"""System characteristic curves: agreement with oneself under noise, by difficulty."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.changed_predictions import find_readable
from itemcurve.analysis.robustness.curve_verdicts import judge_curves

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class SystemCurves:
    """κ between clean and noisy predictions on one data set (Fabra-Boluda et al.).

    Attributes
    ----------
    name : of the data set.
    respondents : the models.
    difficulty : mean difficulty of each bin, from easy to hard.
    shares : of the instances of a bin that are noisy.
    kappa, lower, upper : respondents × bins × shares, with bootstrap intervals.
    level : of the intervals.
    classes : names of the classes.
    labels : class of each instance, as a position among the classes.
    clean, noisy : what each respondent predicts (respondents × instances), likewise.
    bins : bin of each instance; −1 of those left out.
    order : place of each instance in the draw of its bin: a share perturbs those that come first.
    complexity : attributes × classes / instances.
    notes : what was decided on the way, and who failed, in words.
    """

    name: str
    respondents: tuple[str, ...]
    difficulty: NDArray[np.float64]
    shares: tuple[float, ...]
    kappa: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    level: float
    classes: tuple[str, ...]
    labels: NDArray[np.intp]
    clean: NDArray[np.intp]
    noisy: NDArray[np.intp]
    bins: NDArray[np.intp]
    order: NDArray[np.intp]
    complexity: float
    notes: tuple[str, ...] = ()

    @property
    def n_bins(self) -> int:
        """Number of bins."""
        return len(self.difficulty)

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent, bin (1 is the easiest) and share.

        `is_readable` says whether κ means something in this bin of this respondent: not where one
        class holds nine in ten of its predictions, nor where the interval of κ at the largest
        share is wider than half of its range.
        """
        import pandas

        who, where, share = np.indices(self.kappa.shape).reshape(3, -1)
        return pandas.DataFrame(
            {
                "respondent": np.array(self.respondents, dtype=object)[who],
                "bin": where + 1,
                "difficulty": self.difficulty[where],
                "share": np.array(self.shares)[share],
                "kappa": self.kappa.ravel(),
                "kappa_lower": self.lower.ravel(),
                "kappa_upper": self.upper.ravel(),
                "is_readable": find_readable(self)[who, where],
            }
        )

    def verdicts(
        self, margin: float = 0.1, measure: Literal["share", "kappa"] = "share"
    ) -> "pandas.DataFrame":
        """One row per respondent: what noise does in easy and hard bins, in a word.

        `measure="kappa"` gives the verdicts of the paper. See
        `itemcurve.analysis.robustness.curve_verdicts.judge_curves`.
        """
        return judge_curves(self, margin, measure)

    def __repr__(self) -> str:
        return (
            f"SystemCurves({self.name or 'data'}, {len(self.respondents)} respondents, "
            f"{self.n_bins} bins, shares {', '.join(f'{share:g}' for share in self.shares)})"
        )


def perturbed(order: NDArray[np.intp], share: float) -> NDArray[np.bool_]:
    """Say which instances of a bin a share perturbs; larger shares hold the smaller ones.

    Parameters
    ----------
    order : place of each instance in the draw of its bin.

    Examples
    --------
    >>> perturbed(np.array([2, 0, 1, 3]), 0.5).tolist()
    [False, True, True, False]
    """
    # A hair above, so that 0.3 of 10 is 3 although 0.3 * 10 may fall below it.
    return np.asarray(order < int(share * len(order) + 1e-9))
