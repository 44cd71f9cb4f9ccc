"""Margins: is a difference too small to matter (equivalence), is one no worse (non-inferiority)?"""

from dataclasses import dataclass

from itemcurve.analysis.comparison.paired_estimates import PairedEstimate
from itemcurve.errors import ModelError


@dataclass(frozen=True)
class MarginTest:
    """One-sided tests of a difference against a margin on either side.

    Attributes
    ----------
    not_worse_p : of b being worse by the margin or more; small where b is shown not to be.
    not_better_p : of b being better by the margin or more.
    equivalent_p : two one-sided tests (Schuirmann 1987): the larger of the two.
    """

    margin: float
    not_worse_p: float
    not_better_p: float

    @property
    def equivalent_p(self) -> float:
        """P-value of the two differing by the margin or more."""
        return max(self.not_worse_p, self.not_better_p)

    def is_not_worse(self, significance: float = 0.05) -> bool:
        """Whether b is shown to be no worse than a by the margin."""
        return self.not_worse_p < significance

    def is_equivalent(self, significance: float = 0.05) -> bool:
        """Whether both are shown to be the same, give or take the margin."""
        return self.equivalent_p < significance


def judge_margin(estimate: PairedEstimate, margin: float) -> MarginTest:
    """Test a difference against −margin and +margin.

    Examples
    --------
    >>> from itemcurve.analysis.comparison.paired_estimates import MeanEstimate
    >>> found = judge_margin(MeanEstimate(0.001, 0.004, 400), 0.01)
    >>> found.is_not_worse(), found.is_equivalent()
    (True, True)
    """
    if not 0 <= margin < float("inf"):
        raise ModelError(
            "A margin is a number from 0 on, in units of the score;",
            f"given is {margin!r}.",
            "Use 0.01 for a hundredth of an accuracy.",
        )
    return MarginTest(margin, estimate.upper_tail(-margin), estimate.lower_tail(margin))
