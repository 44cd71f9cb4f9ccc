"""The trace of an adaptive test: what was asked, and what was known after each answer."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.adaptive.ability.ability_state import AbilityEstimate, estimate_ability
from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.analysis.curves.ability_axis import AbilityAxis, bank_axis, bank_difficulties
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

# A standard error of so many times the population's spread says that nothing is known.
_NOTHING_KNOWN = 100.0


@dataclass(frozen=True, eq=False)
class AdaptiveTrace:
    """A test answer by answer, in the order in which answers were recorded.

    Attributes
    ----------
    items, responses : what was asked and answered.
    expected : the response that was expected of each answer, from the answers before it.
    is_better : whether the response was better than that; a right answer always is.
    is_binary : whether responses are right or wrong.
    difficulty : of each item asked, on the scale of the axis.
    ability, lower, upper : the estimate after each answer and its interval, on the same scale.
    ability_se : its standard error, on the scale of estimation; NaN, as the three before, where
        the answers so far say nothing.
    """

    respondent: str
    bank_size: int
    axis: AbilityAxis
    items: tuple[str, ...]
    responses: Array
    expected: Array
    is_better: Array
    is_binary: bool
    difficulty: Array
    ability: Array
    ability_se: Array
    lower: Array
    upper: Array
    level: float

    def frame(self) -> "pandas.DataFrame":
        """One row per answer: step, item, difficulty, response and what was known after it."""
        asked = {
            "step": np.arange(1, len(self.items) + 1),
            "item": self.items,
            "difficulty": self.difficulty,
            "response": self.responses,
            "expected_response": self.expected,
        }
        return tabulate(self, "ability", "ability_se", "lower", "upper", **asked)


def adaptive_trace(test: AdaptiveTest, *, level: float = 0.9) -> AdaptiveTrace:
    """Give ability and standard error after each answer of a test, and the items in their order.

    Parameters
    ----------
    test : with at least one answer.
    level : of the intervals.

    Examples
    --------
    >>> import itemcurve as ic
    >>> bank = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=[-1.0, 0.0, 1.0])
    >>> test = ic.AdaptiveTest(bank)
    >>> test.record_many({"1": 1, "2": 1})
    >>> ic.tables.adaptive_trace(test).frame()["difficulty"].tolist()
    [0.0, 1.0]
    """
    if not test.answers or not 0 < level < 1:
        raise ModelError(
            "The trace of a test needs an answer, and a level between 0 and 1.",
            f"There are {len(test.answers)} answers; the level is {level!r}.",
            "Ask next_item() and record its answer first.",
        )
    places, responses = test.places, test.responses
    states = _states(test, places, responses)
    ability = np.array([found.ability for found in states[1:]])
    errors = np.array([found.ability_se for found in states[1:]])
    asked = test.bank.take(places)
    axis = bank_axis(asked, ability)
    # What maximum likelihood cannot tell is no number: pictures leave a gap there.
    is_known = np.isfinite(ability) & (errors < _NOTHING_KNOWN * test.bank.ability_sd)
    ability, errors = np.where(is_known, ability, np.nan), np.where(is_known, errors, np.nan)
    lower, upper = axis.interval(ability, errors, level)
    expected, is_better = _surprises(asked, responses, states[:-1])
    return AdaptiveTrace(
        respondent=test.respondent,
        bank_size=len(test.bank),
        axis=axis,
        items=asked.items,
        responses=responses,
        expected=expected,
        is_better=is_better,
        is_binary=_is_binary(asked, responses),
        difficulty=bank_difficulties(asked, axis),
        ability=axis.shown(ability),
        ability_se=errors,
        lower=lower,
        upper=upper,
        level=level,
    )


def _states(test: AdaptiveTest, places: Array, responses: Array) -> list[AbilityEstimate]:
    """What was known before the first answer and after each."""
    return [
        estimate_ability(test.bank, places[:count], responses[:count], test.ability_method)
        for count in range(len(places) + 1)
    ]


def _surprises(asked: Bank, responses: Array, before: list[AbilityEstimate]) -> tuple[Array, Array]:
    """Give what was expected of each answer, and whether the answer was better than that."""
    # The posterior mean is always finite, whatever the method of the test.
    centres = np.array([found.centre for found in before])
    expected = np.diagonal(asked.expected_response(centres)).copy()
    orientation = np.ones(len(asked))
    for part in asked.parts:
        orientation[part.positions] = part.model.orientation
    return expected, (responses - expected) * orientation > 0


def _is_binary(asked: Bank, responses: Array) -> bool:
    is_continuous = any(part.model.family.is_continuous for part in asked.parts)
    return not is_continuous and bool(np.isin(responses, (0.0, 1.0)).all())
