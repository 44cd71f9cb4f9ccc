"""What the service answers, typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from itemcurve.errors import ItemcurveError


class ServiceProblemError(ItemcurveError):
    """The service refused a request.

    Attributes
    ----------
    status : of HTTP; 0 where the service could not be reached.
    kind : a word for programs, as `no-such-bank`.
    """

    def __init__(self, status: int, kind: str, detail: str) -> None:
        super().__init__(detail, f"({status} {kind})")
        self.status, self.kind = status, kind


@dataclass(frozen=True)
class Score:
    """The mean response over all items, as predicted, with a 90 % interval."""

    value: float
    lower: float
    upper: float
    is_outside_calibration: bool


@dataclass(frozen=True)
class State:
    """How a session stands.

    Attributes
    ----------
    items : handed out, to be answered next; none when the test is over.
    lease_until : when they may be handed out again, in seconds since 1970.
    is_repeated : whether the service had taken the same request before.
    bank : the mark of the bank; of a test for the score, that of its calibration.
    question : what the test is for, ability or score.
    """

    id: str
    version: int
    status: str
    reason: str | None
    respondent: str
    bank: str
    answers: int
    ability: float | None
    ability_se: float | None
    items: tuple[str, ...]
    lease_until: float | None
    is_repeated: bool
    question: str = "ability"
    score: Score | None = None

    @property
    def is_finished(self) -> bool:
        """Whether the test is over."""
        return self.status != "open"


@dataclass(frozen=True)
class Bank:
    """A bank that the service holds."""

    mark: str
    name: str
    items: int
    created_at: float


@dataclass(frozen=True)
class Calibration:
    """Responses that the service holds, from which scores are predicted."""

    mark: str
    name: str
    items: int
    created_at: float


@dataclass(frozen=True)
class Job:
    """A job of the service."""

    id: str
    upload: str
    status: str
    message: str
    run: str | None
    progress: Mapping[str, Any] | None
    created_at: float
    changed_at: float

    @property
    def is_over(self) -> bool:
        """Whether it ended, one way or another."""
        return self.status not in ("queued", "running")


def read_state(found: Mapping[str, Any]) -> State:
    """Read the document of a session."""
    score = None if found.get("score") is None else Score(**found["score"])
    lease = found["lease"]
    rest = {name: found[name] for name in _OWN}
    return State(items=tuple(lease["items"]), lease_until=lease["expires_at"], score=score, **rest)


_OWN = (
    *("id", "version", "status", "reason", "respondent", "bank", "answers"),
    *("ability", "ability_se", "is_repeated", "question"),
)
