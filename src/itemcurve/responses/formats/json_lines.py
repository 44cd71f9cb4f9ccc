"""Tables in JSON Lines files: one record per line."""

import json
from typing import IO, Any

import numpy as np

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
    records = [
        _read_record(line, number, shown) for number, line in enumerate(stream, 1) if line.strip()
    ]
    if not records:
        raise ResponsesError(
            "A file of responses must have at least one record;",
            f"{shown!r} is empty.",
            "Check how it was written.",
        )
    # A dictionary rather than a set, to keep the order of first appearance.
    names = list(dict.fromkeys(name for record in records for name in record))
    _refuse_scattered(records, names, shown)
    columns = [
        np.fromiter((record.get(name) for record in records), dtype=object, count=len(records))
        for name in names
    ]
    return Table(names, columns)


def _refuse_scattered(records: list[dict[str, Any]], names: list[str], shown: str) -> None:
    """Raise where records have hardly a key in common: cells grow with the square of the file."""
    cells, given = len(records) * len(names), sum(map(len, records))
    if cells > _MANY_CELLS and given < _LEAST_SHARE * cells:
        raise ResponsesError(
            "Records with one key per item must have most of their keys in common;",
            f"the {len(records):,} records of {shown!r} have {len(names):,} keys, "
            f"{given / len(records):,.0f} each.",
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
