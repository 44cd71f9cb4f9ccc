"""A test that ends a run of Inspect early: an `EarlyStopping` manager."""

from dataclasses import dataclass, field
from math import isnan
from typing import Any

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.harnesses.inspect_ai.matched_samples import match_samples
from itemcurve.harnesses.inspect_ai.sample_answers import EpochAnswers, Repeats, response_of
from itemcurve.harnesses.kept_test import AnyTest, items_of, record_new
from itemcurve.logs.harness.item_index import ItemIndex

NAME = "itemcurve"


@dataclass
class EarlyEnd:
    """Takes scores as they come and lets no further sample start once the test is over.

    Samples that run when the rule is met are answered too. Samples that are no items run as ever.
    """

    test: AnyTest
    repeats: Repeats = "first"
    metric: str | None = None
    index: ItemIndex | None = None
    items: dict[str, str] = field(default_factory=dict)

    async def start_task(self, task: Any, samples: list[Any], epochs: int) -> str:
        """Learn which samples are items; give the name under which the log lists this."""
        matched = match_samples(items_of(self.test), samples, self.index, some=True)
        self.items = {str(sample.id): item for item, sample in matched.items()}
        self.answers = EpochAnswers(epochs, self.repeats)
        return NAME

    async def schedule_sample(self, id: str | int, epoch: int) -> Any:
        """Give Inspect's `EarlyStop` for an item when the test is over, else None."""
        item, reason = self.items.get(str(id)), self.test.stop_reason
        # An item whose first epoch ran is asked to its end, or its answer would never be known.
        if item is None or reason is None or item in self.answers.seen:
            return None
        from inspect_ai.util import EarlyStop

        return EarlyStop(id=id, epoch=epoch, reason=reason)

    async def complete_sample(self, id: str | int, epoch: int, scores: Any) -> None:
        """Keep the answer of an item; what was not scored is no answer."""
        item = self.items.get(str(id))
        if item is None:
            return
        answer = self.answers.add(item, epoch, response_of(scores, self.metric))
        if answer is not None and not isnan(answer):
            record_new(self.test, {item: answer}, None)

    async def complete_task(self) -> dict[str, Any]:
        """Give what the log keeps: why it ended, and the estimate."""
        return describe(self.test)


def describe(test: AnyTest) -> dict[str, Any]:
    """Give a test's outcome as plain data."""
    found: dict[str, Any] = {
        "answers": len(test.answers),
        "items": len(items_of(test)),
        "stop_reason": test.stop_reason,
    }
    if isinstance(test, AdaptiveTest):
        return found | {"ability": float(test.ability), "ability_se": float(test.ability_se)}
    score = test.score
    return found | {"score": score.value, "lower": score.lower, "upper": score.upper}
