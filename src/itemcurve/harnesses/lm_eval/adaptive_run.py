"""A test run to its end by lm-evaluation-harness: a batch of documents, their scores, the next."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Protocol

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.harnesses.kept_test import AnyTest, Save, items_of, record_new
from itemcurve.logs.formats.lm_eval.samples import content_of, metrics_of
from itemcurve.logs.harness.item_index import IndexedItem, ItemIndex
from itemcurve.logs.harness.log_answers import scale_value
from itemcurve.logs.harness.next_samples import find_samples
from itemcurve.logs.reading.plain_values import clean_name

Lines = Mapping[str, Sequence[dict[str, Any]]]
Report = Callable[[AnyTest], None]


class Harness(Protocol):
    """Runs documents by number; `LoadedHarness` does it with a model."""

    def run(self, samples: Mapping[str, Sequence[int]]) -> Lines:
        """Give the lines of the log of these documents, by task."""
        ...


def run_test(
    test: AnyTest,
    harness: Harness,
    index: ItemIndex,
    *,
    batch: int = 32,
    save: Save | None = None,
    report: Report | None = None,
) -> None:
    """Ask a test's items in batches until its rule ends it.

    Parameters
    ----------
    index : which document is which item, and by what metric it is scored.
    batch : how many documents a run of the harness has at most; fewer at the beginning and near
        the end, unless a number of items is all that ends the test.
    save : keeps the test, before and after each batch: a run that was killed goes on from there.
    report : called after each batch.
    """
    while not test.is_finished and (items := test.next_paced(batch)):
        record_new(test, {}, save)
        wanted = find_samples(items, index.entries)
        found = find_scores(harness.run(group_documents(wanted)), wanted)
        _check_answered(items, found)
        record_new(test, found, save)
        if report is not None:
            report(test)


def tasks_of(test: AnyTest, index: ItemIndex, named: Sequence[str]) -> list[str]:
    """Give the tasks whose documents the items are; refuse where others are named."""
    needed = dict.fromkeys(entry.task for entry in find_samples(items_of(test), index.entries))
    missing = [task for task in needed if task not in named]
    if named and missing:
        raise ModelError(
            "The tasks to run must hold all items of the bank;",
            f"{', '.join(missing[:5])} is not among {', '.join(named)}.",
            "Name all of them, or leave --tasks out.",
        )
    return list(needed)


def group_documents(samples: Iterable[IndexedItem]) -> dict[str, list[int]]:
    """Give the numbers of documents by task."""
    tasks: dict[str, list[int]] = {}
    for sample in samples:
        if not sample.sample.isdecimal():
            raise ResponsesError(
                "lm-evaluation-harness numbers its documents;",
                f"the sample of {sample.item!r} is {sample.sample!r}.",
                "Use a bank of its own logs.",
            )
        tasks.setdefault(sample.task, []).append(int(sample.sample))
    return tasks


def find_scores(lines: Lines, wanted: Iterable[IndexedItem]) -> dict[str, float]:
    """Give the responses to items: by the content of documents, scored as the bank was."""
    known = {
        (task, content_of(line), clean_name(str(line.get("filter", "none")))): line
        for task, found in lines.items()
        for line in found
    }
    responses: dict[str, float] = {}
    for entry in wanted:
        line = known.get((entry.task, entry.content, entry.filter))
        value = None if line is None else dict(reversed(metrics_of(line))).get(entry.metric)
        if value is not None and isfinite(value):
            responses[entry.item] = scale_value(value, entry.rescaled)
    return responses


def _check_answered(items: Sequence[str], found: Mapping[str, float]) -> None:
    """Refuse to go on without answers: the harness fails as a whole, or scores all."""
    missing = [item for item in items if item not in found]
    if missing:
        raise ResponsesError(
            "The harness must score the documents that the bank was calibrated on, by its metric;",
            f"{len(missing)} of {len(items)} have other content or no such score, the first is "
            f"{missing[0]!r}.",
            "Use the version of the task that the logs came from; what was answered is kept.",
        )
