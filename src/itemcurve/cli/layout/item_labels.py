"""Items as people know them: task, number and the first words of the question.

Ids of items from logs hold a hash of what is asked. `itemcurve import` writes beside the responses
which sample each one is; `fit` keeps that in the run, and tables show it instead of the hash.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from itemcurve.cli.layout.terminal import clean, truncate

DOCUMENT = "item_labels"
_FORMAT = "itemcurve-item-labels-1"
# A task may take this much room, so that the number and some words are seen on 80 columns.
_TASK_WIDTH = 20


def find_labels(source: Path, items: Iterable[str]) -> dict[str, str]:
    """Give labels of items by id, from a run or from the lists beside it or the responses.

    Items that no list knows have none; a list that cannot be read is no reason to fail.
    """
    from itemcurve.errors import ItemcurveError
    from itemcurve.logs.harness.item_index import SUFFIX, ItemIndex

    wanted = set(items)
    found = {item: label for item, label in _stored(source).items() if item in wanted}
    for path in sorted(source.resolve().parent.glob(f"*{SUFFIX}")):
        if len(found) == len(wanted):
            break
        try:
            entries = ItemIndex.load(path).entries
        except ItemcurveError:
            continue
        for entry in entries:
            if entry.item in wanted:
                found.setdefault(entry.item, _write(entry.task, entry.sample, entry.question))
    return found


def pack_labels(labels: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Give labels as a document of a run, so that they are known wherever it is moved."""
    return {DOCUMENT: {"format": _FORMAT, "labels": dict(labels)}} if labels else {}


def _stored(run: Path) -> dict[str, str]:
    from itemcurve.storage.run_folder import read_run
    from itemcurve.storage.run_manifest import MANIFEST

    if not (run / MANIFEST).is_file():
        return {}
    opened = read_run(run)
    if f"{DOCUMENT}.json" not in opened.files:
        return {}
    document: dict[str, Any] = opened.document(DOCUMENT)
    labels = document.get("labels")
    if document.get("format") != _FORMAT or not isinstance(labels, dict):
        return {}
    return {item: label for item, label in labels.items() if isinstance(label, str)}


def _write(task: str, sample: str, question: str) -> str:
    where = f"{truncate(clean(task), _TASK_WIDTH)} {clean(sample)}"
    return f"{where}: {clean(question)}" if question else where
