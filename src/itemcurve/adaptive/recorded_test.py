"""What tests for ability and for the score have in common: items go out, answers come in."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.records import Answer, HandedOut, ScoreEstimate
from itemcurve.errors import ModelError, ResponsesError

if TYPE_CHECKING:
    import pandas

    from itemcurve.adaptive.session_keeping import KeptSession


class RecordedTest(ABC):
    """A test of one respondent that keeps what was handed out and answered.

    What is asked next, and what answers mean, is for those who inherit.
    """

    # Cached properties that no longer hold after an answer.
    _found_from_answers: ClassVar[tuple[str, ...]]

    def __init__(self, respondent: str, seed: int) -> None:
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise ModelError("A seed is a whole number from 0 on.", f"Got {seed!r}.", "Use seed=0.")
        self.respondent = str(respondent)
        self.seed = int(seed)
        self._answers: list[Answer] = []
        self._pending: list[HandedOut] = []
        self._set_aside: list[HandedOut] = []
        # Where the test was saved or read last, so that saving again writes what is new.
        self.kept: KeptSession | None = None

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, in the order in which they were recorded."""
        return tuple(self._answers)

    @property
    def pending(self) -> tuple[HandedOut, ...]:
        """Items that were handed out and not answered yet."""
        return tuple(self._pending)

    @property
    def items_set_aside(self) -> tuple[HandedOut, ...]:
        """Items that were handed out, could not be answered, and are not asked again."""
        return tuple(self._set_aside)

    @property
    def responses(self) -> NDArray[np.float64]:
        """The answers as numbers, in the order in which they were recorded."""
        return np.array([answer.response for answer in self._answers], dtype=float)

    @property
    def places(self) -> NDArray[np.int_]:
        """Places of the items answered."""
        return self._positions([answer.item for answer in self._answers])

    @property
    @abstractmethod
    def stop_reason(self) -> str | None:
        """Why the test is over, or None."""

    @property
    def is_finished(self) -> bool:
        """Whether the test is over."""
        return self.stop_reason is not None

    @property
    @abstractmethod
    def pace(self) -> int:
        """How many items are well asked at once now: few at the beginning and near the end."""

    def next_item(self) -> str | None:
        """Give the item to ask next; None when the test is over.

        Until it is answered, the same item is given again.
        """
        batch = self.next_batch(1)
        return batch[0] if batch else None

    def next_batch(self, count: int) -> list[str]:
        """Give the next items to ask, at most `count`; none when the test is over.

        Items handed out before and not answered yet come first.
        """
        if not isinstance(count, int | np.integer) or count < 1:
            raise ModelError(
                "A batch needs at least one item.", f"Got {count!r}.", "Use next_batch(10)."
            )
        wanted = int(min(count - len(self._pending), self._items_left()))
        if wanted > 0 and not self.is_finished:
            self._pending += self._hand_out(wanted)
            self._forget()
        return [handed.item for handed in self._pending[:count]]

    def next_paced(self, most: int) -> list[str]:
        """Give the next items to ask at once, at most `most`, at a pace that wastes few.

        A test then takes hardly more items than one by one, in far fewer rounds.
        """
        return self.next_batch(min(most, max(self.pace, len(self._pending))))

    def record(self, item: str, response: float) -> None:
        """Keep the answer to an item.

        An item that was not handed out may be answered too; its chance then counts as unknown.
        """
        item = str(item)
        place = int(self._positions([item])[0])
        if any(answer.item == item for answer in self._answers):
            raise ResponsesError(
                "An item is answered once.",
                f"{item!r} has an answer already.",
                "Average repeats before recording, or ask another item.",
            )
        value = self._check_response(place, response)
        pending = {handed.item: handed for handed in self._pending}
        handed = pending.get(item) or HandedOut(item, self._step, len(self._answers), None)
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

    def release(self, items: Iterable[str] | None = None) -> list[str]:
        """Take back items that were handed out and not answered; all when left out.

        They may be chosen again. Items that are not handed out are left alone.

        Returns
        -------
        The items that were taken back.
        """
        wanted = None if items is None else {str(item) for item in items}
        found = [h.item for h in self._pending if wanted is None or h.item in wanted]
        self._pending = [handed for handed in self._pending if handed.item not in set(found)]
        self._forget()
        return found

    def set_aside(self, items: Iterable[str]) -> list[str]:
        """Put away items that cannot be answered: the test goes on without them.

        Returns
        -------
        The items that were put away now; those answered or put away before are left alone.
        """
        wanted = [str(item) for item in items]
        self._positions(wanted)
        done = {answer.item for answer in self._answers} | {h.item for h in self._set_aside}
        pending = {handed.item: handed for handed in self._pending}
        found = [item for item in dict.fromkeys(wanted) if item not in done]
        for item in found:
            unasked = HandedOut(item, self._step, len(self._answers), None)
            self._set_aside.append(pending.get(item, unasked))
        self._pending = [handed for handed in self._pending if handed.item not in set(found)]
        self._forget()
        return found

    @property
    @abstractmethod
    def score(self) -> ScoreEstimate:
        """The score over all items, as predicted, with an interval."""

    @property
    def known_score(self) -> ScoreEstimate | None:
        """The score, where it was worked out for these answers already: that may take long."""
        return self.__dict__.get("_score")

    def snapshot(self) -> Self:
        """Give the test as it is now, to be looked at while this one goes on."""
        found = copy(self)
        found._answers, found._pending = list(self._answers), list(self._pending)
        found._set_aside, found.kept = list(self._set_aside), None
        found._forget()
        return found

    def rest(self) -> None:
        """Let go of what can be worked out again: of many tests in memory, few go on at once."""
        self._forget()

    def not_recorded(self, responses: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
        """Give the answers without those that are recorded already, with the same response."""
        known = {answer.item: answer.response for answer in self._answers}
        return [(item, given) for item, given in responses if known.get(item) != as_number(given)]

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

    @property
    def _step(self) -> int:
        """How many items were given out or answered so far."""
        return len(self._answers) + len(self._pending)

    @abstractmethod
    def _positions(self, items: Sequence[str]) -> NDArray[np.int_]:
        """Places of items, all of them known."""

    @abstractmethod
    def _check_response(self, place: int, response: float) -> float:
        """Give the response to the item at this place as a number, or say why it is none."""

    @abstractmethod
    def _items_left(self) -> float:
        """How many more items may be handed out, as far as the answers so far tell."""

    @abstractmethod
    def _hand_out(self, count: int) -> list[HandedOut]:
        """Choose at most this many items."""

    def _replace(
        self,
        answers: Iterable[Answer],
        pending: Iterable[HandedOut],
        set_aside: Iterable[HandedOut] = (),
    ) -> None:
        """Put answers, items handed out and items put away in place, each one checked."""
        found, waiting, away = list(answers), list(pending), list(set_aside)
        items = [answer.item for answer in found]
        items += [handed.item for handed in (*waiting, *away)]
        places = self._positions(items)
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
        self._answers, self._pending, self._set_aside = found, waiting, away
        self._forget()

    def _forget(self) -> None:
        """Drop what was worked out from the answers before they changed."""
        for name in self._found_from_answers:
            self.__dict__.pop(name, None)


def as_number(response: Any) -> float:
    """Give a response as a number; NaN for what is none."""
    try:
        return float(response)
    except (TypeError, ValueError):
        return np.nan


def check_stop(stop: object, example: str) -> None:
    """Refuse a rule to stop that cannot be asked."""
    if stop is not None and not callable(stop):
        raise ModelError(
            f"stop must be a rule, as {example}.", f"Got {stop!r}.", "Leave it out for all."
        )
