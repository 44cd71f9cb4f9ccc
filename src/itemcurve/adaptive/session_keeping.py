"""From tests to what is kept of them: the first saving writes all, each later one what is new."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from itemcurve.adaptive.recorded_test import RecordedTest
from itemcurve.adaptive.records import Answer, HandedOut
from itemcurve.adaptive.session_documents import (
    SessionRecord,
    pack_answer,
    pack_handed,
    refuse_session,
    unpack_all_handed,
    unpack_answers,
)
from itemcurve.adaptive.session_store import SessionStore
from itemcurve.errors import StorageError

_AWAY = "set_aside"
_RELEASED = "released"
_COURSE = ("answers", "handed_out", _AWAY)


@dataclass(frozen=True)
class SessionState:
    """What changes while a test goes on.

    Attributes
    ----------
    own : what else changes in a test of this kind, as plain data by name.
    """

    answers: tuple[Answer, ...]
    pending: tuple[HandedOut, ...]
    own: Mapping[str, Any]
    set_aside: tuple[HandedOut, ...] = ()

    @property
    def course(self) -> tuple[tuple[Answer, ...], tuple[HandedOut, ...], tuple[HandedOut, ...]]:
        """Answers, what is handed out, what was put away."""
        return self.answers, self.pending, self.set_aside

    def whole(self) -> dict[str, Any]:
        """Describe all of it."""
        away = {_AWAY: [pack_handed(handed) for handed in self.set_aside]}
        return {
            "answers": [pack_answer(answer) for answer in self.answers],
            "handed_out": [pack_handed(handed) for handed in self.pending],
            **(away if self.set_aside else {}),
            **self.own,
        }

    def since(self, before: "SessionState") -> dict[str, Any] | None:
        """Describe what is new; None where more has changed than was added."""
        known, away = len(before.answers), len(before.set_aside)
        answers, aside = self.answers[known:], self.set_aside[away:]
        done = {answer.item for answer in answers} | {handed.item for handed in aside}
        kept = tuple(handed for handed in before.pending if handed.item not in done)
        still = set(self.pending)
        waiting = tuple(handed for handed in kept if handed in still)
        is_added = self.answers[:known] == before.answers
        is_added = is_added and self.set_aside[:away] == before.set_aside
        if not is_added or self.pending[: len(waiting)] != waiting:
            return None
        new = SessionState(answers, self.pending[len(waiting) :], {}, aside).whole()
        new[_RELEASED] = [handed.item for handed in kept if handed not in still]
        own = {name: value for name, value in self.own.items() if before.own.get(name) != value}
        return {name: value for name, value in new.items() if value} | own


@dataclass(frozen=True)
class KeptSession:
    """How a session stands where it is kept, as the test knows it.

    Attributes
    ----------
    header : format, settings and what the session is about.
    seal : as in `StoredSession`.
    """

    store: SessionStore
    name: str
    header: Mapping[str, Any]
    state: SessionState
    seal: str | None

    def is_at(self, store: SessionStore, name: str) -> bool:
        """Say whether this is the session of that name, and still there."""
        return self.store == store and self.name == name and store.has(name)


@dataclass(frozen=True)
class OpenedSession:
    """A session that was read: its header to rebuild the test from, and its course."""

    kept: KeptSession
    record: SessionRecord
    place: str
    is_former: bool

    @property
    def state(self) -> SessionState:
        """Answers and what is handed out."""
        return self.kept.state


def keep_session(
    test: RecordedTest,
    store: SessionStore,
    name: str,
    header: Mapping[str, Any],
    own: Mapping[str, Any],
) -> None:
    """Save a test: what is new where the session is known, else all.

    Parameters
    ----------
    header, own : as in `KeptSession` and `SessionState`.
    """
    state = SessionState(test.answers, test.pending, own, test.items_set_aside)
    kept, seal = test.kept, None
    if kept is not None and kept.seal is not None and kept.is_at(store, name):
        new = state.since(kept.state) if kept.header == header else None
        # Also before all is written anew: what others have added meanwhile is not overwritten.
        added = store.append(name, [new] if new else [], kept.seal)
        seal = None if new is None else added
    if seal is None:
        seal = store.begin(name, {**header, **state.whole()})
    test.kept = KeptSession(store, name, header, state, seal)


@contextmanager
def opened_session(
    store: SessionStore, name: str, formats: Sequence[str], own: Sequence[str] = ()
) -> Iterator[OpenedSession]:
    """Read a session; what goes wrong with its parts is said of the session.

    Parameters
    ----------
    formats : of the session, the present one first.
    own : names of what else changes in a test of this kind.
    """
    place = store.place(name)
    stored = store.read(name)
    first = stored.documents[0]
    if first.get("format") not in formats:
        raise refuse_session(place, f"its format is not {formats[0]}")
    try:
        records = [SessionRecord(document, f"the session {place}") for document in stored.documents]
        header = {key: first[key] for key in first if key not in (*_COURSE, *own)}
        kept = KeptSession(store, name, header, _replay(records, own), stored.seal)
        yield OpenedSession(kept, records[0], place, first["format"] != formats[0])
    except StorageError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise refuse_session(place, f"its parts do not fit together ({error})") from error


def _replay(records: Sequence[SessionRecord], own: Sequence[str]) -> SessionState:
    answers: list[Answer] = []
    pending: list[HandedOut] = []
    aside: list[HandedOut] = []
    changed: dict[str, Any] = {}
    for number, record in enumerate(records):
        # Lines after the first say what is new, and nothing where nothing is.
        new = unpack_answers(record) if number == 0 or "answers" in record.content else []
        away = unpack_all_handed(record, _AWAY) if _AWAY in record.content else []
        freed = record.texts(_RELEASED) if _RELEASED in record.content else []
        gone = {a.item for a in new} | {handed.item for handed in away} | set(freed)
        pending = [handed for handed in pending if handed.item not in gone]
        answers += new
        aside += away
        if number == 0 or "handed_out" in record.content:
            pending += unpack_all_handed(record)
        changed |= {name: record.content[name] for name in own if name in record.content}
    return SessionState(tuple(answers), tuple(pending), changed, tuple(aside))
