"""Answers of one model, read back from the logs of its harness."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.logs.item_index import IndexedItem, Recorded


def read_answers(logs: Path, model: str | None, index: "tuple[IndexedItem, ...]") -> "Recorded":
    """Read logs and find what one model answered to the items of an index."""
    from itemcurve.errors import ResponsesError
    from itemcurve.logs.item_index import match_responses
    from itemcurve.logs.log_folder import read_logs

    # Logs of a running loop change all the time; reading them anew is safest and fast.
    table = read_logs(logs, cache=False)
    names = table.respondents
    if not names or (model is not None and model not in names):
        problems = [f"{note.path}: {note.reason}" for note in table.files if note.reason]
        raise ResponsesError(
            "The logs must hold samples of the model that is tested;",
            f"asked for is {model!r}, there are {', '.join(names[:10]) or 'none'}"
            f"{' (' + '; '.join(problems[:3]) + ')' if problems else ''}.",
            "Check the folder, or name the model with --model.",
        )
    if model is None and len(names) > 1:
        raise ResponsesError(
            "Whose answers to record must be clear;",
            f"the logs hold {', '.join(names[:10])}.",
            "Name one with --model.",
        )
    return match_responses(table.keep_respondent(model or names[0]), index)
