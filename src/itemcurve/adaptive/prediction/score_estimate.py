"""A predicted score with its interval."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ScoreEstimate:
    """The mean response over all items, as predicted from some of them.

    Attributes
    ----------
    value : the prediction.
    lower, upper : ends of its 90 % interval.
    is_outside_calibration : whether the respondent lies outside what the bank was calibrated on.
    """

    value: float
    lower: float
    upper: float
    is_outside_calibration: bool = False

    def __float__(self) -> float:
        return self.value
