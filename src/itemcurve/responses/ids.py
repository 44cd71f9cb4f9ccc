"""Names of respondents and items: text, unique, in the order given."""

from collections.abc import Iterable, Sequence

import numpy as np

from itemcurve.errors import ResponsesError


def number_ids(stem: str, count: int) -> tuple[str, ...]:
    """Name things stem_1, stem_2, …, padded with zeros so that they sort in this order."""
    width = len(str(count))
    return tuple(f"{stem}_{position:0{width}d}" for position in range(1, count + 1))


def check_ids(ids: Iterable[object] | None, count: int, stem: str) -> tuple[str, ...]:
    """Turn ids into unique text, one per row or column; number them when none are given.

    Parameters
    ----------
    ids
        Text or integers, or None.
    count
        How many rows or columns there are.
    stem
        `"respondent"` or `"item"`.
    """
    if ids is None:
        return number_ids(stem, count)
    if isinstance(ids, str):
        raise ResponsesError(
            f"The ids of {stem}s must be a list with one id each;",
            f"given is the single text {ids!r}.",
            f"Give a list, such as [{ids!r}, …].",
        )
    checked = tuple(_id_text(value, stem, position) for position, value in enumerate(ids, 1))
    if len(checked) != count:
        raise ResponsesError(
            f"There must be one id for each of the {count} {stem}s;",
            f"given are {len(checked)} ids.",
            f"Give {count} ids, or none to have them numbered.",
        )
    refuse_broken_text(checked, stem)
    refuse_repeated_ids(checked, stem)
    return checked


def refuse_broken_text(ids: Sequence[str], stem: str) -> None:
    """Raise when an id holds half of a pair of surrogates, which no file can keep."""
    try:
        "".join(ids).encode()
    except UnicodeEncodeError:
        raise broken_text(stem) from None


def broken_text(stem: str) -> ResponsesError:
    """The error of text that is no Unicode."""
    return ResponsesError(
        "Text must be Unicode;",
        f"one {stem} holds half of a pair of surrogates.",
        "Write the file again as UTF-8, or rename what has that name.",
    )


def refuse_repeated_ids(ids: Sequence[str], stem: str, advice: str = "") -> None:
    """Raise when an id occurs twice, naming the first such id and its two places."""
    if len(set(ids)) == len(ids):
        return
    first: dict[str, int] = {}
    for position, value in enumerate(ids, 1):
        if value in first:
            break
        first[value] = position
    raise ResponsesError(
        f"Each {stem} must have an id of its own;",
        f"{len(ids) - len(set(ids))} ids are repeated, the first is {value!r} "
        f"at positions {first[value]} and {position}.",
        advice or "Rename them; repeated measurements go into one row, or into a long table.",
    )


def find_positions(wanted: Iterable[object] | None, ids: tuple[str, ...], stem: str) -> list[int]:
    """Give the position of each wanted id, in the order wanted; all positions for None."""
    if wanted is None:
        return list(range(len(ids)))
    if isinstance(wanted, str):
        wanted = [wanted]
    chosen = [str(value) for value in wanted]
    position_of = {value: position for position, value in enumerate(ids)}
    unknown = [value for value in chosen if value not in position_of]
    if unknown or not chosen:
        shown = ", ".join(repr(value) for value in ids[:3])
        raise ResponsesError(
            f"Select at least one {stem}, by ids that exist;",
            f"{len(unknown)} are unknown, the first is {unknown[0]!r}."
            if unknown
            else "none given.",
            f"The ids begin with {shown}; `responses.{stem}s` lists them all.",
        )
    refuse_repeated_ids(chosen, stem, "Name each id once.")
    return [position_of[value] for value in chosen]


def _id_text(value: object, stem: str, position: int) -> str:
    """Accept text and integers as an id."""
    is_integer = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
    if isinstance(value, (str, np.str_)) or is_integer:
        text = str(value)
        if text:
            return text
    raise ResponsesError(
        f"Each {stem} must have an id that is text or an integer, and not empty;",
        f"id number {position} is {value!r}.",
        "Name each (lines that end with a separator make an empty column), or pass no ids.",
    )
