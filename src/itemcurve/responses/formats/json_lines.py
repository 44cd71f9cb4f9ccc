"""Tables in JSON Lines files: one record per line."""

import json
from array import array
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.input.table_input import Table

_MANY_CELLS = 20_000_000
_LEAST_SHARE = 0.01


def read_json_lines(stream: IO[str], shown: str) -> Table:
    """Read records with equal or differing keys; an absent key is a missing value.

    Parameters
    ----------
    stream
        The open file, at its start.
    shown
        How to name the file in an error.
    """
    found: dict[str, _Column] = {}
    texts: dict[str, str] = {}
    count = 0
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        for name, value in _read_record(line, number, shown).items():
            if isinstance(value, str):
                # Ids come again and again; each is kept once, not as often as it was read.
                value = texts.setdefault(value, value)
            found.setdefault(name, _Column()).add(count, value)
        count += 1
    if not count:
        raise ResponsesError(
            "A file of responses must have at least one record;",
            f"{shown!r} is empty.",
            "Check how it was written.",
        )
    _refuse_scattered(found, count, shown)
    return Table(list(found), [column.fill(count) for column in found.values()])


class _Column:
    """The values of one key, and which records have them."""

    def __init__(self) -> None:
        self.places, self.values = array("q"), list[Any]()

    def add(self, place: int, value: Any) -> None:
        self.places.append(place)
        self.values.append(value)

    def fill(self, count: int) -> NDArray[Any]:
        """Give one value per record, None where there is none."""
        if len(self.values) == count:
            return np.fromiter(self.values, dtype=object, count=count)
        column = np.full(count, None, dtype=object)
        for place, value in zip(self.places, self.values, strict=True):
            column[place] = value
        return column


def _refuse_scattered(found: dict[str, _Column], count: int, shown: str) -> None:
    """Raise where records have hardly a key in common: cells grow with the square of the file."""
    cells, given = count * len(found), sum(len(column.values) for column in found.values())
    if cells > _MANY_CELLS and given < _LEAST_SHARE * cells:
        raise ResponsesError(
            "Records with one key per item must have most of their keys in common;",
            f"the {count:,} records of {shown!r} have {len(found):,} keys, "
            f"{given / count:,.0f} each.",
            'Write one record per response: {"respondent": "a", "item": "q1", "response": 1}.',
        )


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("it has a key twice")
    return record


def _read_record(line: str, number: int, shown: str) -> dict[str, Any]:
    """Read one line as a JSON object."""
    try:
        record = json.loads(line, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        raise _refusal(number, shown, str(error)) from None
    if not isinstance(record, dict):
        raise _refusal(number, shown, f"it holds a {type(record).__name__}")
    return record


def _refusal(number: int, shown: str, reason: str) -> ResponsesError:
    return ResponsesError(
        'Each line must be a JSON object such as {"respondent": "a", "item": "q1", "response": 1};',
        f"line {number} of {shown!r} is not: {reason}.",
        "Correct or remove this line.",
    )
