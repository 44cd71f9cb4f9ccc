"""Tables of results: from their attributes, and as documents of a run folder, one per analysis.

Every analysis keeps its table under its own name (`leaderboard`, `audit`, …), so that whoever
reads a run, a report above all, finds what was done without knowing the analyses beforehand.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from itemcurve.errors import StorageError

if TYPE_CHECKING:
    import pandas

FORMAT = "itemcurve-table-1"


def tabulate(result: object, *names: str, **first: object) -> "pandas.DataFrame":
    """Give attributes of a result as the columns of a table.

    Parameters
    ----------
    names : of the attributes, which the columns keep.
    first : columns that come before them, by name: who or what a row is about.
    """
    # Where it is used: results are imported often, tables of them asked for now and then.
    import pandas

    return pandas.DataFrame({**first, **{name: getattr(result, name) for name in names}})


def pack_table(
    frame: "pandas.DataFrame", title: str, notes: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Give a table as a document: columns of numbers, words, truths; None where nothing is known.

    Parameters
    ----------
    title : what the table shows, for people.
    notes : settings and single numbers that belong to it.
    """
    # A list, because documents sort the keys of mappings and the order of columns is meant.
    columns = [
        {"name": str(name), "cells": [_cell(value) for value in frame[name].tolist()]}
        for name in frame.columns
    ]
    return {"format": FORMAT, "title": title, "notes": dict(notes or {}), "columns": columns}


def is_table(document: Mapping[str, Any]) -> bool:
    """Say whether a document of a run is a table."""
    return document.get("format") == FORMAT


def unpack_table(document: Mapping[str, Any], name: str) -> "pandas.DataFrame":
    """Read a table back; safe on documents from strangers."""
    import pandas

    columns = document.get("columns")
    if not is_table(document) or not isinstance(columns, list):
        raise _refusal(name, "it is not one")
    found: dict[str, list[Any]] = {}
    for column in columns:
        known = isinstance(column, dict) and isinstance(column.get("name"), str)
        if not known or not isinstance(column.get("cells"), list) or column["name"] in found:
            raise _refusal(name, "a column has no name of its own or no cells")
        found[column["name"]] = column["cells"]
    if len({len(cells) for cells in found.values()}) > 1:
        raise _refusal(name, "its columns differ in length")
    plain = (str, int, float, bool, type(None))
    if not all(isinstance(cell, plain) for cells in found.values() for cell in cells):
        raise _refusal(name, "a cell is neither number, word nor truth")
    return pandas.DataFrame(found)


def _cell(value: object) -> object:
    if hasattr(value, "item"):
        value = value.item()
    # Not a number and infinite have no JSON; both mean that nothing can be said.
    if isinstance(value, float) and not (-float("inf") < value < float("inf")):
        return None
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _refusal(name: str, reason: str) -> StorageError:
    return StorageError(
        "A table of a run has equally long columns of plain values;",
        f"{name!r} cannot be read: {reason}.",
        "Run the analysis that wrote it again.",
    )
