"""Sessions on disk: one JSON file, replaced as a whole, read back without trusting it.

The file holds the settings, every answer with its chance, what is handed out, and the bank or a
reference to the run it came from; the bank's mark (SHA-256) ties the session to it, a checksum
over everything tells damage.
"""

import os
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.ability.exposure import Exposure
from itemcurve.adaptive.ability.rule_serialisation import pack_rule, unpack_rule
from itemcurve.adaptive.ability.stopping import StopRule
from itemcurve.adaptive.records import Answer, HandedOut
from itemcurve.adaptive.selection.contract import Rule
from itemcurve.bank.item_bank import Bank
from itemcurve.bank.saved_bank import pack_bank, unpack_bank
from itemcurve.errors import StorageError
from itemcurve.models.serialisation import Record
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.json_documents import LARGEST_DOCUMENT, pack_json, unpack_json

FORMAT = "itemcurve-session-1"


def save_session(
    test: AdaptiveTest, path: str | os.PathLike[str], *, run: str | os.PathLike[str] | None = None
) -> None:
    """Write a session, atomically.

    Parameters
    ----------
    run : the run folder that the bank came from; the file then refers to it. The bank itself is
        written when left out, so that the file stands alone.
    """
    bank = {"mark": test.bank.mark, "run": None if run is None else str(Path(run).resolve())}
    document = {
        "format": FORMAT,
        "bank": {**bank, "content": None if run is not None else pack_bank(test.bank)},
        "settings": _pack_settings(test),
        "answers": [{**asdict(a.handed_out), "response": a.response} for a in test.answers],
        "pending": [asdict(handed) for handed in test.pending],
    }
    content = pack_json({**document, "checksum": checksum(document)}, "the session")
    write_bytes(path, content)


def load_session(
    path: str | os.PathLike[str],
    *,
    bank: Bank | None = None,
    select: str | Rule | None = None,
    stop: StopRule | None = None,
) -> AdaptiveTest:
    """Read a session; see `AdaptiveTest.load`."""
    place = repr(os.fspath(path))
    record = SessionRecord(read_document(path), f"the session {place}")
    settings = record.record("settings")
    try:
        items = _find_bank(record.record("bank"), bank)
        # Null is a test without a rule to stop; one that was never described is not.
        packed_stop = settings.content["stop"]
        test = AdaptiveTest(
            items,
            unpack_rule(settings.content["select"], place) if select is None else select,
            unpack_rule(packed_stop, place) if stop is None else stop,
            ability_method=settings.text("ability_method"),  # type: ignore[arg-type]
            exposure=Exposure(settings.whole("best", 1), settings.number("explore")),
            # Sessions of earlier versions have none.
            score_misfit=settings.number("score_misfit") if settings.has("score_misfit") else 0.0,
            ability_range=_unpack_range(settings),
            respondent=settings.text("respondent"),
            seed=settings.whole("seed", 0),
        )
        test.restore(
            [Answer(unpack_handed(r), r.number("response")) for r in record.records("answers")],
            [unpack_handed(r) for r in record.records("pending")],
        )
    except StorageError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise record.refusal(f"its parts do not fit together ({error})") from error
    return test


def session_run(path: str | os.PathLike[str]) -> str | None:
    """Give the run folder that a session refers to; None when it holds its bank."""
    run = read_document(path)["bank"].get("run")
    return run if isinstance(run, str) else None


def session_format(path: str | os.PathLike[str]) -> str:
    """Give the format that a session file claims to have; "" where it claims none."""
    source = Path(path)
    if not source.is_file() or source.stat().st_size > LARGEST_DOCUMENT:
        return ""
    try:
        return str(unpack_json(source.read_bytes(), repr(os.fspath(path))).get("format", ""))
    except StorageError:
        return ""


def read_document(path: str | os.PathLike[str], format_: str = FORMAT) -> dict[str, Any]:
    """Read the file and check its format and checksum."""
    place = repr(os.fspath(path))
    source = Path(path)
    if not source.is_file():
        raise StorageError(
            "The session to read must exist;", f"there is no file {place}.", "Start one first."
        )
    if source.stat().st_size > LARGEST_DOCUMENT:
        raise _refusal(place, "it is too large")
    try:
        document = unpack_json(source.read_bytes(), place)
    except StorageError as error:
        raise _refusal(place, str(error)) from None
    if document.get("format") != format_:
        raise _refusal(place, f"its format is not {format_}")
    written = document.pop("checksum", None)
    part = document.get("bank" if format_ == FORMAT else "calibration")
    if written != checksum(document) or not isinstance(part, dict):
        raise _refusal(place, "its content does not agree with its checksum")
    return document


class SessionRecord(Record):
    """A part of a session file."""

    def refusal(self, reason: str) -> StorageError:
        """Give the error that says what is wrong here."""
        return _refusal(self.place, reason)


def _pack_settings(test: AdaptiveTest) -> dict[str, Any]:
    return {
        "select": pack_rule(test.select),
        "stop": pack_rule(test.stop),
        "ability_method": test.ability_method,
        "best": test.exposure.best,
        "explore": float(test.exposure.explore),
        "score_misfit": test.score_misfit,
        "ability_range": None if test.ability_range is None else list(test.ability_range),
        "respondent": test.respondent,
        "seed": test.seed,
    }


def _unpack_range(settings: Record) -> tuple[float, float] | None:
    # Sessions of earlier versions have none.
    if settings.content.get("ability_range") is None:
        return None
    low, high = settings.numbers("ability_range")
    return low, high


def _find_bank(record: Record, given: Bank | None) -> Bank:
    """The bank that was given, is in the file, or lies in the run that the file refers to."""
    mark = record.text("mark")
    if given is not None:
        found = given
    elif record.has("content"):
        found = unpack_bank(record.record("content"))
    else:
        from itemcurve.estimation.saving.saved_fit import load

        found = load(record.text("run")).bank
    if found.mark != mark:
        raise record.refusal("the bank is not the one that the session was begun with")
    return found


def unpack_handed(record: Record) -> HandedOut:
    """Read an item that was handed out, checked."""
    probability = record.number("probability") if record.has("probability") else None
    if probability is not None and not 0 < probability <= 1:
        raise record.refusal("a probability must lie between 0 and 1")
    least = record.number("least")
    if not 0 <= least <= 1:
        raise record.refusal("a probability must lie between 0 and 1")
    step, known = record.whole("step", 0), record.whole("known", 0)
    return HandedOut(record.text("item"), step, known, probability, least)


def checksum(document: Mapping[str, Any]) -> str:
    """SHA-256 of a document without its checksum."""
    return sha256(pack_json(document, "the session")).hexdigest()


def _refusal(place: str, reason: str) -> StorageError:
    return StorageError(
        "A session file must be as itemcurve wrote it;",
        f"{place} is refused: {reason}.",
        "Restore it from a copy, or start a new session.",
    )
