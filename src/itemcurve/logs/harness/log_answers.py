"""Answers of one model to known items, read back from its logs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from itemcurve.errors import ResponsesError, StorageError
from itemcurve.logs.reading.log_rows import SCORED
from itemcurve.logs.table.item_codes import Item

if TYPE_CHECKING:
    from itemcurve.logs.harness.item_index import IndexedItem
    from itemcurve.logs.table.long_table import LogResponses


@dataclass(frozen=True)
class LogAnswers:
    """What a new log says about items: responses, failures, and what is not the item it claims."""

    responses: dict[str, float]
    failed: tuple[str, ...]
    changed: tuple[str, ...]
    repeated: int
    respondent: str = ""


def find_answers(
    logs: "LogResponses", index: "Sequence[IndexedItem]", respondent: str | None = None
) -> LogAnswers:
    """Find the responses of one respondent to items that are known by an index.

    Samples that failed are listed, not wrong; a sample whose content is not that of the item it
    stands for is left out. Of repeats the first counts.

    Parameters
    ----------
    index : empty where items are known by their names alone.
    """
    tested = _find_respondent(logs, respondent)
    logs = logs.keep_respondent(tested)
    names, changed = _match_items(logs.items, index)
    wanted = {entry.item: (entry.metric, entry.filter) for entry in index}
    scales = {entry.item: entry.rescaled for entry in index}
    mains = set() if index else {code for choice in logs.choose() for code in choice.measures}
    found: dict[str, dict[int, float]] = {}
    failed: dict[str, None] = {}
    rows = logs.rows
    columns = (rows.item, rows.measure, rows.repeat, rows.status, rows.value)
    for item, code, repeat, status, value in zip(*(c.tolist() for c in columns), strict=True):
        name, measure = names.get(item), logs.measures[code].measure
        if name is None:
            continue
        is_wanted = wanted.get(name) == (measure.metric, measure.filter) or code in mains
        if status != SCORED:
            failed[name] = None
        elif is_wanted:
            found.setdefault(name, {})[repeat] = value
    return LogAnswers(
        {
            name: scale_value(values[min(values)], scales.get(name, ""))
            for name, values in found.items()
        },
        tuple(name for name in failed if name not in found),
        tuple(changed),
        sum(len(values) > 1 for values in found.values()),
        tested,
    )


def _match_items(
    items: tuple[Item, ...], index: "Sequence[IndexedItem]"
) -> tuple[dict[int, str], list[str]]:
    """Give the known name of each item of new logs, by its code; and what changed its content."""
    if not index:
        return {code: item.name for code, item in enumerate(items)}, []
    exact = {(entry.task, entry.content, entry.sample): entry.item for entry in index}
    by_content = {(entry.task, entry.content): entry.item for entry in index if entry.content}
    by_sample = {(entry.task, entry.sample): entry for entry in index}
    names: dict[int, str] = {}
    changed: list[str] = []
    for code, item in enumerate(items):
        name = exact.get((item.task, item.content, item.sample))
        name = name or by_content.get((item.task, item.content))
        known = by_sample.get((item.task, item.sample))
        if name is not None:
            names[code] = name
        elif known is not None:
            changed.append(known.item)
    return names, changed


def _find_respondent(logs: "LogResponses", wanted: str | None) -> str:
    """Give the respondent whose answers are meant; refuse where that is not clear."""
    names = logs.respondents
    if not names or (wanted is not None and wanted not in names):
        problems = [f"{note.path}: {note.reason}" for note in logs.files if note.reason]
        raise ResponsesError(
            "The logs must hold samples of the model that is tested;",
            f"asked for is {wanted!r}, there are {', '.join(names[:10]) or 'none'}"
            f"{' (' + '; '.join(problems[:3]) + ')' if problems else ''}.",
            "Check the folder, or the name of the model.",
        )
    if wanted is None and len(names) > 1:
        raise ResponsesError(
            "Whose answers are meant must be clear;",
            f"the logs hold {', '.join(names[:10])}.",
            "Name one of them (--model).",
        )
    return wanted or names[0]


def scale_value(value: float, rescaled: str) -> float:
    """Do to one value what `select(rescale=True)` did to all."""
    if not rescaled:
        return value
    try:
        low, high, direction = rescaled.split(" ")
        scaled = (value - float(low)) / (float(high) - float(low))
    except (ValueError, ZeroDivisionError):
        raise StorageError(
            "The column `rescaled` is empty or says low, high and up or down;",
            f"found is {rescaled!r}.",
            "Import the logs again.",
        ) from None
    return 1 - scaled if direction == "down" else scaled
