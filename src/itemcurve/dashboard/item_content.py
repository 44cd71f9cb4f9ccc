"""What an item asks: words, the row it was, a picture, its subject; as far as the run keeps it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from itemcurve.reports.source import Source
from itemcurve.storage.item_labels import read_labels

# Pictures that browsers only draw: a vector picture could bring links of its own.
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")
_MOST_PICTURE = 2**21
_MOST_WORDS = 20_000


@dataclass(frozen=True, eq=False)
class ItemContent:
    """By item: what it asks.

    Attributes
    ----------
    words : the question, or its task and first words.
    pictures : as addresses with the data inside.
    groups : subject or task; empty where fewer than two are known.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)


def read_content(source: Source) -> ItemContent:
    """Gather it from labels of items, and from tables of the run with columns of these names.

    A table with `item` may have `question`, `image` (an address that holds the data) and `group`.
    """
    labels = {} if source.opened is None else read_labels(source.opened)
    words = dict(labels)
    pictures: dict[str, str] = {}
    groups: dict[str, str] = {}
    for analysis in source.analyses:
        if "item" not in analysis.frame:
            continue
        words |= {k: v[:_MOST_WORDS] for k, v in _column(analysis.frame, "question").items()}
        found = _column(analysis.frame, "image")
        pictures |= {k: v for k, v in found.items() if _is_picture(v)}
        groups |= _column(analysis.frame, "group")
    groups = groups or {item: _task(label) for item, label in labels.items()}
    known = {item: group for item, group in groups.items() if group}
    return ItemContent(words, pictures, known if len(set(known.values())) > 1 else {})


def _column(frame: Any, name: str) -> dict[str, str]:
    if name not in frame:
        return {}
    pairs = zip(frame["item"].tolist(), frame[name].tolist(), strict=True)
    return {str(item): value for item, value in pairs if isinstance(value, str) and value}


def _is_picture(address: str) -> bool:
    return len(address) <= _MOST_PICTURE and _PICTURE.fullmatch(address) is not None


def _task(label: str) -> str:
    """The task of a label such as `gsm8k 17: Natalia sold`."""
    return label.partition(":")[0].rpartition(" ")[0]
