"""Session files: one JSON document, replaced as a whole, read back without trusting it.

Whatever a test is for, its file holds the settings, every answer with its chance and what is handed
out; a checksum over everything tells damage.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from itemcurve.adaptive.recorded_test import RecordedTest
from itemcurve.adaptive.records import Answer, HandedOut
from itemcurve.errors import StorageError
from itemcurve.models.serialisation import Record
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.json_documents import (
    LARGEST_DOCUMENT,
    pack_signed,
    unpack_json,
    unpack_signed,
)


class SessionRecord(Record):
    """A part of a session file."""

    def refusal(self, reason: str) -> StorageError:
        """Give the error that says what is wrong here."""
        return refuse_session(self.place, reason)


def write_session(
    test: RecordedTest, path: str | os.PathLike[str], document: Mapping[str, Any]
) -> None:
    """Write a session, atomically: what is special about the test, and its answers."""
    content = {
        **document,
        "answers": [{**asdict(a.handed_out), "response": a.response} for a in test.answers],
        "pending": [asdict(handed) for handed in test.pending],
    }
    write_bytes(path, pack_signed(content, "the session"))


@contextmanager
def open_session(path: str | os.PathLike[str], format_: str, part: str) -> Iterator[SessionRecord]:
    """Read a session; what goes wrong with its parts is said of the file.

    Parameters
    ----------
    part : the object that a session of this format must have.
    """
    record = SessionRecord(read_session(path, format_, part), f"the session {os.fspath(path)!r}")
    try:
        yield record
    except StorageError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise record.refusal(f"its parts do not fit together ({error})") from error


def read_session(path: str | os.PathLike[str], format_: str, part: str) -> dict[str, Any]:
    """Read the file and check its format and checksum."""
    place = repr(os.fspath(path))
    source = Path(path)
    if not source.is_file():
        raise StorageError(
            "The session to read must exist;", f"there is no file {place}.", "Start one first."
        )
    if source.stat().st_size > LARGEST_DOCUMENT:
        raise refuse_session(place, "it is too large")
    try:
        document, is_as_written = unpack_signed(source.read_bytes(), place)
    except StorageError as error:
        raise refuse_session(place, str(error)) from None
    if document.get("format") != format_:
        raise refuse_session(place, f"its format is not {format_}")
    if not is_as_written or not isinstance(document.get(part), dict):
        raise refuse_session(place, "its content does not agree with its checksum")
    return document


def session_format(path: str | os.PathLike[str]) -> str:
    """Give the format that a session file claims to have; "" where it claims none."""
    source = Path(path)
    if not source.is_file() or source.stat().st_size > LARGEST_DOCUMENT:
        return ""
    try:
        return str(unpack_json(source.read_bytes(), repr(os.fspath(path))).get("format", ""))
    except StorageError:
        return ""


def unpack_answers(record: Record) -> tuple[list[Answer], list[HandedOut]]:
    """Read the answers and what is handed out, checked."""
    answers = [Answer(_unpack_handed(r), r.number("response")) for r in record.records("answers")]
    return answers, [_unpack_handed(r) for r in record.records("pending")]


def refuse_session(place: str, reason: str) -> StorageError:
    """Give the error of a session file that is not as it was written."""
    return StorageError(
        "A session file must be as itemcurve wrote it;",
        f"{place} is refused: {reason}.",
        "Restore it from a copy, or start a new session.",
    )


def _unpack_handed(record: Record) -> HandedOut:
    probability = record.number("probability") if record.has("probability") else None
    least = record.number("least")
    if not 0 <= least <= 1 or not (probability is None or 0 < probability <= 1):
        raise record.refusal("a probability must lie between 0 and 1")
    step, known = record.whole("step", 0), record.whole("known", 0)
    return HandedOut(record.text("item"), step, known, probability, least)
