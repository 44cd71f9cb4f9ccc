"""Responses from tables: long (one row per observation) or wide (one row per respondent)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.ids import number_ids, refuse_repeated_ids
from itemcurve.responses.input.array_input import parts_from_array
from itemcurve.responses.input.column_numbers import (
    Column,
    column_ids,
    column_numbers,
    is_numeric,
)
from itemcurve.responses.input.likely_slips import (
    ID_WORDS,
    warn_of_numbered_rows,
    warn_of_numbers_as_names,
)
from itemcurve.responses.input.parts import Parts, check_shape
from itemcurve.responses.input.value_checks import check_weights, refuse_infinite
from itemcurve.responses.layouts.cell_layout import arrange_cells
from itemcurve.responses.layouts.compaction import LARGEST_SMALL_INTEGER

Layout = Literal["auto", "long", "wide"]
LONG_COLUMNS = ("respondent", "item", "response")
# Names that R, pandas and Arrow give to a column of row names.
UNNAMED_FIRST = ("", "Unnamed: 0")
UNNAMED_ANYWHERE = "__index_level_0__"
REPEATED_COLUMN_ADVICE = "Rename them; the first row of a file must name the columns."


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length with their names, and row names if the source had them."""

    names: list[str]
    columns: Sequence[Column]
    row_names: NDArray[Any] | None = None
    parse_text: bool = False

    def column(self, name: str) -> Column:
        """Give one column."""
        return self.columns[self.names.index(name)]


def parts_from_table(table: Table, layout: Layout) -> Parts:
    """Recognise the layout of a table and take its responses."""
    refuse_repeated_ids(table.names, "column", REPEATED_COLUMN_ADVICE)
    if not table.columns or not table.columns[0].size:
        raise ResponsesError(
            "A table of responses must have at least one row and one column;",
            f"given is an empty one with columns {table.names[:5]}.",
            "Check the filter or the file that produced it.",
        )
    if is_long(table.names, layout):
        return _parts_from_long(table)
    return _parts_from_wide(table)


def is_long(names: list[str], layout: Layout) -> bool:
    """Say whether a table has one row per observation, and refuse one that cannot be so."""
    if layout not in ("auto", "long", "wide"):
        raise ResponsesError(
            'The layout must be "auto", "long" or "wide";', f"given is {layout!r}.", 'Use "auto".'
        )
    missing = [name for name in LONG_COLUMNS if name not in names]
    # Two of the three names are a long table with a slip in the third, not items of a wide one.
    if layout == "long" or (layout == "auto" and {"respondent", "item"} <= set(names)):
        if missing:
            raise ResponsesError(
                "A long table must have the columns respondent, item and response;",
                f"missing is {missing[0]!r}, given are {names[:8]}.",
                'Rename the columns, or use `layout="wide"`.',
            )
        return True
    return layout == "auto" and not missing


def _parts_from_long(table: Table) -> Parts:
    """Read one observation per row; a missing response still names its respondent and item."""
    rows, respondents = column_ids(table.column("respondent"), "respondent")
    columns, items = column_ids(table.column("item"), "item")

    def locate(k: int) -> str:
        return f"row {k + 1} (respondent {respondents[rows[k]]!r}, item {items[columns[k]]!r})"

    values = column_numbers(
        table.column("response"), "response", locate, parse_text=table.parse_text
    )
    refuse_infinite(values, locate)
    is_given = values.dtype.kind != "f" or not np.isnan(values).any()
    shape = (len(respondents), len(items))
    if is_given and "weight" not in table.names:
        return Parts(respondents, items, arrange_cells(rows, columns, values, None, shape))
    kept = ~np.isnan(values)
    weights = None
    if "weight" in table.names:
        weights = column_numbers(
            table.column("weight"), "weight", locate, parse_text=table.parse_text
        )
        weights = np.where(kept, weights, 0)
        check_weights(weights, locate)
        kept &= weights > 0
        weights = weights[kept]
    cells = arrange_cells(rows[kept], columns[kept], values[kept], weights, shape)
    return Parts(respondents, items, cells)


def _parts_from_wide(table: Table) -> Parts:
    """Read one respondent per row; every column that is not the ids is an item."""
    id_name = _find_id_column(table)
    items = [name for name in table.names if name != id_name]
    count = table.columns[0].size
    check_shape((count, len(items)))
    if id_name is not None:
        respondents = _row_ids(table.column(id_name), id_name)
    elif table.row_names is not None:
        respondents = _row_ids(table.row_names, "index")
    else:
        respondents = number_ids("respondent", count)
    columns = [
        column_numbers(
            column,
            name,
            lambda k: f"row {k + 1} (respondent {respondents[k]!r})",
            parse_text=table.parse_text,
        )
        for name, column in zip(table.names, table.columns, strict=True)
        if name != id_name
    ]
    if table.parse_text and str(id_name).lower() not in (*UNNAMED_FIRST, *ID_WORDS):
        warn_of_numbers_as_names(items, columns)
    return parts_from_array(_stack(columns), respondents, items, None)


def _find_id_column(table: Table) -> str | None:
    """Name the column of respondents, if there is one."""
    if "respondent" in table.names:
        return "respondent"
    if UNNAMED_ANYWHERE in table.names:
        return UNNAMED_ANYWHERE
    if table.names[0] in UNNAMED_FIRST:
        return table.names[0]
    first = table.columns[0]
    if table.row_names is not None:
        return None
    if not is_numeric(first) or (table.names[0].lower() in ID_WORDS and len(table.names) > 1):
        return table.names[0]
    warn_of_numbered_rows(table.names[0], first, list(table.columns[1:]))
    return None


def _row_ids(column: Column, name: str) -> tuple[str, ...]:
    """Give one id per row, none of them twice."""
    codes, ids = column_ids(column, name)
    texts = [ids[code] for code in codes]
    refuse_repeated_ids(
        texts,
        "respondent",
        f"The ids were taken from {name!r}; rename them, correct text among its numbers, "
        "or use a long table for repeated measurements.",
    )
    return tuple(texts)


def _stack(columns: list[NDArray[Any]]) -> NDArray[Any]:
    """Put columns side by side, in one byte per cell where they are small integers."""
    is_small = all(
        column.dtype.kind == "b"
        or (
            column.dtype.kind in "iu" and 0 <= column.min() <= column.max() <= LARGEST_SMALL_INTEGER
        )
        for column in columns
    )
    matrix = np.empty((columns[0].size, len(columns)), dtype=np.int8 if is_small else np.float64)
    for place, column in enumerate(columns):
        matrix[:, place] = column
    return matrix
