"""A test for the score: what a respondent would score on all items, from few of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import ceil
from os import PathLike

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
from itemcurve.adaptive.prediction.score_prediction import interval
from itemcurve.adaptive.prediction.score_predictor import train_predictor
from itemcurve.adaptive.recorded_test import RecordedTest, as_number, check_stop
from itemcurve.adaptive.records import HALF_WIDTH, Answer, HandedOut, ScoreEstimate
from itemcurve.adaptive.score.every_look import look
from itemcurve.adaptive.score.item_choice import ChoicePlan
from itemcurve.adaptive.score.systematic_sampling import chances_of
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses
from itemcurve.showing.html_cards import html_card

# The share that is drawn whatever the answers are.
FIRST_SHARE = 0.6

ScoreStop = Callable[["ScoreTest"], str | None]
"""Says why a test for the score is over, or None to go on."""


class ScoreTest(RecordedTest):
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

    _found_from_answers = ("_score",)

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
        _check_count(n_items, len(self.known.items))
        check_stop(stop, "stopping.score_precision(0.03)")
        super().__init__(respondent, seed)
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
        # How the second stage goes on; None before that is decided.
        self.is_chosen: bool | None = False if every_look else None

    @property
    def items(self) -> tuple[str, ...]:
        """All items that the score is about."""
        return self.known.items

    @property
    def weights(self) -> Array:
        """Of the items in the score; they sum to one."""
        return self.plan.weights

    @property
    def stop_reason(self) -> str | None:
        """Why the test is over, or None."""
        if len(self._answers) >= self.n_items:
            return f"{self.n_items} items answered"
        if len(self._answers) + len(self._set_aside) == len(self.items):
            return "all items answered or put away"
        return self.stop(self) if self.stop is not None and self._answers else None

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

    @property
    def score(self) -> ScoreEstimate:
        """The score over all items, as predicted, with a 90 % interval."""
        return self._score

    @property
    def pace(self) -> int:
        """How many items are well asked at once now: to the end of a stage, or fewer."""
        answered = len(self._answers)
        is_first = answered < self.first_stage
        left = (self.first_stage if is_first else self.n_items) - answered
        if self.stop is None:
            return max(1, left)
        from itemcurve.adaptive.batch_pace import pace
        from itemcurve.adaptive.score.score_stopping import expect_answers

        return max(1, min(left, pace(answered, expect_answers(self.stop, self))))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the session to a file; saved again, what is new is added.

        When this returns, all answers are on disk. The calibration is written beside the file, once
        for all sessions of its folder; `load` goes on from there.
        """
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
        self,
        answers: Iterable[Answer],
        pending: Iterable[HandedOut],
        set_aside: Iterable[HandedOut],
        is_chosen: bool | None,
    ) -> None:
        """Put answers, items handed out and items put away in place, each one checked."""
        self._replace(answers, pending, set_aside)
        self.is_chosen = is_chosen

    def rest(self) -> None:
        """Let go of what can be worked out again, the order of all items too."""
        super().rest()
        if self.every_look:
            self.__dict__.pop("_drawn", None)

    def _repr_html_(self) -> str:
        state = "finished" if self.is_finished else "going on"
        asked = f"{len(self._answers):,} of {len(self.items):,} items answered, {state}."
        score = self.score
        known = f"Score {score.value:.3f} ({score.lower:.3f} to {score.upper:.3f})."
        return html_card(f"Test of {self.respondent}", [known, asked])

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
    def _drawn(self) -> NDArray[np.int_]:
        """Items in the order of the draw."""
        rng = np.random.default_rng(self.seed)
        if self.every_look:
            return rng.permutation(len(self.items))
        return self.plan.draw(self.n_items, rng)[0]

    def _decide(self) -> None:
        """Enter the second stage once the first is answered."""
        is_answered = len(self._answers) >= self.first_stage and not self._pending
        if self.is_chosen is None and is_answered:
            self.is_chosen = not self.score.is_outside_calibration

    def _next_places(self, wanted: int) -> NDArray[np.int_]:
        taken = {answer.item for answer in self._answers}
        taken |= {handed.item for handed in (*self._pending, *self._set_aside)}
        if not self.is_chosen:
            free = [place for place in self._drawn if self.items[place] not in taken]
            if len(free) >= wanted or self.every_look:
                return np.array(free[:wanted], dtype=int)
        given = self.known.positions(sorted(taken))
        return self.plan.choose(given, wanted)

    def _positions(self, items: Sequence[str]) -> NDArray[np.int_]:
        return self.known.positions(items)

    def _items_left(self) -> float:
        return self.n_items - self._step

    def _hand_out(self, count: int) -> list[HandedOut]:
        """Reaching into the second stage before the first is answered, items are drawn."""
        self._decide()
        step, known = self._step, len(self._answers)
        places = self._next_places(count)
        return [
            HandedOut(self.items[place], step + k, known, *chance)
            for k, (place, chance) in enumerate(zip(places, self._chances(places), strict=True))
        ]

    def _chances(self, places: NDArray[np.int_]) -> list[tuple[float | None, float]]:
        """Chance of each item to be handed out now, and the smallest of any then."""
        if self.is_chosen:
            return [(None, 0.0)] * len(places)
        if self.every_look:
            left = len(self.items) - self._step
            return [(1 / (left - k), 1 / (left - k)) for k in range(len(places))]
        # Not kept: as long as the calibration, and many tests may be in memory.
        chances = chances_of(self.weights, self.n_items)
        least = float(chances.min())
        return [(float(chances[place]), least) for place in places]

    @cached_property
    def _score(self) -> ScoreEstimate:
        if self.every_look:
            return look(self)
        low, high = self.limits
        if not self._answers:
            scores = self.known.array @ self.weights
            mean, spread = float(scores.mean()), HALF_WIDTH * float(scores.std())
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

    def _check_response(self, place: int, response: float) -> float:
        low, high = self.limits
        value = as_number(response)
        if not low <= value <= high or not np.isfinite(value):
            bounds = f" from {low:g} to {high:g}" if np.isfinite(high) else ""
            raise ResponsesError(
                f"A response is a finite number{bounds}, as in the calibration.",
                f"Item {self.items[place]!r} got {response!r}.",
                "Ask the item again, or record another one.",
            )
        return value


def _check_count(n_items: int, size: int) -> None:
    if not isinstance(n_items, int | np.integer) or not 1 <= n_items <= size:
        raise ModelError(
            f"A test asks from 1 to {size} items.", f"Got {n_items!r}.", "There are no more items."
        )
