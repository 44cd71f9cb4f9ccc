"""Tests for the score where sessions are kept.

The session refers to its calibration, kept beside it, or to where that came from; its mark
(SHA-256) ties the session to it.
"""

import os
from pathlib import Path

import numpy as np

from itemcurve.adaptive.ability.rule_serialisation import pack_rule, unpack_rule
from itemcurve.adaptive.prediction.complete_responses import (
    CompleteResponses,
    balanced_weights,
    complete,
    unpack_table,
)
from itemcurve.adaptive.score.score_test import ScoreStop, ScoreTest
from itemcurve.adaptive.session_folder import SessionFolder
from itemcurve.adaptive.session_keeping import OpenedSession, keep_session, opened_session
from itemcurve.adaptive.session_store import SessionStore
from itemcurve.estimation.result import FitResult
from itemcurve.models.serialisation import Record
from itemcurve.responses.matrix import Responses
from itemcurve.storage.folder_swap import is_folder
from itemcurve.storage.json_documents import unpack_json

FORMATS = ("itemcurve-score-session-2", "itemcurve-score-session-1")
_PART = "calibration"
# Decided on the way: how the second stage goes on.
_OWN = ("is_chosen",)


def save_score_test(
    test: ScoreTest,
    path: str | os.PathLike[str],
    *,
    source: str | os.PathLike[str] | None = None,
) -> None:
    """Write a session to a file, or add to it what is new.

    Parameters
    ----------
    source : the run folder or file of responses that the calibration came from; the file then
        refers to it. The calibration itself is written beside the file when left out.
    """
    keep_score_test(test, *SessionFolder.of(path), source=source)


def keep_score_test(
    test: ScoreTest,
    store: SessionStore,
    name: str,
    *,
    source: str | os.PathLike[str] | None = None,
) -> None:
    """Save a session under a name; see `save_score_test`."""
    known = test.known
    if source is None:
        store.keep_content(_PART, known.content_mark, lambda: known.content)
    where = None if source is None else str(Path(source).resolve())
    content = known.content_mark if source is None else None
    groups = [test.groups[label] for label in test.plan.labels] if len(test.groups) > 1 else None
    header = {
        "format": FORMATS[0],
        _PART: {"mark": known.mark, "source": where, "content": content},
        "settings": {
            "n_items": test.n_items,
            "weights": _own_weights(test),
            "groups": groups,
            "stop": pack_rule(test.stop),
            "every_look": test.every_look,
            "respondent": test.respondent,
            "seed": test.seed,
        },
    }
    keep_session(test, store, name, header, {"is_chosen": test.is_chosen})


def load_score_test(
    path: str | os.PathLike[str],
    *,
    calibration: FitResult | Responses | CompleteResponses | None = None,
    stop: ScoreStop | None = None,
) -> ScoreTest:
    """Read a session; see `ScoreTest.load`."""
    return open_score_test(*SessionFolder.of(path), calibration=calibration, stop=stop)


def open_score_test(
    store: SessionStore,
    name: str,
    *,
    calibration: FitResult | Responses | CompleteResponses | None = None,
    stop: ScoreStop | None = None,
) -> ScoreTest:
    """Read the session of this name; see `ScoreTest.load`."""
    with opened_session(store, name, FORMATS, _OWN) as opened:
        settings = opened.record.record("settings")
        packed_stop = settings.content["stop"]
        groups = settings.content["groups"]
        test = ScoreTest(
            _find_table(opened, calibration),
            settings.whole("n_items", 1),
            weights=np.array(settings.numbers("weights")) if settings.has("weights") else None,
            item_groups=None if groups is None else [str(name) for name in groups],
            stop=unpack_rule(packed_stop, opened.place) if stop is None else stop,
            every_look=settings.flag("every_look"),
            respondent=settings.text("respondent"),
            seed=settings.whole("seed", 0),
        )
        is_chosen = opened.state.own["is_chosen"]
        if is_chosen is not None and not isinstance(is_chosen, bool):
            raise opened.record.refusal("'is_chosen' must be true, false or null")
        test.restore(*opened.state.course, is_chosen)
    test.kept = opened.kept
    return test


def _own_weights(test: ScoreTest) -> list[float] | None:
    """Weights other than those that groups give: as long as the calibration, in every session."""
    usual = balanced_weights(test.plan.labels)
    return None if np.array_equal(test.weights, usual) else test.weights.tolist()


def score_source(test: ScoreTest) -> str | None:
    """Give what the session of a test refers to; None when its calibration is kept."""
    return None if test.kept is None else test.kept.header[_PART]["source"]


def read_calibration(path: str | os.PathLike[str]) -> FitResult | Responses:
    """Read a run folder, or a file of responses."""
    if is_folder(Path(path)):
        from itemcurve.estimation.saving.saved_fit import load

        return load(path)
    return Responses.read(path)


def _find_table(
    opened: OpenedSession, given: FitResult | Responses | CompleteResponses | None
) -> CompleteResponses:
    part = opened.record.record(_PART)
    source = part.text("source") if part.has("source") else None
    if given is not None:
        found = complete(given)
    elif source is not None:
        found = complete(read_calibration(source))
    elif opened.is_former:
        found = unpack_table(part.record("content"))
    else:
        content = opened.kept.store.read_content(_PART, part.text("content"))
        place = "the calibration of the session"
        found = unpack_table(Record(unpack_json(content, "the calibration"), place))
    if found.mark != part.text("mark"):
        raise part.refusal("the calibration is not the one that the session was begun with")
    return found
