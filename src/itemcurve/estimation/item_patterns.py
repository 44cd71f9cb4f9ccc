"""Which item follows which model, said by patterns over their names."""

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, cast

from itemcurve.errors import ModelError
from itemcurve.models.contract import ItemModel

ItemLists = Mapping[str | ItemModel, Sequence[str]]
"""The ids of the items of each model."""
ItemPatterns = Mapping[str, str | ItemModel]
"""The model of the items whose ids match each pattern, as `"essay_*"`."""


def is_by_pattern(parts: Mapping[Any, Any]) -> bool:
    """Whether a mapping goes from patterns to models, not from models to lists of items."""
    return bool(parts) and all(
        isinstance(model, str) or hasattr(model, "natural") for model in parts.values()
    )


def first_model(parts: Mapping[Any, Any]) -> str | ItemModel:
    """One of the models that a mapping names."""
    if is_by_pattern(parts):
        return cast(str | ItemModel, next(iter(parts.values())))
    return next(iter(parts), "2pl")


def lists_of(items: Sequence[str], parts: ItemLists | ItemPatterns) -> ItemLists:
    """The items of each model, whichever way they are said."""
    if is_by_pattern(parts):
        return match_items(items, cast(ItemPatterns, parts))
    return cast(ItemLists, parts)


def is_named(item: str, pattern: str, ids: Collection[str]) -> bool:
    """Whether a pattern names an item; what is an id, as `q[1]`, names that item alone.

    Examples
    --------
    >>> [is_named(item, "q[1]", {"q[1]", "q1"}) for item in ("q[1]", "q1")]
    [True, False]
    """
    return item == pattern or (pattern not in ids and fnmatchcase(item, pattern))


def match_items(items: Sequence[str], patterns: ItemPatterns) -> ItemLists:
    """Give the items of each model, in the order in which models are named first.

    Parameters
    ----------
    patterns : `*` stands for anything, `?` for one sign, `[ab]` for one of these; an id is a
        pattern of itself.

    Examples
    --------
    >>> match_items(["mc_1", "essay_1"], {"mc_*": "2pl", "essay_*": "grm"})
    {'2pl': ['mc_1'], 'grm': ['essay_1']}
    """
    found: dict[str | ItemModel, list[str]] = {model: [] for model in patterns.values()}
    matched: set[str] = set()
    ids = frozenset(items)
    for item in items:
        own = [pattern for pattern in patterns if is_named(item, pattern, ids)]
        # Its own name says more of an item than a pattern of many.
        own = [item] if item in own else own
        if len(own) != 1:
            raise _refusal(item, own, patterns)
        matched.update(own)
        found[patterns[own[0]]].append(item)
    unused = [pattern for pattern in patterns if pattern not in matched]
    if unused:
        raise ModelError(
            "Every pattern must match an item.",
            f"{unused[0]!r} matches none of {len(items)}, as {items[0]!r}.",
            "Correct it or leave it out.",
        )
    return found


def _refusal(item: str, own: Sequence[str], patterns: ItemPatterns) -> ModelError:
    known = ", ".join(map(repr, patterns))
    if not own:
        return ModelError(
            "Every item must match a pattern.",
            f"{item!r} matches none of {known}.",
            f"Add a pattern for it, as {item!r} itself, or drop the item.",
        )
    return ModelError(
        "Every item must match one pattern.",
        f"{item!r} matches {' and '.join(map(repr, own))}.",
        "Make one of them narrower.",
    )
