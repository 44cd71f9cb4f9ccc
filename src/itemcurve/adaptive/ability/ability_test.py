"""An adaptive test: one respondent, one item or batch after the other."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.ability.ability_state import (
    AbilityEstimate,
    AdaptiveState,
    estimate_ability,
    for_rules,
)
from itemcurve.adaptive.ability.exposure import Exposure
from itemcurve.adaptive.ability.item_batches import draw_batch
from itemcurve.adaptive.ability.stopping import StopRule, items_left
from itemcurve.adaptive.recorded_test import RecordedTest, as_number, check_stop
from itemcurve.adaptive.records import Answer, HandedOut, ScoreEstimate
from itemcurve.adaptive.selection.catalogue import get_rule
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.bank.ability_estimation import ScoringMethod
from itemcurve.bank.answerable import check_answers
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.showing.html_cards import html_card

_METHODS = ("eap", "map", "ml", "wle")


class AdaptiveTest(RecordedTest):
    """Chooses items for a respondent, keeps the answers, and says what they mean.

    Parameters
    ----------
    bank : calibrated items, as `fit.bank`.
    select : `"fisher"`, `"kl"`, `"weighted-kl"`, `"posterior-variance"`, `"random"`, `"combined"`
        (Fisher, Kullback-Leibler and chance in turn), or a function
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

    _found_from_answers = ("state", "_estimate", "_score")

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
        _check_settings(bank, stop, ability_method)
        super().__init__(respondent, seed)
        self.score_misfit = _check_misfit(score_misfit)
        self.ability_range = ability_range
        self.bank = bank
        self.select = get_rule(select)
        self.stop = stop
        self.ability_method = ability_method
        self.exposure = exposure if isinstance(exposure, Exposure) else Exposure(int(exposure))

    @property
    def ability(self) -> float:
        """The ability that the answers show."""
        return self._estimate.ability

    @property
    def ability_se(self) -> float:
        """Its standard error, with what uncertain item parameters add."""
        return self._estimate.ability_se

    @property
    def score(self) -> ScoreEstimate:
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
        if len(self._answers) + len(self._set_aside) == len(self.bank):
            return "all items answered or put away"
        return self.stop(self.state) if self.stop is not None else None

    @cached_property
    def state(self) -> AdaptiveState:
        """What rules see at this moment."""
        # A generator of its own for every moment: a session read from a file goes on as if it had
        # never stopped, and asking twice changes nothing.
        return for_rules(
            self.bank,
            self._estimate,
            self.places,
            self.responses,
            self.bank.positions(handed.item for handed in (*self._pending, *self._set_aside)),
            np.random.default_rng([self.seed, self._step]),
            tuple(answer.handed_out for answer in self._answers),
            self.score_misfit,
            self.ability_range,
        )

    @property
    def pace(self) -> int:
        """How many items are well asked at once now: few at the beginning and near the end."""
        from itemcurve.adaptive.batch_pace import expect_items, pace

        return pace(len(self._answers), expect_items(self.stop, self.state))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the session to a file; saved again, what is new is added.

        When this returns, all answers are on disk. The bank is written beside the file, once for
        all sessions of its folder; `load` goes on from there.
        """
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

    def restore(
        self,
        answers: Iterable[Answer],
        pending: Iterable[HandedOut],
        set_aside: Iterable[HandedOut] = (),
    ) -> None:
        """Put answers, items handed out and items put away in place, each one checked."""
        self._replace(answers, pending, set_aside)

    def _repr_html_(self) -> str:
        state = "finished" if self.is_finished else "going on"
        asked = f"{len(self._answers):,} of {len(self.bank):,} items answered, {state}."
        known = f"Ability {self.ability:.2f} ± {self.ability_se:.2f}."
        return html_card(f"Test of {self.respondent}", [known, asked])

    def __repr__(self) -> str:
        return (
            f"AdaptiveTest({self.respondent!r}, {len(self._answers)} of {len(self.bank)} items, "
            f"ability {self.ability:.2f} ± {self.ability_se:.2f}"
            f"{', finished' if self.is_finished else ''})"
        )

    @cached_property
    def _estimate(self) -> AbilityEstimate:
        return estimate_ability(self.bank, self.places, self.responses, self.ability_method)

    @cached_property
    def _score(self) -> ScoreEstimate:
        from itemcurve.adaptive.ability.score_of_ability_test import predict_state

        return predict_state(self.state)

    def _positions(self, items: Sequence[str]) -> NDArray[np.int_]:
        return np.asarray(self.bank.positions(items))

    def _items_left(self) -> float:
        # Items put away count as handed out to rules, and not against the number of items.
        return items_left(self.stop, self.state) + len(self._set_aside)

    def _hand_out(self, count: int) -> list[HandedOut]:
        """Items for different plausible abilities, so that they do not all ask the same thing."""
        drawn = draw_batch(self.select, self.exposure, self.state, count)
        step, known = self._step, len(self._answers)
        return [
            HandedOut(self.bank.items[draw.place], step + k, known, draw.probability, draw.least)
            for k, draw in enumerate(drawn)
        ]

    def _check_response(self, place: int, response: float) -> float:
        value = as_number(response)
        if not np.isfinite(value):
            raise ResponsesError(
                "A response is a finite number.",
                f"Item {self.bank.items[place]!r} got {response!r}.",
                "Ask the item again, or record another one.",
            )
        asked = self.bank.take([place])
        check_answers(asked, asked.parts[0], np.array([[value]]))
        return value


def _check_settings(bank: Bank, stop: object, method: str) -> None:
    if not isinstance(bank, Bank) or not len(bank):
        what = "an empty bank" if isinstance(bank, Bank) else type(bank).__name__
        raise ModelError("A test needs a bank of items.", f"Got {what}.", "Use fit.bank.")
    check_stop(stop, "stopping.max_items(50)")
    if method not in _METHODS:
        raise ModelError(
            f"The ability method must be one of {', '.join(_METHODS)}.",
            f"Got {method!r}.",
            "Use 'eap' if unsure.",
        )


def _check_misfit(score_misfit: float) -> float:
    is_number = isinstance(score_misfit, int | float | np.number)
    if not is_number or not 0 <= score_misfit < np.inf:
        raise ModelError(
            "score_misfit is a finite number from 0 on.",
            f"Got {score_misfit!r}.",
            "Use measure_misfit(fit).score_sd.",
        )
    return float(score_misfit)
