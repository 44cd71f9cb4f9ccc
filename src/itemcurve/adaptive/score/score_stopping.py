"""When a test for the score is over before its last item."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from itemcurve.adaptive.batch_pace import expect_by_width
from itemcurve.adaptive.score.score_test import ScoreStop, ScoreTest
from itemcurve.analysis.comparison.confidence_sequence import DrawnAnswers, confidence_sequence
from itemcurve.errors import ModelError


@dataclass(frozen=True)
class ScorePrecision:
    """Once half the interval of the score is this small."""

    half_width: float
    at_least: int = 5

    def __post_init__(self) -> None:
        """Refuse a precision that no test has."""
        _check(self.half_width > 0, "A half-width is above 0.", self.half_width, "0.03")

    def __call__(self, test: ScoreTest) -> str | None:
        """Compare half the interval."""
        if len(test.answers) < self.at_least:
            return None
        score = test.score
        is_done = (score.upper - score.lower) / 2 <= self.half_width
        return f"half-width of the score at most {self.half_width:g}" if is_done else None


@dataclass(frozen=True)
class ScoreDecided:
    """Once the score is surely above or below a threshold."""

    threshold: float

    def __call__(self, test: ScoreTest) -> str | None:
        """Compare the interval."""
        _needs_every_look(test)
        score = test.score
        if score.lower > self.threshold:
            return f"score above {self.threshold:g}"
        return f"score below {self.threshold:g}" if score.upper < self.threshold else None


@dataclass(frozen=True)
class BetterThan:
    """Once it is sure which of two respondents scores higher over all items.

    Parameters
    ----------
    answers : of the other one, by item; to all items that will be asked.
    name : of the other one.
    """

    answers: Mapping[str, float] = field(default_factory=dict)
    name: str = "the other"

    def __call__(self, test: ScoreTest) -> str | None:
        """Compare answers to the same items."""
        _needs_every_look(test)
        lower, upper = compare_answers(test, self.answers)
        if lower > 0:
            return f"better than {self.name}"
        return f"worse than {self.name}" if upper < 0 else None


@dataclass(frozen=True)
class FirstOf:
    """Several rules: over when one of them says so."""

    rules: tuple[ScoreStop, ...]

    def __call__(self, test: ScoreTest) -> str | None:
        """Ask the rules in order."""
        return next((reason for rule in self.rules if (reason := rule(test))), None)


def expect_answers(rule: ScoreStop | None, test: ScoreTest) -> float:
    """Estimate how many more answers a rule will want; infinity where that cannot be told."""
    if isinstance(rule, FirstOf):
        return min(expect_answers(part, test) for part in rule.rules)
    answered = len(test.answers)
    if not isinstance(rule, ScorePrecision) or answered < rule.at_least:
        return float("inf")
    half = (test.score.upper - test.score.lower) / 2
    return expect_by_width(answered, half, rule.half_width)


def compare_answers(test: ScoreTest, rival: Mapping[str, float]) -> tuple[float, float]:
    """Interval of the difference between two scores over all items, valid at every look.

    Both answered the same items, so that what makes an item hard for both cancels out.
    """
    _needs_every_look(test)
    low, high = test.limits
    ordered = sorted(test.answers, key=lambda answer: answer.handed_out.step)
    missing = [answer.item for answer in ordered if answer.item not in rival]
    if missing:
        raise ModelError(
            "The other respondent must have answered every item that is asked.",
            f"{len(missing)} have no answer, the first is {missing[0]!r}.",
            "Test both with the same seed, or give its answers to all items.",
        )
    gaps = np.array([answer.response - rival[answer.item] for answer in ordered])
    draws = DrawnAnswers.without_forecasts(0.5 + gaps / (2 * (high - low)), len(test.items))
    if not len(gaps):
        return low - high, high - low
    lower, upper = confidence_sequence(draws)
    width = 2 * (high - low)
    return float(width * (lower[-1] - 0.5)), float(width * (upper[-1] - 0.5))


def score_precision(half_width: float, *, at_least: int = 5) -> ScorePrecision:
    """Stop once half the 90 % interval of the score is this small."""
    return ScorePrecision(half_width, at_least)


def score_decided(threshold: float) -> ScoreDecided:
    """Stop once the score is surely above or below a threshold; needs `every_look=True`."""
    return ScoreDecided(threshold)


def first_of(*rules: ScoreStop) -> FirstOf:
    """Stop as soon as one of the rules says so."""
    _check(bool(rules), "first_of takes one rule or more.", rules, "stopping.score_precision(0.03)")
    return FirstOf(rules)


def better_than(answers: Mapping[str, float], name: str = "the other") -> BetterThan:
    """Stop once it is sure which of two respondents is better; needs `every_look=True`.

    Parameters
    ----------
    answers : of the other respondent, by item.
    """
    return BetterThan(dict(answers), name)


def _needs_every_look(test: ScoreTest) -> None:
    _check(
        test.every_look,
        "A decision that may come at any answer needs intervals that hold at every look.",
        "every_look=False",
        "every_look=True",
    )


def _check(is_sound: bool, must_hold: str, given: Any, advice: str) -> None:
    if not is_sound:
        raise ModelError(must_hold, f"Got {given}.", f"Use {advice}.")
