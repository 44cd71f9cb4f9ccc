"""Which sample of a task is which item of a bank."""

from collections.abc import Iterable, Sequence
from typing import Any

from itemcurve.errors import ResponsesError
from itemcurve.logs.formats.inspect_ai.samples import content_of
from itemcurve.logs.harness.item_index import ItemIndex
from itemcurve.logs.harness.next_samples import find_samples
from itemcurve.logs.table.item_codes import SHOWN_HASH


def match_samples(
    items: Sequence[str],
    samples: Iterable[Any],
    index: ItemIndex | None = None,
    *,
    some: bool = False,
) -> dict[str, Any]:
    """Find the sample of every item: by an index, by id, or by the content that names it.

    Parameters
    ----------
    items : of the bank; each must be found.
    samples : of the task; one without id is known by its number, as Inspect does it.
    index : `LogResponses.index()` of the logs that the bank came from.
    some : whether items may lack a sample, as where a run is limited.
    """
    by_id = {str(sample.id): sample for sample in number_samples(samples)}
    if index is not None:
        found = _by_index(items, by_id, index)
    elif any(item in by_id for item in items):
        found = {item: by_id.get(item) for item in items}
    else:
        by_content = {sample_content(sample)[:SHOWN_HASH]: sample for sample in by_id.values()}
        found = {item: by_content.get(item.rpartition("/")[2]) for item in items}
    known = {item: sample for item, sample in found.items() if sample is not None}
    if not known or (len(known) < len(found) and not some):
        raise _refusal(found, len(by_id))
    return known


def number_samples(samples: Iterable[Any]) -> list[Any]:
    """Give samples without id their number, from 1 on."""
    return [
        sample if sample.id is not None else sample.model_copy(update={"id": number})
        for number, sample in enumerate(samples, 1)
    ]


def sample_content(sample: Any) -> str:
    """Give the hash of a sample's content, as logs of it have it."""
    packed = sample.model_dump(mode="json", include={"input", "target"}, exclude_none=True)
    return content_of(packed.get("input"), packed.get("target"))


def _by_index(items: Sequence[str], by_id: dict[str, Any], index: ItemIndex) -> dict[str, Any]:
    by_content = {sample_content(sample): sample for sample in by_id.values()}
    return {
        entry.item: by_content.get(entry.content) if entry.content else by_id.get(entry.sample)
        for entry in find_samples(items, index.entries)
    }


def _refusal(found: dict[str, Any], count: int) -> ResponsesError:
    missing = [item for item, sample in found.items() if sample is None]
    return ResponsesError(
        "Every item of the bank must be a sample of the task, by its id or its content;",
        f"{len(missing):,} of {len(found):,} are none of its {count:,} samples, the first is "
        f"{missing[0]!r}.",
        "Give the task of the logs that the bank came from, or the samples the ids of items.",
    )
