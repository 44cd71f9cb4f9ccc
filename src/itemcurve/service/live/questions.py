"""What tests for ability and for the score do differently here; all else they share."""

import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import isfinite
from typing import Any
from weakref import WeakValueDictionary

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.ability.ability_test_file import keep_ability_test, open_ability_test
from itemcurve.adaptive.ability.stopping import Combined, ScoreHalfWidth
from itemcurve.adaptive.recorded_test import RecordedTest
from itemcurve.adaptive.records import ScoreEstimate
from itemcurve.adaptive.score.item_choice import ChoicePlan
from itemcurve.adaptive.score.score_test import ScoreTest
from itemcurve.adaptive.score.score_test_file import keep_score_test, open_score_test
from itemcurve.adaptive.selection.fisher import Fisher
from itemcurve.adaptive.selection.random_order import Random
from itemcurve.adaptive.session_store import SessionStore
from itemcurve.store.session_rows import ABILITY, SCORE

# Items to be valued in one step; a step that values more is not taken between other requests.
_FEW_VALUES = 200_000


@dataclass(frozen=True)
class Estimates:
    """What the answers so far say; None for what is not known, or not finite."""

    ability: float | None = None
    ability_se: float | None = None
    score: str | None = None


class Question(ABC):
    """What a test is for."""

    name: str
    # Of what it is about, as the store names it.
    content_kind: str

    @abstractmethod
    def mark(self, test: RecordedTest) -> str:
        """Give the mark of what the test is about."""

    def adopt(self, test: RecordedTest) -> None:  # noqa: B027  # most tests share all they can
        """Let a test share with others about the same what would take memory in each."""

    @abstractmethod
    def keep(self, test: RecordedTest, store: SessionStore, name: str) -> None:
        """Save the test under a name."""

    @abstractmethod
    def open(self, store: SessionStore, name: str, content: Any) -> RecordedTest:
        """Read the test of this name, which is about this content."""

    @abstractmethod
    def estimate(self, test: RecordedTest, *, is_over: bool) -> Estimates:
        """Give what is known now; when the test is over, all of it."""

    def stage(self, test: RecordedTest) -> str | None:
        """Say where a test stands that goes in stages."""
        return None

    @abstractmethod
    def is_long(self, test: RecordedTest, wanted: int) -> bool:
        """Say whether a step of the test may take longer than other requests should wait."""


class AbilityQuestion(Question):
    """Tests for ability, about a bank."""

    name, content_kind = ABILITY, "bank"

    def mark(self, test: RecordedTest) -> str:
        """Give the bank's mark."""
        return _ability(test).bank.mark

    def keep(self, test: RecordedTest, store: SessionStore, name: str) -> None:
        """Save the test under a name."""
        keep_ability_test(_ability(test), store, name)

    def open(self, store: SessionStore, name: str, content: Any) -> RecordedTest:
        """Read the test of this name."""
        return open_ability_test(store, name, bank=content)

    def estimate(self, test: RecordedTest, *, is_over: bool) -> Estimates:
        """Give ability with its error; the score where a rule to stop needed it."""
        own = _ability(test)
        numbers = (own.ability, own.ability_se)
        ability, error = (value if isfinite(value) else None for value in numbers)
        return Estimates(ability, error, pack_score(test.known_score))

    def is_long(self, test: RecordedTest, wanted: int) -> bool:
        """Say so of many items, of rules that integrate over abilities, and of scores."""
        own = _ability(test)
        is_plain = isinstance(own.select, Fisher | Random) and not _needs_score(own.stop)
        return not is_plain or max(wanted, 1) * len(own.bank) > _FEW_VALUES


class ScoreQuestion(Question):
    """Tests for the score, about a calibration."""

    name, content_kind = SCORE, "calibration"

    def __init__(self) -> None:
        self._plans: WeakValueDictionary[tuple[str, bytes], ChoicePlan] = WeakValueDictionary()

    def adopt(self, test: RecordedTest) -> None:
        """Weights and groups are as long as the calibration, and mostly the same."""
        own = _score(test)
        both = own.plan.weights.tobytes() + own.plan.labels.tobytes()
        key = (own.known.content_mark, sha256(both).digest())
        own.plan = self._plans.setdefault(key, own.plan)

    def mark(self, test: RecordedTest) -> str:
        """Give the mark of the calibration's bytes."""
        return _score(test).known.content_mark

    def keep(self, test: RecordedTest, store: SessionStore, name: str) -> None:
        """Save the test under a name."""
        keep_score_test(_score(test), store, name)

    def open(self, store: SessionStore, name: str, content: Any) -> RecordedTest:
        """Read the test of this name."""
        return open_score_test(store, name, calibration=content)

    def estimate(self, test: RecordedTest, *, is_over: bool) -> Estimates:
        """Give the score where it is known; it takes long, so otherwise only in the end."""
        score = _score(test).score if is_over else test.known_score
        return Estimates(score=pack_score(score))

    def stage(self, test: RecordedTest) -> str | None:
        """Say which stage the test is in."""
        return _score(test).stage

    def is_long(self, test: RecordedTest, wanted: int) -> bool:
        """Always: a stage may end, or the test."""
        return True


QUESTIONS: dict[str, Question] = {ABILITY: AbilityQuestion(), SCORE: ScoreQuestion()}


def question_of(test: RecordedTest) -> Question:
    """Give what a test is for."""
    return QUESTIONS[SCORE if isinstance(test, ScoreTest) else ABILITY]


def pack_score(score: ScoreEstimate | None) -> str | None:
    """Write a score as the store has it."""
    if score is None or not isfinite(score.value):
        return None
    return json.dumps(asdict(score))


def _needs_score(stop: object) -> bool:
    if isinstance(stop, Combined):
        return any(_needs_score(rule) for rule in stop.rules)
    return isinstance(stop, ScoreHalfWidth)


def _ability(test: RecordedTest) -> AdaptiveTest:
    assert isinstance(test, AdaptiveTest)
    return test


def _score(test: RecordedTest) -> ScoreTest:
    assert isinstance(test, ScoreTest)
    return test
