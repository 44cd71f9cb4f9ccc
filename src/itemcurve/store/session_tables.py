"""Sessions of a tenant as tests see them: what files are to the command line, in tables.

`AdaptiveTest` and `ScoreTest` are kept here as they are in a folder (`SessionStore`); the lines are
the same, byte for byte, so that either can be made of the other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from itemcurve.adaptive.session_documents import refuse_session
from itemcurve.adaptive.session_store import StoredSession
from itemcurve.errors import StorageError
from itemcurve.storage.chained_lines import NO_SEAL, BrokenLineError, seal_lines, unseal_lines
from itemcurve.store.contents import find_holding, hold_content, read_body
from itemcurve.store.database import Database
from itemcurve.store.session_rows import (
    ABILITY,
    OPEN,
    SCORE,
    Addition,
    SessionRow,
    Standing,
    add_to_session,
    begin_session,
    changed_session,
    delete_session,
    find_session,
    read_lines,
)
from itemcurve.store.transactions import Transaction


@dataclass(frozen=True)
class SessionTables:
    """The sessions of one tenant; a `SessionStore`."""

    database: Database
    tenant: str

    def place(self, name: str) -> str:
        """Give the name of a session, quoted."""
        return repr(name)

    def has(self, name: str) -> bool:
        """Say whether there is a session of this name."""
        return self.find(name) is not None

    def find(self, name: str) -> SessionRow | None:
        """Give how a session stands."""
        return self.database.read(find_session(self.tenant, name))

    def read(self, name: str) -> StoredSession:
        """Read a session; each line is checked against its seal."""
        lines = self.database.read(read_lines(self.tenant, name))
        if not lines:
            raise StorageError(
                "The session to read must exist;", f"there is no {name!r}.", "Start one first."
            )
        return unseal_session(lines, self.place(name))

    def begin(self, name: str, document: Mapping[str, Any]) -> str:
        """Store a session as a whole, replacing what had its name."""
        sealed, seal = seal_lines([document], NO_SEAL, "the session")
        addition = Addition([_text(sealed)], NO_SEAL, seal, 1, _first_standing(document))

        def work(transaction: Transaction) -> None:
            delete_session(self.tenant, name)(transaction)
            begin_session(self.tenant, name, addition)(transaction)

        self.database.write(work)
        return seal

    def append(self, name: str, documents: Sequence[Mapping[str, Any]], seal: str) -> str:
        """Add lines; they are on disk when this returns."""
        lines, after = [], seal
        for document in documents:
            sealed, after = seal_lines([document], after, "the session")
            lines.append(_text(sealed))

        def work(transaction: Transaction) -> None:
            row = find_session(self.tenant, name)(transaction)
            if row is None:
                raise changed_session(name)
            more = sum(len(document.get("answers", ())) for document in documents)
            standing = _grown(row.standing, more)
            addition = Addition(lines, seal, after, row.version + 1, standing)
            add_to_session(self.tenant, name, addition)(transaction)

        self.database.write(work)
        return after

    def keep_content(self, kind: str, mark: str, pack: Callable[[], bytes]) -> None:
        """Store what sessions are about, unless it is there."""
        if self.database.read(find_holding(self.tenant, kind, mark)) is None:
            held = self.database.write(
                hold_content(self.tenant, kind, pack(), name=mark[:12], items=0)
            )
            if held.mark != mark:
                raise StorageError(
                    f"A {kind} must not change after it was made;",
                    "that of the session to keep did.",
                    "Make a new one, and a new test with it.",
                )

    def read_content(self, kind: str, mark: str) -> bytes:
        """Read what sessions are about; only what the tenant may use."""
        if self.database.read(find_holding(self.tenant, kind, mark)) is None:
            raise StorageError(
                f"A session needs its {kind};",
                f"{mark[:12]}… is not among those of {self.tenant!r}.",
                "Hand it in first.",
            )
        return self.database.read(read_body(kind, mark))


def unseal_session(lines: Sequence[str], place: str) -> StoredSession:
    """Read sealed lines, or say which was changed."""
    content = "".join(f"{line}\n" for line in lines).encode()
    try:
        found = unseal_lines(content, place)
    except (BrokenLineError, StorageError) as error:
        raise refuse_session(place, str(error)) from None
    return StoredSession(found.documents, found.seal)


def _text(sealed: bytes) -> str:
    return sealed.decode().removesuffix("\n")


def _first_standing(document: Mapping[str, Any]) -> Standing:
    settings, known = document.get("settings") or {}, document.get("calibration")
    about = document.get("bank") or known or {}
    # What is kept of a calibration is named by its bytes, which say more than the table in it.
    mark = str(about.get("content") or about.get("mark", ""))
    question = ABILITY if known is None else SCORE
    answers, name = len(document.get("answers", ())), str(settings.get("respondent", ""))
    return Standing(name, mark, answers, None, None, OPEN, None, None, question)


def _grown(standing: Standing, more: int) -> Standing:
    more += standing.answers
    return replace(standing, answers=more, ability=None, ability_se=None, score=None)
