"""A test for the score: what a respondent would score on all items, from few of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import ceil
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.adaptive.prediction.complete_responses import (
    CompleteResponses,
    balanced_weights,
    check_groups,
    check_weights,
    complete,
)
from itemcurve.adaptive.prediction.linear import Asked, ScoreProblem
from itemcurve.adaptive.prediction.score_estimate import ScoreEstimate
from itemcurve.adaptive.prediction.score_prediction import interval
from itemcurve.adaptive.prediction.score_predictor import train_predictor
from itemcurve.adaptive.records import Answer, HandedOut
from itemcurve.adaptive.score.item_choice import ChoicePlan
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

# The share that is drawn whatever the answers are.
FIRST_SHARE = 0.6
_WIDTH = 1.645

ScoreStop = Callable[["ScoreTest"], str | None]
"""Says why a test for the score is over, or None to go on."""


class ScoreTest:
    """Chooses items for a respondent's score, keeps the answers, and predicts the score.

    Two stages: ⌈0.6 n⌉ items are drawn with known chances. If the score that they predict, with
    one standard error to either side, stays within the scores of the calibration, the rest is
    chosen to tell most about respondents like these; otherwise items are drawn to the end, and
    the respondent is judged by its own answers.

    Parameters
    ----------
    calibration : responses of models evaluated before, or a fit of them.
    n_items : how many items are asked.
    weights : of the items in the score, by id or in order; equal when left out.
    item_groups : the group of each item; groups then count the same unless weights say otherwise.
    stop : ends the test before that, as `stopping.score_precision(0.03)`.
    every_look : draw every item with equal chances among those left, and give an interval that
        holds at every look at once: the test may then be ended at any time, for any reason.
    respondent : who is tested, for tables.
    seed : the same seed, calibration and answers give the same items.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=40, items=200, seed=2).responses
    >>> new = dict(zip(truth.items, truth.array()[39], strict=True))
    >>> test = ic.ScoreTest(truth.take(rows=list(range(39))), n_items=40)
    >>> while items := test.next_batch(10):
    ...     test.record_many({item: new[item] for item in items})
    >>> test.score.lower < truth.means(axis=1)[39] < test.score.upper
    np.True_
    """

    def __init__(
        self,
        calibration: FitResult | Responses | CompleteResponses,
        n_items: int = 50,
        *,
        weights: Mapping[str, float] | ArrayLike | None = None,
        item_groups: Mapping[str, str] | Sequence[str] | None = None,
        stop: ScoreStop | None = None,
        every_look: bool = False,
        respondent: str = "respondent",
        seed: int = 0,
    ) -> None:
        self.known = complete(calibration)
        _check(n_items, len(self.known.items), stop, seed)
        self.groups, labels = check_groups(item_groups, self.known.items)
        own = check_weights(weights, self.known.items)
        self.plan = ChoicePlan(self.known, balanced_weights(labels) if own is None else own, labels)
        if every_look and (np.ptp(self.plan.weights) > 1e-12 or self.known.limits[0] < 0):
            raise ModelError(
                "Intervals that hold at every look are for responses between 0 and 1 that count "
                "alike.",
                "Weights, groups or other responses were given.",
                "Leave them out, or every_look.",
            )
        self.n_items = int(n_items)
        self.stop = stop
        self.every_look = bool(every_look)
        self.respondent = str(respondent)
        self.seed = int(seed)
        # How the second stage goes on; None before that is decided.
        self.is_chosen: bool | None = False if every_look else None
        self._answers: list[Answer] = []
        self._pending: list[HandedOut] = []

    @property
    def items(self) -> tuple[str, ...]:
        """All items that the score is about."""
        return self.known.items

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, in the order in which they were recorded."""
        return tuple(self._answers)

    @property
    def pending(self) -> tuple[HandedOut, ...]:
        """Items that were handed out and not answered yet."""
        return tuple(self._pending)

    @property
    def weights(self) -> Array:
        """Of the items in the score; they sum to one."""
        return self.plan.weights

    @property
    def stop_reason(self) -> str | None:
        """Why the test is over, or None."""
        if len(self._answers) >= self.n_items:
            return f"{self.n_items} items answered"
        return self.stop(self) if self.stop is not None and self._answers else None

    @property
    def is_finished(self) -> bool:
        """Whether the test is over."""
        return self.stop_reason is not None

    @property
    def stage(self) -> str:
        """How the items come to be, in words."""
        if self.every_look:
            return "items drawn one by one"
        if self.is_chosen is None:
            return "first stage: items drawn"
        if self.is_chosen:
            return "second stage: items chosen for respondents like those calibrated on"
        return "second stage: items drawn to the end, being at or beyond the calibrated scores"

    def next_item(self) -> str | None:
        """Give the item to ask next; None when the test is over."""
        batch = self.next_batch(1)
        return batch[0] if batch else None

    def next_batch(self, count: int) -> list[str]:
        """Give the next items to ask, at most `count`; none when the test is over.

        Items handed out before and not answered yet come first. A batch that reaches into the
        second stage before the first is answered is filled with items drawn.
        """
        if not isinstance(count, int | np.integer) or count < 1:
            raise ModelError(
                "A batch needs at least one item.", f"Got {count!r}.", "Use next_batch(10)."
            )
        given = len(self._answers) + len(self._pending)
        wanted = min(count - len(self._pending), self.n_items - given)
        if wanted > 0 and not self.is_finished:
            self._decide()
            for place in self._next_places(wanted):
                self._hand_out(int(place))
            self._forget()
        return [handed.item for handed in self._pending[:count]]

    def record(self, item: str, response: float) -> None:
        """Keep the answer to an item; one that was not handed out counts as chosen."""
        item = str(item)
        self.known.positions([item])
        if any(answer.item == item for answer in self._answers):
            raise ResponsesError(
                "An item is answered once.",
                f"{item!r} has an answer already.",
                "Average repeats before recording, or ask another item.",
            )
        value = self._check_response(item, response)
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
    def score(self) -> ScoreEstimate:
        """The score over all items, as predicted, with a 90 % interval."""
        return self._score

    @property
    def responses(self) -> Array:
        """The answers as numbers, in the order in which they were recorded."""
        return np.array([answer.response for answer in self._answers], dtype=float)

    @property
    def places(self) -> NDArray[np.int_]:
        """Places of the items answered."""
        return self.known.positions([answer.item for answer in self._answers])

    def frame(self) -> "pandas.DataFrame":
        """Table with columns item, response, step, probability, in the order of recording."""
        import pandas

        return pandas.DataFrame(
            {
                "item": [answer.item for answer in self._answers],
                "response": self.responses,
                "step": [answer.handed_out.step for answer in self._answers],
                "probability": [answer.handed_out.probability for answer in self._answers],
            }
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the session to a file that stands alone, atomically."""
        from itemcurve.adaptive.score.score_test_file import save_score_test

        save_score_test(self, path)

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        calibration: "FitResult | Responses | None" = None,
        stop: ScoreStop | None = None,
    ) -> "ScoreTest":
        """Read a session that `save` wrote; safe on files from strangers.

        Parameters
        ----------
        calibration : needed where the file refers to one that is no longer where it was.
        stop : needed where the session was begun with a rule of one's own.
        """
        from itemcurve.adaptive.score.score_test_file import load_score_test

        return load_score_test(path, calibration=calibration, stop=stop)

    def restore(
        self, answers: Iterable[Answer], pending: Iterable[HandedOut], is_chosen: bool | None
    ) -> None:
        """Put answers and items handed out in place, each one checked."""
        found, waiting = list(answers), list(pending)
        items = [answer.item for answer in found] + [handed.item for handed in waiting]
        self.known.positions(items)
        if len(set(items)) != len(items):
            raise ResponsesError(
                "An item is handed out and answered once.",
                f"{len(items) - len(set(items))} come more often.",
                "Keep one of them.",
            )
        for answer in found:
            self._check_response(answer.item, answer.response)
        self._answers, self._pending, self.is_chosen = found, waiting, is_chosen
        self._forget()

    def __repr__(self) -> str:
        score = self.score
        return (
            f"ScoreTest({self.respondent!r}, {len(self._answers)} of {len(self.items)} items, "
            f"score {score.value:.3f} ({score.lower:.3f} to {score.upper:.3f})"
            f"{', finished' if self.is_finished else ''})"
        )

    @property
    def first_stage(self) -> int:
        """How many items are drawn at least."""
        return self.n_items if self.every_look else ceil(FIRST_SHARE * self.n_items)

    @cached_property
    def _drawn(self) -> tuple[NDArray[np.int_], Array]:
        """Items in the order of the draw, and the chance of every item."""
        rng = np.random.default_rng(self.seed)
        if self.every_look:
            size = len(self.items)
            return rng.permutation(size), np.full(size, 1.0)
        return self.plan.draw(self.n_items, rng)

    def _decide(self) -> None:
        """Enter the second stage once the first is answered."""
        is_answered = len(self._answers) >= self.first_stage and not self._pending
        if self.is_chosen is None and is_answered:
            self.is_chosen = not self.score.is_outside_calibration

    def _next_places(self, wanted: int) -> NDArray[np.int_]:
        taken = {answer.item for answer in self._answers} | {h.item for h in self._pending}
        if not self.is_chosen:
            free = [place for place in self._drawn[0] if self.items[place] not in taken]
            if len(free) >= wanted or self.every_look:
                return np.array(free[:wanted], dtype=int)
        given = self.known.positions(sorted(taken))
        return self.plan.choose(given, wanted)

    def _hand_out(self, place: int) -> None:
        step, known = len(self._answers) + len(self._pending), len(self._answers)
        if self.is_chosen:
            chance, least = None, 0.0
        elif self.every_look:
            chance = least = 1 / (len(self.items) - step)
        else:
            chance, least = float(self._drawn[1][place]), float(self._drawn[1].min())
        self._pending.append(HandedOut(self.items[place], step, known, chance, least))

    @cached_property
    def _score(self) -> ScoreEstimate:
        if self.every_look:
            from itemcurve.adaptive.score.every_look import look

            return look(self)
        low, high = self.limits
        if not self._answers:
            scores = self.known.array @ self.weights
            mean, spread = float(scores.mean()), _WIDTH * float(scores.std())
            return ScoreEstimate(mean, max(mean - spread, low), min(mean + spread, high), False)
        places = self.places
        chances = np.array(
            [np.nan if (p := a.handed_out.probability) is None else p for a in self._answers]
        )
        order = np.argsort(np.isnan(chances), kind="stable")
        places, chances = places[order], chances[order]
        drawn = int((~np.isnan(chances)).sum())
        repeat = None
        if drawn < len(places):
            repeat = self.plan.repeat(places[:drawn], chances[:drawn], len(places) - drawn)
        problem = ScoreProblem(self.known.array, self.weights)
        predictor = train_predictor(problem, Asked(places, chances), repeat)
        found = predictor.predict(self.responses[order][None, :])
        lower, upper = interval(found.score, found.se, np.asarray(found.degrees), (low, high))
        assert found.is_outside is not None
        value, is_out = min(max(float(found.score[0]), low), high), bool(found.is_outside[0])
        return ScoreEstimate(value, float(lower[0]), float(upper[0]), is_out)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Lowest and highest possible response."""
        return self.known.limits

    def _forget(self) -> None:
        """Drop what was worked out from the answers before they changed."""
        self.__dict__.pop("_score", None)

    def _check_response(self, item: str, response: float) -> float:
        low, high = self.limits
        try:
            value = float(response)
        except (TypeError, ValueError):
            value = np.nan
        if not low <= value <= high or not np.isfinite(value):
            bounds = f" from {low:g} to {high:g}" if np.isfinite(high) else ""
            raise ResponsesError(
                f"A response is a finite number{bounds}, as in the calibration.",
                f"Item {item!r} got {response!r}.",
                "Ask the item again, or record another one.",
            )
        return value


def _check(n_items: int, size: int, stop: object, seed: object) -> None:
    if not isinstance(n_items, int | np.integer) or not 1 <= n_items <= size:
        raise ModelError(
            f"A test asks from 1 to {size} items.", f"Got {n_items!r}.", "There are no more items."
        )
    if stop is not None and not callable(stop):
        raise ModelError(
            "stop must be a rule, as stopping.score_precision(0.03).",
            f"Got {stop!r}.",
            "Leave it out.",
        )
    if not isinstance(seed, int | np.integer) or int(seed) < 0:
        raise ModelError("A seed is a whole number from 0 on.", f"Got {seed!r}.", "Use seed=0.")
