"""Items as the options of a harness that run just these: no harness is patched."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from itemcurve.errors import ResponsesError

if TYPE_CHECKING:
    from itemcurve.logs.harness.item_index import IndexedItem

# Inspect reads ids as patterns, and commas part them.
_PATTERN_SIGNS = set(",*?[]\n")


def find_samples(items: Iterable[str], index: "Sequence[IndexedItem]") -> "list[IndexedItem]":
    """Look items up by name; refuse any that is not known."""
    known = {entry.item: entry for entry in index}
    wanted = list(items)
    unknown = [item for item in wanted if item not in known]
    if unknown:
        raise ResponsesError(
            "Each item must be a sample of the harness;",
            f"{len(unknown)} are not known as such, the first is {unknown[0]!r}.",
            "Import the logs with `itemcurve import`, and name its list of items with --items.",
        )
    return [known[item] for item in wanted]


def format_lm_eval(samples: "Iterable[IndexedItem]") -> str:
    """Give the JSON for `lm_eval --samples`: document numbers by task.

    Examples
    --------
    >>> from itemcurve.logs.harness.item_index import IndexedItem
    >>> from itemcurve.logs.harness.next_samples import format_lm_eval
    >>> format_lm_eval([IndexedItem("gsm8k/9f", "gsm8k", "17", "9f", "", "exact_match", "none")])
    '{"gsm8k": [17]}'
    """
    tasks: dict[str, list[int]] = {}
    for sample in samples:
        if not sample.sample.isdecimal():
            raise ResponsesError(
                "lm-evaluation-harness numbers its documents;",
                f"the sample of {sample.item!r} is {sample.sample!r}.",
                "Use the format of the harness that the logs came from.",
            )
        tasks.setdefault(sample.task, []).append(int(sample.sample))
    # In order: the harness runs them so, and writes the ids it was given beside the wrong documents
    # where theirs is another.
    return json.dumps({task: sorted(found) for task, found in tasks.items()}, ensure_ascii=False)


def format_inspect(samples: "Iterable[IndexedItem]") -> str:
    """Give the list for `inspect eval --sample-id`, with tasks where there are several.

    Examples
    --------
    >>> from itemcurve.logs.harness.item_index import IndexedItem
    >>> from itemcurve.logs.harness.next_samples import format_inspect
    >>> format_inspect([IndexedItem("arith/9f", "arith", "arith-003", "9f", "", "match", "")])
    'arith-003'
    """
    listed = list(samples)
    for sample in listed:
        if _PATTERN_SIGNS & set(sample.sample):
            raise ResponsesError(
                "Inspect takes ids without commas and wildcards;",
                f"the sample of {sample.item!r} is {sample.sample!r}.",
                "Give the samples of the task plain ids.",
            )
    is_one_task = len({sample.task for sample in listed}) == 1
    return ",".join(
        sample.sample if is_one_task else f"{sample.task}:{sample.sample}" for sample in listed
    )
