"""What session files say, read without trusting it; files of the former format, too.

Whatever a test is for, its session holds the settings, every answer with its chance and what is
handed out. Formerly it was one JSON document with the items in it, replaced as a whole.
"""

from dataclasses import asdict
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from itemcurve.adaptive.records import Answer, HandedOut
from itemcurve.errors import StorageError
from itemcurve.models.serialisation import Record
from itemcurve.storage.json_documents import LARGEST_DOCUMENT, unpack_json, unpack_signed


class SessionRecord(Record):
    """A part of a session file."""

    def refusal(self, reason: str) -> StorageError:
        """Give the error that says what is wrong here."""
        return refuse_session(self.place, reason)


def read_session_bytes(path: Path) -> bytes:
    """Read a session file as it is, within limits."""
    place = repr(str(path))
    if not path.is_file():
        raise StorageError(
            "The session to read must exist;", f"there is no file {place}.", "Start one first."
        )
    if path.stat().st_size > LARGEST_DOCUMENT:
        raise refuse_session(place, "it is too large")
    return path.read_bytes()


def read_former_session(content: bytes, place: str) -> dict[str, Any]:
    """Read a session of the former format, and check its checksum."""
    try:
        document, is_as_written = unpack_signed(content, place)
    except StorageError as error:
        raise refuse_session(place, str(error)) from None
    if not is_as_written:
        raise refuse_session(place, "its content does not agree with its checksum")
    # The same thing had another name.
    document["handed_out"] = document.pop("pending", None)
    return document


def stated_format(content: bytes) -> str:
    """Give the format that a file claims to have in its first line or as a whole; "" for none."""
    for part in (content.partition(b"\n")[0], content):
        try:
            return str(unpack_json(part, "").get("format", ""))
        except StorageError:
            continue
    return ""


def session_format(path: str | PathLike[str]) -> str:
    """Give the format that a session file claims to have; "" where it claims none."""
    try:
        return stated_format(read_session_bytes(Path(fspath(path))))
    except StorageError:
        return ""


def pack_handed(handed: HandedOut) -> dict[str, Any]:
    """Describe an item that was handed out."""
    return asdict(handed)


def pack_answer(answer: Answer) -> dict[str, Any]:
    """Describe an answer."""
    return {**asdict(answer.handed_out), "response": answer.response}


def unpack_answers(record: Record) -> list[Answer]:
    """Read answers, checked."""
    return [Answer(_unpack_handed(r), r.number("response")) for r in record.records("answers")]


def unpack_all_handed(record: Record, name: str = "handed_out") -> list[HandedOut]:
    """Read what is handed out, or was put away, checked."""
    return [_unpack_handed(r) for r in record.records(name)]


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
