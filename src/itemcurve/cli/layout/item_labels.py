"""Items as people know them: task, number and the first words of the question.

Ids of items from logs hold a hash of what is asked. `itemcurve import` writes beside the responses
which sample each one is; `fit` keeps that in the run, and tables show it instead of the hash.
"""

from collections.abc import Iterable
from pathlib import Path

from itemcurve.cli.layout.terminal import clean, truncate

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


def _stored(run: Path) -> dict[str, str]:
    from itemcurve.storage.item_labels import read_labels
    from itemcurve.storage.run_folder import read_run
    from itemcurve.storage.run_manifest import MANIFEST

    return read_labels(read_run(run)) if (run / MANIFEST).is_file() else {}


def _write(task: str, sample: str, question: str) -> str:
    where = f"{truncate(clean(task), _TASK_WIDTH)} {clean(sample)}"
    return f"{where}: {clean(question)}" if question else where
