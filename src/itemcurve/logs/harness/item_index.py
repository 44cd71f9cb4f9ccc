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
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import ResponsesError, StorageError
from itemcurve.logs.harness.log_answers import LogAnswers, find_answers
from itemcurve.logs.harness.next_samples import find_samples, format_inspect, format_lm_eval
from itemcurve.logs.reading.log_rows import SCORED
from itemcurve.logs.table.measure_choice import Choice
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.spreadsheet_text import quote_formula, unquote_formula

if TYPE_CHECKING:
    from itemcurve.logs.table.long_table import LogResponses

SUFFIX = ".items.csv"
_LARGEST = 2**28


@dataclass(frozen=True)
class IndexedItem:
    """One item: its name here, task and sample of the harness, and the metric that scored it.

    `rescaled` is "" for values as they are, else the range and direction that became 0 to 1;
    `question` the first words of what is asked.
    """

    item: str
    task: str
    sample: str
    content: str
    harness: str
    metric: str
    filter: str
    rescaled: str = ""
    question: str = ""


@dataclass(frozen=True)
class ItemIndex:
    """The items of some logs: told to a harness by its own ids, and found again in its next log.

    `LogResponses.index` gives one; `save` and `load` keep it beside the responses.
    """

    entries: tuple[IndexedItem, ...] = ()

    def lm_eval_samples(self, items: Iterable[str]) -> str:
        """Give the JSON for `lm_eval --samples` that runs just these items."""
        return format_lm_eval(find_samples(items, self.entries))

    def inspect_samples(self, items: Iterable[str]) -> str:
        """Give the list for `inspect eval --sample-id` that runs just these items."""
        return format_inspect(find_samples(items, self.entries))

    def find_answers(self, logs: "LogResponses", respondent: str | None = None) -> LogAnswers:
        """Find what new logs say about these items, scored as they were.

        Parameters
        ----------
        respondent : whose answers; may be left out where the logs hold one model.
        """
        return find_answers(logs, self.entries, respondent)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the list as CSV, atomically."""
        stream = io.StringIO(newline="")
        writer = csv.writer(stream)
        writer.writerow(_header())
        writer.writerows(map(quote_formula, astuple(entry)) for entry in self.entries)
        write_bytes(path, stream.getvalue().encode("utf-8", "replace"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "ItemIndex":
        """Read a list that `save` wrote, checked."""
        file = Path(path)
        try:
            if file.stat().st_size > _LARGEST:
                raise _refusal(file, "it is too large")
            rows = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8"), newline="")))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise _refusal(file, str(error)) from None
        # The last column came later; lists without it are as good.
        known = (_header(), _header()[:-1])
        if not rows or rows[0] not in known or any(len(row) != len(rows[0]) for row in rows):
            raise _refusal(file, f"its columns are not {', '.join(_header())}")
        return cls(tuple(IndexedItem(*map(unquote_formula, row)) for row in rows[1:]))


def index_items(
    logs: "LogResponses", choices: Iterable[Choice], *, rescale: bool = False
) -> ItemIndex:
    """List the items that the chosen measures scored."""
    found: list[IndexedItem] = []
    for choice in choices:
        how = (choice.metric, choice.filter, _pack_scale(choice) if rescale else "")
        here = np.isin(logs.rows.measure, choice.measures) & (logs.rows.status == SCORED)
        items = [logs.items[code] for code in np.unique(logs.rows.item[here]).tolist()]
        found += [
            IndexedItem(
                item.name, item.task, item.sample, item.content, item.harness, *how, item.question
            )
            for item in items
        ]
    return ItemIndex(tuple(found))


def find_index(folder: Path) -> ItemIndex:
    """Read the one list of items in a folder; an empty one where there is none."""
    found = sorted(folder.glob(f"*{SUFFIX}"))
    if len(found) > 1:
        raise ResponsesError(
            "Which items are meant must be clear;",
            f"there are {', '.join(path.name for path in found[:5])}.",
            "Name one with --items.",
        )
    return ItemIndex.load(found[0]) if found else ItemIndex()


def _pack_scale(choice: Choice) -> str:
    return f"{choice.low!r} {choice.high!r} {'up' if choice.is_higher_better else 'down'}"


def _header() -> list[str]:
    return [field.name for field in fields(IndexedItem)]


def _refusal(path: Path, reason: str) -> StorageError:
    return StorageError(
        "A list of items must be as `itemcurve import` wrote it;",
        f"{str(path)!r} is not: {reason}.",
        "Import the logs again.",
    )
