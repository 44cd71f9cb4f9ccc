"""Which item is which sample of its harness, and by what it is scored: kept beside responses.

Names of items hold a hash of their content; a harness wants its own ids, and the next log must be
scored as the former ones were. One CSV file with a row per item says both.
"""

import csv
import io
import os
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from itemcurve.errors import ResponsesError, StorageError
from itemcurve.logs.batch import SCORED
from itemcurve.logs.item_codes import Item
from itemcurve.logs.long_table import LogResponses
from itemcurve.logs.selection import Choice
from itemcurve.storage.atomic_files import write_bytes

SUFFIX = ".items.csv"
_LARGEST = 2**28


@dataclass(frozen=True)
class IndexedItem:
    """One item: its name here, task and sample of the harness, and the metric that scored it.

    `rescaled` is "" for values as they are, else the range and direction that became 0 to 1.
    """

    item: str
    task: str
    sample: str
    content: str
    harness: str
    metric: str
    filter: str
    rescaled: str = ""


@dataclass(frozen=True)
class Recorded:
    """What a new log says about items: responses, failures, and what is not the item it claims."""

    responses: dict[str, float]
    failed: tuple[str, ...]
    changed: tuple[str, ...]
    repeated: int


def index_items(
    logs: LogResponses, choices: Iterable[Choice], *, rescale: bool = False
) -> tuple[IndexedItem, ...]:
    """List the items of the tasks chosen, with how they are scored."""
    chosen = {
        (choice.task, choice.harness): (
            choice.metric,
            choice.filter,
            _pack_scale(choice) if rescale else "",
        )
        for choice in choices
    }
    return tuple(
        IndexedItem(
            item.name,
            item.task,
            item.sample,
            item.content,
            item.harness,
            *chosen[item.task, item.harness],
        )
        for item in logs.items
        if (item.task, item.harness) in chosen
    )


def write_index(index: Iterable[IndexedItem], path: str | os.PathLike[str]) -> None:
    """Write the list, atomically."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(_header())
    writer.writerows(astuple(entry) for entry in index)
    write_bytes(path, stream.getvalue().encode("utf-8", "replace"))


def read_index(path: str | os.PathLike[str]) -> tuple[IndexedItem, ...]:
    """Read a list that `write_index` wrote, checked."""
    file = Path(path)
    try:
        if file.stat().st_size > _LARGEST:
            raise _refusal(file, "it is too large")
        rows = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8"), newline="")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _refusal(file, str(error)) from None
    if not rows or rows[0] != _header() or any(len(row) != len(rows[0]) for row in rows):
        raise _refusal(file, f"its columns are not {', '.join(_header())}")
    return tuple(IndexedItem(*row) for row in rows[1:])


def find_index(folders: Iterable[Path]) -> tuple[IndexedItem, ...]:
    """Read the one list of items that stands in these folders; empty where there is none."""
    found = sorted({path for folder in folders for path in folder.glob(f"*{SUFFIX}")})
    if len(found) > 1:
        raise ResponsesError(
            "Which items are meant must be clear;",
            f"there are {', '.join(path.name for path in found[:5])}.",
            "Name one with --items.",
        )
    return read_index(found[0]) if found else ()


def match_responses(logs: LogResponses, index: tuple[IndexedItem, ...]) -> Recorded:
    """Find the responses of one respondent to items that are known by an index.

    Samples that failed are listed, not wrong; a sample whose content is not that of the item it
    stands for is left out. Of repeats the first counts.

    Parameters
    ----------
    logs : of one respondent.
    index : empty where items are known by their names alone.
    """
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
    return Recorded(
        {name: _scale(values[min(values)], scales.get(name, "")) for name, values in found.items()},
        tuple(name for name in failed if name not in found),
        tuple(changed),
        sum(len(values) > 1 for values in found.values()),
    )


def _match_items(
    items: tuple[Item, ...], index: tuple[IndexedItem, ...]
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


def _pack_scale(choice: Choice) -> str:
    return f"{choice.low!r} {choice.high!r} {'up' if choice.is_higher_better else 'down'}"


def _scale(value: float, rescaled: str) -> float:
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


def _header() -> list[str]:
    return [field.name for field in fields(IndexedItem)]


def _refusal(path: Path, reason: str) -> StorageError:
    return StorageError(
        "A list of items must be as `itemcurve import` wrote it;",
        f"{str(path)!r} is not: {reason}.",
        "Import the logs again.",
    )
