"""Scores of Inspect's samples as answers of a test."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite, nan
from typing import Any, Literal

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.logs.reading.score_values import parts_of

Repeats = Literal["first", "mean"]


def check_repeats(repeats: str) -> None:
    """Refuse what says nothing about epochs."""
    if repeats not in ("first", "mean"):
        raise ModelError(
            "Of several epochs the first counts, or their mean.",
            f"Got {repeats!r}.",
            "Use repeats='first' or repeats='mean'.",
        )


def response_of(scores: Mapping[str, Any] | None, metric: str | None) -> float:
    """Give the response that the scores of one sample mean; NaN where it was not scored.

    Parameters
    ----------
    metric : a scorer, or part of one as `"scorer.part"`; the first when left out.
    """
    parts = {
        name: value
        for scorer, score in (scores or {}).items()
        for name, value in parts_of(str(scorer), _plain(score))
    }
    if metric is None or not parts:
        return next(iter(parts.values()), nan)
    if metric not in parts:
        raise ResponsesError(
            "The metric must be one that scores the samples;",
            f"{metric!r} is none of {', '.join(parts)}.",
            "Name one of them.",
        )
    return parts[metric]


@dataclass
class EpochAnswers:
    """Responses of samples in all their epochs, until the last of them is there."""

    epochs: int
    repeats: Repeats
    seen: dict[str, dict[int, float]] = field(default_factory=dict)

    def add(self, item: str, epoch: int, response: float) -> float | None:
        """Keep one; give the answer when it was the last: NaN where none was scored."""
        if epoch > self.epochs and self.repeats == "mean":
            raise ResponsesError(
                "The mean of epochs needs to know their number beforehand;",
                f"the task has {self.epochs}, and epoch {epoch} came.",
                "Set epochs at the task instead of the run.",
            )
        found = self.seen.setdefault(item, {})
        found[epoch] = response
        if len(found) < self.epochs:
            return None
        scored = [value for _, value in sorted(found.items()) if isfinite(value)]
        if not scored:
            return nan
        return scored[0] if self.repeats == "first" else sum(scored) / len(scored)


def _plain(score: Any) -> Any:
    """Give the value of a score: of `Score`, or of what early stopping gets, which holds one."""
    inner = getattr(score, "score", score)
    value = getattr(inner, "value", inner)
    return dict(enumerate(value)) if isinstance(value, list) else value
