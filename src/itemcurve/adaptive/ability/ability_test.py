"""An adaptive test: one respondent, one item or batch after the other."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, cast

import numpy as np

from itemcurve.adaptive.ability.ability_state import (
    AbilityEstimate,
    AdaptiveState,
    estimate_ability,
    for_rules,
)
from itemcurve.adaptive.ability.exposure import Exposure
from itemcurve.adaptive.ability.item_batches import draw_batch
from itemcurve.adaptive.ability.stopping import StopRule, items_left
from itemcurve.adaptive.records import Answer, HandedOut
from itemcurve.adaptive.selection.catalogue import get_rule
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.bank.ability_estimation import ScoringMethod
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

    from itemcurve.adaptive.prediction.score_estimate import ScoreEstimate

_METHODS = ("eap", "map", "ml", "wle")


class AdaptiveTest:
    """Chooses items for a respondent, keeps the answers, and says what they mean.

    Parameters
    ----------
    bank : calibrated items, as `fit.bank`.
    select : `"fisher"`, `"kl"`, `"weighted-kl"`, `"posterior-variance"`, `"random"`, or a function
        of bank and state that values every item.
    stop : when the test is over, by a rule of `stopping`, as `any_of(max_items(50),
        ability_se(0.2))`; when all items are answered if left out.
    ability_method : `"eap"`, `"map"`, `"ml"` or `"wle"`.
    exposure : how much is left to chance, as `selection.Exposure(best=5, explore=0.1)`; a whole
        number means `Exposure(best=number)`.
    score_misfit : standard deviation of what the model gets wrong about scores, as
        `measure_misfit` finds it; makes the interval of `score` wider by that.
    ability_range : lowest and highest ability of those calibrated on: a respondent whose ability,
        with one standard error, does not stay within is outside the calibration.
    respondent : who is tested, for tables.
    seed : the same seed, bank and answers give the same items.

    Examples
    --------
    >>> import itemcurve as ic
    >>> bank = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=[-1.0, 0.0, 1.0])
    >>> test = ic.AdaptiveTest(bank, stop=ic.stopping.max_items(2), seed=0)
    >>> while (item := test.next_item()) is not None:
    ...     test.record(item, 1)
    >>> [answer.item for answer in test.answers]
    ['1', '2']
    """

    def __init__(
        self,
        bank: Bank,
        select: str | SelectionRule = "fisher",
        stop: StopRule | None = None,
        *,
        ability_method: ScoringMethod = "eap",
        exposure: Exposure | int = 1,
        score_misfit: float = 0.0,
        ability_range: tuple[float, float] | None = None,
        respondent: str = "respondent",
        seed: int = 0,
    ) -> None:
        _check_settings(bank, stop, ability_method, seed)
        self.score_misfit = _check_misfit(score_misfit)
        self.ability_range = ability_range
        self.bank = bank
        self.select = get_rule(select)
        self.stop = stop
        self.ability_method = ability_method
        self.exposure = exposure if isinstance(exposure, Exposure) else Exposure(int(exposure))
        self.respondent = str(respondent)
        self.seed = int(seed)
        self._answers: list[Answer] = []
        self._pending: list[HandedOut] = []

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, in the order in which they were recorded."""
        return tuple(self._answers)

    @property
    def pending(self) -> tuple[HandedOut, ...]:
        """Items that were handed out and not answered yet."""
        return tuple(self._pending)

    def next_item(self) -> str | None:
        """Give the item to ask next; None when the test is over.

        Until it is answered, the same item is given again.
        """
        batch = self.next_batch(1)
        return batch[0] if batch else None

    def next_batch(self, count: int) -> list[str]:
        """Give the next items to ask, at most `count`; none when the test is over.

        Items handed out before and not answered yet come first. Those of one batch are chosen for
        different plausible abilities, so that they do not all ask the same thing.
        """
        if not isinstance(count, int | np.integer) or count < 1:
            raise ModelError(
                "A batch needs at least one item.", f"Got {count!r}.", "Use next_batch(32)."
            )
        wanted = int(min(count - len(self._pending), items_left(self.stop, self.state)))
        if wanted > 0 and not self.is_finished:
            drawn = draw_batch(self.select, self.exposure, self.state, wanted)
            step, known = len(self._answers) + len(self._pending), len(self._answers)
            for index, draw in enumerate(drawn):
                item = self.bank.items[draw.place]
                self._pending.append(
                    HandedOut(item, step + index, known, draw.probability, draw.least)
                )
            self._forget()
        return [handed.item for handed in self._pending[:count]]

    def record(self, item: str, response: float) -> None:
        """Keep the answer to an item.

        An item that was not handed out may be answered too; its chance then counts as unknown.
        """
        item = str(item)
        place = int(self.bank.positions([item])[0])
        if any(answer.item == item for answer in self._answers):
            raise ResponsesError(
                "An item is answered once.",
                f"{item!r} has an answer already.",
                "Average repeats before recording, or ask another item.",
            )
        value = self._check_response(place, response)
        pending = {handed.item: handed for handed in self._pending}
        step = len(self._answers) + len(self._pending)
        handed = pending.get(item) or HandedOut(item, step, len(self._answers), None)
        self._pending = [other for other in self._pending if other.item != item]
        self._answers.append(Answer(handed, value))
        self._forget()

    def record_many(self, responses: Mapping[str, float] | Iterable[tuple[str, float]]) -> None:
        """Keep the answers to several items, all or none of them."""
        pairs = list(responses.items() if isinstance(responses, Mapping) else responses)
        answers, pending = list(self._answers), list(self._pending)
        try:
            for item, response in pairs:
                self.record(item, response)
        except Exception:
            self._answers, self._pending = answers, pending
            self._forget()
            raise

    @property
    def ability(self) -> float:
        """The ability that the answers show."""
        return self._estimate.ability

    @property
    def ability_se(self) -> float:
        """Its standard error, with what uncertain item parameters add."""
        return self._estimate.ability_se

    @property
    def score(self) -> "ScoreEstimate":
        """The mean response over the whole bank, as predicted, with an interval."""
        return self._score

    @property
    def has_honest_score(self) -> bool:
        """Whether `score` holds without trust in the model alone."""
        from itemcurve.adaptive.ability.score_of_ability_test import has_honest_score

        return has_honest_score(self.state)

    @property
    def stop_reason(self) -> str | None:
        """Why the test is over, or None."""
        if len(self._answers) == len(self.bank):
            return "all items answered"
        return self.stop(self.state) if self.stop is not None else None

    @property
    def is_finished(self) -> bool:
        """Whether the test is over."""
        return self.stop_reason is not None

    @cached_property
    def state(self) -> AdaptiveState:
        """What rules see at this moment."""
        # A generator of its own for every moment: a session read from a file goes on as if it had
        # never stopped, and asking twice changes nothing.
        moment = len(self._answers) + len(self._pending)
        return for_rules(
            self.bank,
            self._estimate,
            self._places,
            self._responses,
            self.bank.positions(handed.item for handed in self._pending),
            np.random.default_rng([self.seed, moment]),
            tuple(answer.handed_out for answer in self._answers),
            self.score_misfit,
            self.ability_range,
        )

    def frame(self) -> "pandas.DataFrame":
        """Table with columns item, response, step, probability, in the order of recording."""
        import pandas

        return pandas.DataFrame(
            {
                "item": [answer.item for answer in self._answers],
                "response": [answer.response for answer in self._answers],
                "step": [answer.handed_out.step for answer in self._answers],
                "probability": [answer.handed_out.probability for answer in self._answers],
            }
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the session to a file, atomically; `load` goes on from there."""
        from itemcurve.adaptive.ability.ability_test_file import save_ability_test

        save_ability_test(self, path)

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        bank: Bank | None = None,
        select: str | SelectionRule | None = None,
        stop: StopRule | None = None,
    ) -> "AdaptiveTest":
        """Read a session that `save` wrote; safe on files from strangers.

        Parameters
        ----------
        bank : needed where the file only refers to a bank that is no longer where it was.
        select, stop : needed where the session was begun with rules of one's own.
        """
        from itemcurve.adaptive.ability.ability_test_file import load_ability_test

        return load_ability_test(path, bank=bank, select=select, stop=stop)

    def restore(self, answers: Iterable[Answer], pending: Iterable[HandedOut]) -> None:
        """Put answers and items handed out in place, each one checked."""
        found, waiting = list(answers), list(pending)
        items = [answer.item for answer in found] + [handed.item for handed in waiting]
        places = self.bank.positions(items)
        if len(set(items)) != len(items):
            raise ResponsesError(
                "An item is handed out and answered once.",
                f"{len(items) - len(set(items))} come more often.",
                "Keep one of them.",
            )
        if any(answer.handed_out.known > len(found) for answer in found):
            raise ResponsesError(
                "An item cannot be chosen after more answers than there are.",
                f"There are {len(found)}.",
                "Restore the answers in the order in which they were recorded.",
            )
        for place, answer in zip(places, found, strict=False):
            self._check_response(int(place), answer.response)
        self._answers, self._pending = found, waiting
        self._forget()

    def __repr__(self) -> str:
        return (
            f"AdaptiveTest({self.respondent!r}, {len(self._answers)} of {len(self.bank)} items, "
            f"ability {self.ability:.2f} ± {self.ability_se:.2f}"
            f"{', finished' if self.is_finished else ''})"
        )

    @cached_property
    def _estimate(self) -> AbilityEstimate:
        return estimate_ability(self.bank, self._places, self._responses, self.ability_method)

    @cached_property
    def _score(self) -> "ScoreEstimate":
        from itemcurve.adaptive.ability.score_of_ability_test import predict_state

        return predict_state(self.state)

    @cached_property
    def _places(self) -> Array:
        return self.bank.positions(answer.item for answer in self._answers)

    @cached_property
    def _responses(self) -> Array:
        return np.array([answer.response for answer in self._answers], dtype=float)

    def _forget(self) -> None:
        """Drop what was worked out from the answers before they changed."""
        for name in ("state", "_estimate", "_score", "_places", "_responses"):
            self.__dict__.pop(name, None)

    def _check_response(self, place: int, response: float) -> float:
        try:
            value = float(response)
        except (TypeError, ValueError):
            value = np.nan
        if not np.isfinite(value):
            raise ResponsesError(
                "A response is a finite number.",
                f"Item {self.bank.items[place]!r} got {response!r}.",
                "Ask the item again, or record another one.",
            )
        model = self.bank.take([place]).parts[0].model
        model.family.check(np.array([value]))
        model.boundary.check(model.family, np.array([value]))
        return value


def _check_settings(bank: Bank, stop: object, method: str, seed: object) -> None:
    if not isinstance(bank, Bank) or not len(bank):
        what = "an empty bank" if isinstance(bank, Bank) else type(bank).__name__
        raise ModelError("A test needs a bank of items.", f"Got {what}.", "Use fit.bank.")
    if stop is not None and not callable(stop):
        raise ModelError(
            "stop must be a rule, as stopping.max_items(50).",
            f"Got {stop!r}.",
            "Leave it out for all.",
        )
    if method not in _METHODS:
        raise ModelError(
            f"The ability method must be one of {', '.join(_METHODS)}.",
            f"Got {method!r}.",
            "Use 'eap' if unsure.",
        )
    if not isinstance(seed, int | np.integer) or cast(int, seed) < 0:
        raise ModelError("A seed is a whole number from 0 on.", f"Got {seed!r}.", "Use seed=0.")


def _check_misfit(score_misfit: float) -> float:
    is_number = isinstance(score_misfit, int | float | np.number)
    if not is_number or not 0 <= score_misfit < np.inf:
        raise ModelError(
            "score_misfit is a finite number from 0 on.",
            f"Got {score_misfit!r}.",
            "Use measure_misfit(fit).score_sd.",
        )
    return float(score_misfit)
