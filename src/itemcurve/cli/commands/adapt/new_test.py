"""The test that the options of `adapt start` and `adapt run` describe."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve.cli.commands.adapt import options
from itemcurve.cli.options.choices import MethodChoice, QuestionChoice, SelectChoice

if TYPE_CHECKING:
    from itemcurve.adaptive.ability.ability_test import AdaptiveTest
    from itemcurve.adaptive.ability.stopping import StopRule
    from itemcurve.adaptive.score.score_test import ScoreStop, ScoreTest
    from itemcurve.estimation.result import FitResult

DEFAULT_ITEMS = 50


@dataclass(frozen=True)
class NewTest:
    """What `start` and `run` are told; None where an option was left out."""

    bank: options.Bank
    question: options.Question = None
    max_items: options.MaxItems = None
    score_half_width: options.HalfWidth = None
    budget: options.Budget = None
    every_look: options.EveryLook = False
    threshold: options.Threshold = None
    better_than: options.BetterThan = None
    groups: options.GroupsOption = None
    select: options.Select = None
    ability_se: options.AbilitySe = None
    method: options.Method = None
    best: options.Best = None
    explore: options.Explore = None
    misfit: options.Misfit = None
    respondent: options.Respondent = "respondent"
    seed: options.Seed = 0

    @property
    def is_score(self) -> bool:
        """Whether the score is asked for; options of one question alone answer that too."""
        from itemcurve.errors import ModelError

        ability = self._given("select", "ability_se", "method", "best", "explore", "misfit")
        score = self._given("budget", "every_look", "threshold", "better_than", "groups")
        wanted = self.question or (QuestionChoice.ABILITY if ability else QuestionChoice.SCORE)
        wrong = ability if wanted is QuestionChoice.SCORE else score
        if wrong:
            raise ModelError(
                "A test asks for the score or for ability, with the options of that question.",
                f"{', '.join(wrong)} does not go with --question {wanted.value}.",
                "Leave one of them out.",
            )
        return wanted is QuestionChoice.SCORE

    def begin(self) -> "AdaptiveTest | ScoreTest":
        """Give the new test."""
        return self._for_score() if self.is_score else self._for_ability()

    def _given(self, *names: str) -> list[str]:
        values = {name: getattr(self, name) for name in names}
        return [
            f"--{name.replace('_', '-')}"
            for name, value in values.items()
            if value is not None and value is not False
        ]

    def _for_score(self) -> "ScoreTest":
        from itemcurve.adaptive.score.score_test import ScoreTest
        from itemcurve.cli.options.few_items_input import item_names, read_calibration, read_groups

        known = read_calibration(self.bank)
        size = len(item_names(known))
        n_items = self.max_items
        if self.budget is not None:
            paid = _paid_items(self.bank, self.budget, item_names(known))
            n_items = paid if n_items is None else min(n_items, paid)
        is_sequence = self.threshold is not None or self.better_than is not None
        if n_items is None:
            n_items = size if is_sequence or self.every_look else DEFAULT_ITEMS
        return ScoreTest(
            known,
            min(n_items, size),
            item_groups=read_groups(self.groups, self.bank, None) or None,
            stop=self._score_stop(),
            every_look=self.every_look or is_sequence,
            respondent=self.respondent,
            seed=self.seed,
        )

    def _score_stop(self) -> "ScoreStop | None":
        from itemcurve.adaptive.score.score_stopping import (
            better_than,
            first_of,
            score_decided,
            score_precision,
        )

        rules = _asked_for(
            (self.score_half_width, score_precision),
            (self.threshold, score_decided),
            (self.better_than, lambda given: better_than(*_rival(given, self.bank))),
        )
        return first_of(*rules) if rules else None

    def _for_ability(self) -> "AdaptiveTest":
        from itemcurve.adaptive.ability.ability_test import AdaptiveTest
        from itemcurve.adaptive.ability.exposure import Exposure
        from itemcurve.estimation.saving.saved_fit import load

        calibration = load(self.bank)
        abilities = calibration.estimates.abilities
        return AdaptiveTest(
            calibration.bank,
            self._select,
            self._ability_stop(),
            ability_method=(self.method or MethodChoice.EAP).value,
            exposure=Exposure(self.best or 1, self.explore or 0.0),
            score_misfit=self._measure_misfit(calibration),
            ability_range=(float(abilities.min()), float(abilities.max())),
            respondent=self.respondent,
            seed=self.seed,
        )

    @property
    def _select(self) -> str:
        return (self.select or SelectChoice.FISHER).value

    def _measure_misfit(self, calibration: "FitResult") -> float:
        from itemcurve.adaptive.ability.misfit import measure_misfit, needs_misfit

        is_needed = needs_misfit(calibration, self._select) if self.misfit is None else self.misfit
        if not is_needed:
            return 0.0
        length = {} if self.max_items is None else {"max_items": self.max_items}
        return measure_misfit(calibration, select=self._select, **length, seed=self.seed).score_sd

    def _ability_stop(self) -> "StopRule | None":
        from itemcurve.adaptive.ability.stopping import (
            ability_se,
            any_of,
            max_items,
            score_half_width,
        )

        rules = _asked_for(
            (self.max_items, max_items),
            (self.ability_se, ability_se),
            (self.score_half_width, lambda limit: score_half_width(limit, at_least=5)),
        )
        return any_of(*rules) if rules else None


def _asked_for(*pairs: tuple[Any, Callable[[Any], Any]]) -> list[Any]:
    """Make a rule of every option that was given."""
    return [make(given) for given, make in pairs if given is not None]


def _paid_items(bank: Path, budget: float, items: tuple[str, ...]) -> int:
    """How many items a budget pays, by the costs beside the responses."""
    from itemcurve.cli.options.few_items_input import find_costs
    from itemcurve.errors import ModelError

    costs, unit = find_costs(bank)
    known = [costs[item] for item in items if item in costs]
    count = int(budget * len(known) / sum(known)) if known else 0
    if not count:
        raise ModelError(
            "A budget needs costs of items, and must pay at least one.",
            f"{len(known)} of {len(items)} items have a cost{f' in {unit}' if unit else ''}.",
            "Import logs that hold tokens or seconds, or use --max-items.",
        )
    return count


def _rival(given: Path, bank: Path) -> tuple[dict[str, float], str]:
    """Answers and name of the other one: a session, or a respondent of the calibration."""
    from itemcurve.cli.options.few_items_input import read_calibration
    from itemcurve.errors import ResponsesError
    from itemcurve.estimation.result import FitResult

    if given.is_file():
        from itemcurve.cli.commands.adapt.sessions import open_session

        other = open_session(given, None)
        return {answer.item: answer.response for answer in other.answers}, other.respondent
    known = read_calibration(bank)
    own = known.responses if isinstance(known, FitResult) else known
    if str(given) not in own.respondents:
        raise ResponsesError(
            "The other one is a session file or a respondent of the calibration.",
            f"{str(given)!r} is neither.",
            f"Respondents begin with {', '.join(own.respondents[:3])}.",
        )
    answers = own.select(respondents=[str(given)]).array()[0]
    return {
        item: float(value) for item, value in zip(own.items, answers, strict=True) if value == value
    }, str(given)
