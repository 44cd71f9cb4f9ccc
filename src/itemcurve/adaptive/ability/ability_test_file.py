"""Tests for ability on disk.

The file holds the bank or a reference to the run it came from; the bank's mark (SHA-256) ties the
session to it.
"""

import os
from pathlib import Path
from typing import Any

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.ability.exposure import Exposure
from itemcurve.adaptive.ability.rule_serialisation import pack_rule, unpack_rule
from itemcurve.adaptive.ability.stopping import StopRule
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.session_documents import (
    open_session,
    read_session,
    unpack_answers,
    write_session,
)
from itemcurve.bank.item_bank import Bank
from itemcurve.bank.saved_bank import pack_bank, unpack_bank
from itemcurve.models.serialisation import Record

FORMAT = "itemcurve-session-1"
_PART = "bank"


def save_ability_test(
    test: AdaptiveTest, path: str | os.PathLike[str], *, run: str | os.PathLike[str] | None = None
) -> None:
    """Write a session, atomically.

    Parameters
    ----------
    run : the run folder that the bank came from; the file then refers to it. The bank itself is
        written when left out, so that the file stands alone.
    """
    bank = {
        "mark": test.bank.mark,
        "run": None if run is None else str(Path(run).resolve()),
        "content": None if run is not None else pack_bank(test.bank),
    }
    write_session(test, path, {"format": FORMAT, _PART: bank, "settings": _pack_settings(test)})


def load_ability_test(
    path: str | os.PathLike[str],
    *,
    bank: Bank | None = None,
    select: str | SelectionRule | None = None,
    stop: StopRule | None = None,
) -> AdaptiveTest:
    """Read a session; see `AdaptiveTest.load`."""
    place = repr(os.fspath(path))
    with open_session(path, FORMAT, _PART) as record:
        settings = record.record("settings")
        items = _find_bank(record.record(_PART), bank)
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
        test.restore(*unpack_answers(record))
    return test


def ability_source(path: str | os.PathLike[str]) -> str | None:
    """Give the run folder that a session refers to; None when it holds its bank."""
    run = read_session(path, FORMAT, _PART)[_PART].get("run")
    return run if isinstance(run, str) else None


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
