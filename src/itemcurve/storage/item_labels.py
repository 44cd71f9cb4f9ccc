"""Labels of items that a run keeps: task, number and first words of the question, by id."""

from collections.abc import Mapping
from typing import Any

from itemcurve.storage.run_folder import Run

DOCUMENT = "item_labels"
_FORMAT = "itemcurve-item-labels-1"


def pack_labels(labels: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Give labels as a document of a run, so that they are known wherever it is moved."""
    return {DOCUMENT: {"format": _FORMAT, "labels": dict(labels)}} if labels else {}


def read_labels(run: Run) -> dict[str, str]:
    """Give the labels that a run keeps; none where it keeps none that can be read."""
    if f"{DOCUMENT}.json" not in run.files:
        return {}
    document: dict[str, Any] = run.document(DOCUMENT)
    labels = document.get("labels")
    if document.get("format") != _FORMAT or not isinstance(labels, dict):
        return {}
    return {item: label for item, label in labels.items() if isinstance(label, str)}
