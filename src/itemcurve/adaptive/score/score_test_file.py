"""Tests for the score on disk.

The file holds the calibration, or a reference to where it came from; its mark (SHA-256) ties the
session to it.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np

from itemcurve.adaptive.ability.rule_serialisation import pack_rule, unpack_rule
from itemcurve.adaptive.prediction.complete_responses import CompleteResponses, complete
from itemcurve.adaptive.score.score_test import ScoreStop, ScoreTest
from itemcurve.adaptive.session_documents import (
    open_session,
    read_session,
    unpack_answers,
    write_session,
)
from itemcurve.estimation.result import FitResult
from itemcurve.models.serialisation import Record
from itemcurve.responses.matrix import Responses

FORMAT = "itemcurve-score-session-1"
_PART = "calibration"


def save_score_test(
    test: ScoreTest,
    path: str | os.PathLike[str],
    *,
    source: str | os.PathLike[str] | None = None,
) -> None:
    """Write a session, atomically.

    Parameters
    ----------
    source : the run folder or file of responses that the calibration came from; the file then
        refers to it. The calibration itself is written when left out.
    """
    known = test.known
    content = None if source is not None else _pack_table(known)
    where = None if source is None else str(Path(source).resolve())
    groups = [test.groups[label] for label in test.plan.labels]
    document = {
        "format": FORMAT,
        _PART: {"mark": known.mark, "source": where, "content": content},
        "settings": {
            "n_items": test.n_items,
            "weights": test.weights.tolist(),
            "groups": groups if len(test.groups) > 1 else None,
            "stop": pack_rule(test.stop),
            "every_look": test.every_look,
            "respondent": test.respondent,
            "seed": test.seed,
        },
        "is_chosen": test.is_chosen,
    }
    write_session(test, path, document)


def load_score_test(
    path: str | os.PathLike[str],
    *,
    calibration: FitResult | Responses | None = None,
    stop: ScoreStop | None = None,
) -> ScoreTest:
    """Read a session; see `ScoreTest.load`."""
    place = repr(os.fspath(path))
    with open_session(path, FORMAT, _PART) as record:
        settings = record.record("settings")
        packed_stop = settings.content["stop"]
        groups = settings.content["groups"]
        test = ScoreTest(
            _find_table(record.record(_PART), calibration),
            settings.whole("n_items", 1),
            weights=np.array(settings.numbers("weights")),
            item_groups=None if groups is None else [str(name) for name in groups],
            stop=unpack_rule(packed_stop, place) if stop is None else stop,
            every_look=settings.flag("every_look"),
            respondent=settings.text("respondent"),
            seed=settings.whole("seed", 0),
        )
        is_chosen = record.flag("is_chosen") if record.has("is_chosen") else None
        test.restore(*unpack_answers(record), is_chosen)
    return test


def score_source(path: str | os.PathLike[str]) -> str | None:
    """Give the run folder or file that a session refers to; None when it holds its calibration."""
    source = read_session(path, FORMAT, _PART)[_PART].get("source")
    return source if isinstance(source, str) else None


def read_calibration(path: str | os.PathLike[str]) -> FitResult | Responses:
    """Read a run folder, or a file of responses."""
    if Path(path).is_dir():
        from itemcurve.estimation.saving.saved_fit import load

        return load(path)
    return Responses.read(path)


def _pack_table(known: CompleteResponses) -> dict[str, Any]:
    return {
        "respondents": list(known.respondents),
        "items": list(known.items),
        "responses": [" ".join(f"{value:.9g}" for value in row) for row in known.array],
    }


def _find_table(part: Record, given: FitResult | Responses | None) -> CompleteResponses:
    if given is not None:
        found = complete(given)
    elif part.has("content"):
        found = _unpack_table(part.record("content"))
    else:
        found = complete(read_calibration(part.text("source")))
    if found.mark != part.text("mark"):
        raise part.refusal("the calibration is not the one that the session was begun with")
    return found


def _unpack_table(record: Record) -> CompleteResponses:
    items, respondents = record.texts("items"), record.texts("respondents")
    rows = record.content.get("responses")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise record.refusal("its responses are not rows of numbers")
    try:
        array = np.array([[float(value) for value in row.split()] for row in rows])
    except ValueError as error:
        raise record.refusal(f"its responses are not numbers ({error})") from None
    if array.shape != (len(rows), len(items)) or not np.isfinite(array).all():
        raise record.refusal("its responses do not fit its items")
    return CompleteResponses(tuple(respondents), tuple(items), array)
