"""A session in memory: answers in, the next items out, and the lines that say so.

Nothing here waits. What a step gives is only told to the caller when its lines are stored; where
that fails, the session is forgotten and read again.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from itemcurve.service.live.staged_lines import StagedLines
from itemcurve.service.problems import ProblemError
from itemcurve.store.session_rows import ENDED, FINISHED, OPEN, Addition, Standing

if TYPE_CHECKING:
    from itemcurve.adaptive.recorded_test import RecordedTest
    from itemcurve.service.live.questions import Question


@dataclass(frozen=True)
class GivenAnswer:
    """An answer that came in; `value` is None where the item could not be answered."""

    item: str
    value: float | None


@dataclass(frozen=True)
class Request:
    """What a step is to do, besides answers.

    Attributes
    ----------
    wanted : how many items the caller wants to have at hand; 0 for none.
    version : that the caller thinks the session has; None where it does not care.
    key, digest : by which the request is known when it comes again.
    items : that it brings answers to.
    """

    wanted: int
    lease_seconds: float
    version: int | None = None
    key: str | None = None
    digest: str | None = None
    items: frozenset[str] = frozenset()


class LiveSession:
    """A test with its lines.

    Parameters
    ----------
    question : what the test is for.
    lines : how many lines are stored; also the session's version.
    """

    def __init__(
        self,
        name: str,
        test: "RecordedTest",
        question: "Question",
        standing: Standing,
        staged: StagedLines,
        lines: int = 0,
    ) -> None:
        self.name, self.test, self.question, self.standing = name, test, question, standing
        question.adopt(test)
        self.version = lines
        self.lock = asyncio.Lock()
        # Set where memory and store may differ: whoever waited for the lock reads it again.
        self.is_forgotten = False
        self._staged = staged
        self._before = staged.seal
        if test.kept is not None:
            test.kept = replace(test.kept, store=staged)

    @property
    def leased(self) -> list[str]:
        """Items that are handed out; none once the session is over."""
        is_open = self.standing.status == OPEN
        return [handed.item for handed in self.test.pending] if is_open else []

    def has_any(self, items: frozenset[str]) -> bool:
        """Say whether some of these items are answered or put away."""
        is_known = any(answer.item in items for answer in self.test.answers)
        return is_known or any(handed.item in items for handed in self.test.items_set_aside)

    def begin(self, request: Request) -> Addition:
        """Give the first line, and the first items where they are wanted."""
        self._refill(request)
        addition = self._addition(request)
        assert addition is not None
        return addition

    def answer(self, answers: Sequence[GivenAnswer], request: Request) -> Addition | None:
        """Record answers and hand out what comes next; None where nothing is new."""
        self._check_version(request)
        if self.standing.status == ENDED:
            raise ProblemError(409, "session-over", f"The session ended: {self.standing.reason}.")
        new = self._new_answers(answers)
        missing = [answer.item for answer in new if answer.value is None]
        known = [(answer.item, answer.value) for answer in new if answer.value is not None]
        self.test.record_many(known)
        self.test.set_aside(missing)
        self._refill(request)
        return self._addition(request)

    def hand_out(self, request: Request) -> Addition | None:
        """Hand out items; the same ones again while they are neither answered nor expired."""
        self._check_version(request)
        until = self.standing.lease_until
        if self.test.pending and until is not None and time.time() < until:
            return None
        if self.standing.status != OPEN:
            return None
        self.test.release()
        self._save()
        self._refill(request)
        return self._addition(request)

    def release(self, items: Sequence[str] | None, request: Request) -> Addition | None:
        """Take items back; all that are handed out when none are named."""
        self._check_version(request)
        self.test.release(items)
        return self._addition(request)

    def finish(self, request: Request) -> Addition | None:
        """End the session as it is; items that are handed out are taken back."""
        self._check_version(request)
        if self.standing.status == ENDED:
            return None
        self.test.release()
        self._save()
        reason = self.standing.reason or "ended by the caller"
        self._staged.append(self.name, [{"ended": reason}], self._staged.seal)
        if self.test.kept is not None:
            self.test.kept = replace(self.test.kept, seal=self._staged.seal)
        score = self.question.estimate(self.test, is_over=True).score
        self.standing = replace(
            self.standing, status=ENDED, reason=reason, lease_until=None, score=score
        )
        return self._addition(request)

    def stored(self, addition: Addition) -> None:
        """Take note that lines are stored."""
        self.version += len(addition.lines)

    def _check_version(self, request: Request) -> None:
        if request.version is not None and request.version != self.version:
            detail = (
                f"The session has version {self.version}, not {request.version}. Read it again."
            )
            raise ProblemError(412, "changed-meanwhile", detail, {"ETag": f'"{self.version}"'})

    def _new_answers(self, answers: Sequence[GivenAnswer]) -> list[GivenAnswer]:
        """Answers without those that are recorded already; one that differs is refused."""
        if len({answer.item for answer in answers}) != len(answers):
            raise ProblemError(422, "answered-twice", "An item is in the request twice.")
        wanted = {answer.item for answer in answers}
        known = {a.item: a.response for a in self.test.answers if a.item in wanted}
        away = {handed.item for handed in self.test.items_set_aside if handed.item in wanted}
        new = []
        for answer in answers:
            if answer.item not in known and answer.item not in away:
                new.append(answer)
            elif answer.item in away or answer.value != known.get(answer.item):
                if answer.item in away and answer.value is None:
                    continue
                detail = f"The item {answer.item[:80]!r} has another answer already."
                raise ProblemError(409, "answered-before", detail)
        return new

    def _refill(self, request: Request) -> None:
        """Hand out items up to the number that is wanted, unless the test is over."""
        reason = self.test.stop_reason
        # Before more is handed out, which does not change them: they are worked out already.
        known = self.question.estimate(self.test, is_over=reason is not None)
        held = len(self.test.pending)
        if (
            reason is None
            and request.wanted
            and not self.test.next_batch(max(request.wanted, held))
        ):
            reason = "no item left"
        is_held = bool(self.test.pending) and reason is None
        # A lease begins anew with every item that is added to it; nothing else prolongs it.
        is_more = len(self.test.pending) > held
        until = time.time() + request.lease_seconds if is_more else self.standing.lease_until
        self.standing = replace(
            self.standing,
            answers=len(self.test.answers),
            ability=known.ability,
            ability_se=known.ability_se,
            score=known.score,
            status=OPEN if reason is None else FINISHED,
            reason=reason,
            lease_until=until if is_held else None,
        )

    def _save(self) -> None:
        self.question.keep(self.test, self._staged, self.name)

    def _addition(self, request: Request) -> Addition | None:
        before = self._before
        self._save()
        # Arrays as long as the bank are worked out again with the next answer.
        self.test.rest()
        lines = self._staged.take()
        if not lines:
            return None
        self._before = self._staged.seal
        number = self.version + 1
        return Addition(
            lines, before, self._before, number, self.standing, request.key, request.digest
        )
