"""Tables in JSON Lines files: one record per line."""

import json
from typing import IO, Any

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.responses.input.table_input import Table


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
    columns = [
        np.fromiter((record.get(name) for record in records), dtype=object, count=len(records))
        for name in names
    ]
    return Table(names, columns)


def _read_record(line: str, number: int, shown: str) -> dict[str, Any]:
    """Read one line as a JSON object."""
    try:
        record = json.loads(line)
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
