"""A test that feeds samples to a running task of Inspect and takes their scores.

Nothing of Inspect is imported here: it calls these methods.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from itemcurve.errors import ResponsesError
from itemcurve.harnesses.inspect_ai.sample_answers import EpochAnswers, response_of
from itemcurve.harnesses.kept_test import AnyTest, record_new, saver


@dataclass
class SampleFeed:
    """The test, its samples by item, and what happened to them in this run.

    Attributes
    ----------
    batch : how many samples are in flight at most.
    is_rolling : whether each answer makes room for the next sample, or a batch is waited for.
    model_now : gives the model that the running task asks; a test is of one.
    set_aside : items that gave no answer in this run; they are asked again in the next one.
    """

    test: AnyTest
    samples: Mapping[str, Any]
    answers: EpochAnswers
    batch: int
    is_rolling: bool = False
    metric: str | None = None
    session: str | os.PathLike[str] | None = None
    model_now: Callable[[], str] = str
    model: str | None = None
    set_aside: set[str] = field(default_factory=set)
    in_flight: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Know items by the ids of their samples."""
        self.items = {str(sample.id): item for item, sample in self.samples.items()}

    def initial_samples(self) -> list[Any]:
        """Give the first samples: those handed out before a crash, or a first batch."""
        return self._hand_out()

    async def next_samples(self) -> list[Any] | None:
        """Give the next batch; None ends the run."""
        self._check_model()
        return self._hand_out() or None

    async def sample_complete(self, sample: Any) -> list[Any] | None:
        """Keep what a sample scored; a failed one is no wrong answer."""
        self._check_model()
        scores = None if sample.error is not None else sample.scores
        return self._take(str(sample.id), int(sample.epoch), response_of(scores, self.metric))

    async def sample_abandoned(self, sample: Any, epoch: int) -> list[Any] | None:
        """Go on without a sample that was cancelled."""
        return self._take(str(sample.id), int(epoch), float("nan"))

    def _check_model(self) -> None:
        now = self.model_now()
        self.model = self.model or now
        if now != self.model:
            raise ResponsesError(
                "An adaptive task is for one model: its samples follow the answers.",
                f"Both {self.model} and {now} run it.",
                "Make a task for each, by calling adaptive(...) for each.",
            )

    def _take(self, name: str, epoch: int, response: float) -> list[Any] | None:
        item = self.items.get(name)
        answer = None if item is None else self.answers.add(item, epoch, response)
        if item is None or answer is None:
            return None
        self.in_flight.discard(item)
        if isnan(answer):
            self.set_aside.add(item)
        else:
            record_new(self.test, {item: answer}, saver(self.session))
        return (self._hand_out() or None) if self.is_rolling else None

    def _hand_out(self) -> list[Any]:
        """Give samples that are not in flight yet, saved as handed out before they run."""
        if self.test.is_finished:
            return []
        # Handed out before a crash and not answered.
        items = self._waiting(len(self.test.pending))
        room = min(self.batch, self.test.pace) - len(self.in_flight) - len(items)
        if room > 0:
            items = self._waiting(len(self.test.pending) + room)
        self.in_flight.update(items)
        record_new(self.test, {}, saver(self.session))
        return [self.samples[item] for item in items]

    def _waiting(self, count: int) -> list[str]:
        """Give the items handed out that this run has not asked yet."""
        asked = self.set_aside | self.in_flight
        items = self.test.next_batch(count) if count else []
        return [item for item in items if item not in asked]
