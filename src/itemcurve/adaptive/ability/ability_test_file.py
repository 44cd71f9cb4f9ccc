"""Tests for ability where sessions are kept.

The session refers to its bank, kept beside it, or to the run that the bank came from; the bank's
mark (SHA-256) ties the session to it.
"""

import os
from pathlib import Path
from typing import Any

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.ability.exposure import Exposure
from itemcurve.adaptive.ability.rule_serialisation import pack_rule, unpack_rule
from itemcurve.adaptive.ability.stopping import StopRule
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.session_folder import SessionFolder
from itemcurve.adaptive.session_keeping import OpenedSession, keep_session, opened_session
from itemcurve.adaptive.session_store import SessionStore
from itemcurve.bank.item_bank import Bank
from itemcurve.bank.saved_bank import bank_content, former_mark, unpack_bank
from itemcurve.models.serialisation import Record
from itemcurve.storage.json_documents import unpack_json

FORMATS = ("itemcurve-session-2", "itemcurve-session-1")
_PART = "bank"


def save_ability_test(
    test: AdaptiveTest, path: str | os.PathLike[str], *, run: str | os.PathLike[str] | None = None
) -> None:
    """Write a session to a file, or add to it what is new.

    Parameters
    ----------
    run : the run folder that the bank came from; the file then refers to it. The bank itself is
        written beside the file when left out.
    """
    keep_ability_test(test, *SessionFolder.of(path), run=run)


def keep_ability_test(
    test: AdaptiveTest,
    store: SessionStore,
    name: str,
    *,
    run: str | os.PathLike[str] | None = None,
) -> None:
    """Save a session under a name; see `save_ability_test`."""
    mark = test.bank.mark
    if run is None:
        store.keep_content(_PART, mark, lambda: bank_content(test.bank))
    bank = {"mark": mark, "run": None if run is None else str(Path(run).resolve())}
    header = {"format": FORMATS[0], _PART: bank, "settings": _pack_settings(test)}
    keep_session(test, store, name, header, {})


def load_ability_test(
    path: str | os.PathLike[str],
    *,
    bank: Bank | None = None,
    select: str | SelectionRule | None = None,
    stop: StopRule | None = None,
) -> AdaptiveTest:
    """Read a session; see `AdaptiveTest.load`."""
    return open_ability_test(*SessionFolder.of(path), bank=bank, select=select, stop=stop)


def open_ability_test(
    store: SessionStore,
    name: str,
    *,
    bank: Bank | None = None,
    select: str | SelectionRule | None = None,
    stop: StopRule | None = None,
) -> AdaptiveTest:
    """Read the session of this name; see `AdaptiveTest.load`."""
    with opened_session(store, name, FORMATS) as opened:
        settings, place = opened.record.record("settings"), opened.place
        items = _find_bank(opened, bank)
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
        test.restore(*opened.state.course)
    test.kept = opened.kept
    return test


def ability_source(test: AdaptiveTest) -> str | None:
    """Give the run folder that the session of a test refers to; None when its bank is kept."""
    return None if test.kept is None else test.kept.header[_PART]["run"]


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


def _find_bank(opened: OpenedSession, given: Bank | None) -> Bank:
    """The bank that was given, is kept with the session, or lies in the run it refers to."""
    record = opened.record.record(_PART)
    mark, run = record.text("mark"), record.text("run") if record.has("run") else None
    if given is None and run is None:
        # Checked against damage as bytes: what later versions say of a bank may differ from them.
        if opened.is_former:
            return unpack_bank(record.record("content"))
        content = opened.kept.store.read_content(_PART, mark)
        return unpack_bank(Record(unpack_json(content, "the bank"), "the bank of the session"))
    if given is not None:
        found = given
    else:
        from itemcurve.estimation.saving.saved_fit import load

        found = load(str(run)).bank
    if mark != (former_mark(found) if opened.is_former else found.mark):
        raise record.refusal("the bank is not the one that the session was begun with")
    return found
