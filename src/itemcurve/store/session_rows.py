"""Sessions as rows: sealed lines that are only ever added, and how each session stands."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from itemcurve.storage.growing_files import ChangedFileError
from itemcurve.store.transactions import Row, Transaction

OPEN, FINISHED, ENDED = "open", "finished", "ended"
ABILITY, SCORE = "ability", "score"


@dataclass(frozen=True)
class Standing:
    """How a session stands, for lists; its lines say the same.

    Attributes
    ----------
    mark : of the bank or calibration.
    status : open, finished (its rule says so) or ended (somebody said so).
    lease_until : when items that are handed out may go to somebody else.
    question : what the test is for, ability or score.
    score : as JSON, where it is known.
    """

    respondent: str
    mark: str
    answers: int
    ability: float | None
    ability_se: float | None
    status: str
    reason: str | None
    lease_until: float | None
    question: str = ABILITY
    score: str | None = None


@dataclass(frozen=True)
class SessionRow:
    """A session in a list."""

    id: str
    version: int
    standing: Standing
    created_at: float
    changed_at: float


@dataclass(frozen=True)
class Addition:
    """Lines to add to a session.

    Attributes
    ----------
    lines : sealed, in order.
    before, after : the seal that they continue, and that of the last of them.
    number : of the first.
    key, digest : by which the request is known again, and what it said.
    """

    lines: Sequence[str]
    before: str
    after: str
    number: int
    standing: Standing
    key: str | None = None
    digest: str | None = None


def begin_session(tenant: str, name: str, addition: Addition) -> Callable[[Transaction], None]:
    """Store a new session; `ConflictError` where there is one of this name."""

    def work(transaction: Transaction) -> None:
        now, standing = time.time(), addition.standing
        transaction.run(
            "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(tenant, name, len(addition.lines), addition.after, standing.respondent),
            *(standing.mark, standing.answers, standing.ability, standing.ability_se),
            *(standing.status, standing.reason, standing.lease_until, now, now),
            *(standing.question, standing.score),
        )
        _add_lines(transaction, tenant, name, addition, now)

    return work


def add_to_session(tenant: str, name: str, addition: Addition) -> Callable[[Transaction], None]:
    """Add lines; `ChangedFileError` where the session does not end as the caller thinks.

    `ConflictError` where the key was used before.
    """

    def work(transaction: Transaction) -> None:
        now, standing = time.time(), addition.standing
        changed = transaction.run(
            "UPDATE sessions SET line_count = ?, seal = ?, answers = ?, ability = ?, "
            "ability_se = ?, status = ?, reason = ?, lease_until = ?, score = ?, changed_at = ? "
            "WHERE tenant = ? AND id = ? AND seal = ?",
            *(addition.number - 1 + len(addition.lines), addition.after, standing.answers),
            *(standing.ability, standing.ability_se, standing.status, standing.reason),
            *(standing.lease_until, standing.score, now, tenant, name, addition.before),
        )
        if not changed:
            raise changed_session(name)
        _add_lines(transaction, tenant, name, addition, now)

    return work


def read_lines(tenant: str, name: str) -> Callable[[Transaction], list[str]]:
    """Give the sealed lines of a session; none where there is no such session."""
    statement = "SELECT body FROM session_lines WHERE tenant = ? AND session = ? ORDER BY number"
    return lambda transaction: [str(row[0]) for row in transaction.all(statement, tenant, name)]


def find_session(tenant: str, name: str) -> Callable[[Transaction], SessionRow | None]:
    """Look for a session."""

    def work(transaction: Transaction) -> SessionRow | None:
        found = transaction.one(f"{_SELECT} WHERE tenant = ? AND id = ?", tenant, name)
        return None if found is None else _row(found)

    return work


def list_sessions(
    tenant: str, *, before: tuple[float, str] | None, limit: int
) -> Callable[[Transaction], list[SessionRow]]:
    """Give sessions, the latest changed first.

    Parameters
    ----------
    before : time of change and id of the last one of the page before.
    """

    def work(transaction: Transaction) -> list[SessionRow]:
        order = "ORDER BY changed_at DESC, id DESC LIMIT ?"
        if before is None:
            rows = transaction.all(f"{_SELECT} WHERE tenant = ? {order}", tenant, limit)
        else:
            page = "tenant = ? AND (changed_at < ? OR (changed_at = ? AND id < ?))"
            values = (tenant, before[0], before[0], before[1], limit)
            rows = transaction.all(f"{_SELECT} WHERE {page} {order}", *values)
        return [_row(row) for row in rows]

    return work


def find_request(
    tenant: str, name: str, key: str
) -> Callable[[Transaction], tuple[str, int] | None]:
    """Give what the request of this key said (its digest), and the line that it wrote."""
    statement = (
        "SELECT request_digest, number FROM session_lines "
        "WHERE tenant = ? AND session = ? AND request_key = ?"
    )

    def work(transaction: Transaction) -> tuple[str, int] | None:
        found = transaction.one(statement, tenant, name, key)
        return None if found is None else (str(found[0]), int(found[1]))

    return work


def delete_session(tenant: str, name: str) -> Callable[[Transaction], bool]:
    """Delete a session with its lines; say whether there was one."""

    def work(transaction: Transaction) -> bool:
        transaction.run("DELETE FROM session_lines WHERE tenant = ? AND session = ?", tenant, name)
        return transaction.run("DELETE FROM sessions WHERE tenant = ? AND id = ?", tenant, name) > 0

    return work


def changed_session(name: str) -> ChangedFileError:
    """Give the error of a session that somebody else changed."""
    return ChangedFileError(
        "A session may be changed by one test at a time;",
        f"{name!r} is no longer as this one left it.",
        "Read it again and record there.",
    )


def _add_lines(
    transaction: Transaction, tenant: str, name: str, addition: Addition, now: float
) -> None:
    for place, line in enumerate(addition.lines):
        # The key belongs to the request, so to its first line alone.
        key, digest = (addition.key, addition.digest) if place == 0 else (None, None)
        transaction.run(
            "INSERT INTO session_lines VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(tenant, name, addition.number + place, line, key, digest, now),
        )


_SELECT = (
    "SELECT id, line_count, respondent, mark, answers, ability, ability_se, status, reason, "
    "lease_until, question, score, created_at, changed_at FROM sessions"
)


def _row(row: Row) -> SessionRow:
    return SessionRow(str(row[0]), int(row[1]), Standing(*row[2:12]), row[12], row[13])
