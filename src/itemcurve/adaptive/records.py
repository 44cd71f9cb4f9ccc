"""What a test keeps of every item, and what it says in the end."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HandedOut:
    """An item that was given out.

    Attributes
    ----------
    item : its id.
    step : how many items were given out before it.
    known : how many answers were known when it was chosen.
    probability : its chance to be chosen then, given those before; None when the caller chose it.
    least : the smallest chance of any item then; 0 when some could not be chosen at all.
    """

    item: str
    step: int
    known: int
    probability: float | None
    least: float = 0.0


@dataclass(frozen=True)
class Answer:
    """An item that was answered."""

    handed_out: HandedOut
    response: float

    @property
    def item(self) -> str:
        """Its id."""
        return self.handed_out.item


# Of a score's interval, and half the width of a normal one in standard errors.
CONFIDENCE = 0.9
HALF_WIDTH = 1.645


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
