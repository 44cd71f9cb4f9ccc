"""Tables in CSV and TSV files."""

import csv
from typing import IO, TYPE_CHECKING, Any

from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.ids import refuse_repeated_ids
from itemcurve.responses.input.column_numbers import (
    MISSING_TEXTS,
    CodedColumn,
    Column,
    factorize,
)
from itemcurve.responses.input.table_input import REPEATED_COLUMN_ADVICE, Layout, Table, is_long
from itemcurve.storage.spreadsheet_text import unquote_formula
from itemcurve.storage.text_files import check_rows, warn_of_a_cut

if TYPE_CHECKING:
    import pandas

# So many cells show what values look like.
_ENOUGH = 20
_LONG_NEEDED = ("respondent", "item", "response", "weight")


def read_delimited(stream: IO[str], separator: str, shown: str, layout: Layout) -> Table:
    """Read a table whose first row names the columns.

    Ids stay text, so that `007` and `NA` are names; elsewhere empty cells and NA are missing.

    Parameters
    ----------
    stream
        The open file, at its start.
    separator
        What stands between two cells.
    shown
        How to name the file in an error.
    layout
        As for `Responses.read`.
    """
    # Imported here: it takes a good part of a second, and only text files need it.
    import pandas

    header = _read_header(stream, separator, shown)
    rows = check_rows(stream, separator)
    if rows.uneven:
        raise _uneven(shown, rows.uneven)
    if is_long(header, layout):
        wanted = [name for name in header if name in _LONG_NEEDED]
        text_columns = {"respondent", "item"}
    else:
        wanted, text_columns = header, {"respondent", header[0]}
    # Before 3.1 pandas read decimals fast but not exactly, unless asked.
    is_exact = tuple(int(part) for part in pandas.__version__.split(".")[:2]) >= (3, 1)
    try:
        frame = pandas.read_csv(
            stream,
            sep=separator,
            header=0,
            names=header,
            # All columns are read, wanted or not: given a choice of columns pandas no longer
            # notices rows that are too long.
            dtype={name: object for name in header if name in text_columns},
            na_values={name: list(MISSING_TEXTS) for name in wanted if name not in text_columns},
            keep_default_na=False,
            # Types are inferred from whole columns; guessing by pieces could mix them.
            low_memory=False,
            float_precision=None if is_exact else "round_trip",
        )
    except (pandas.errors.ParserError, pandas.errors.EmptyDataError) as error:
        if "out of memory" in str(error):
            raise MemoryError from None
        raise _uneven(shown, str(error).strip()) from None
    if not rows.is_ended and header[-1] in wanted:
        numbers = frame[[name for name in wanted if name not in text_columns]]
        _warn_of_a_cut(numbers, header[-1] in text_columns, shown)
    columns = [
        _plain_ids(frame[name].to_numpy()) if name in text_columns else frame[name].to_numpy()
        for name in wanted
    ]
    return Table([unquote_formula(name) for name in wanted], columns, parse_text=True)


def _plain_ids(column: NDArray[Any]) -> Column:
    """Take away what keeps spreadsheets from computing names."""
    codes, distinct = factorize(column)
    return CodedColumn(codes, [unquote_formula(text) for text in distinct])


def _read_header(stream: IO[str], separator: str, shown: str) -> list[str]:
    """Give the names in the first row, once the second agrees with it; go back to the start."""
    try:
        filled = (row for row in csv.reader(stream, delimiter=separator) if row)
        header = next(filled, None)
        first = next(filled, None)
    except csv.Error as error:
        raise _uneven(shown, str(error)) from None
    if header is None or first is None:
        raise ResponsesError(
            "A file of responses must have a row of names and at least one row below it;",
            f"{shown!r} {'is empty' if header is None else 'has only the names'}.",
            "Check how it was written.",
        )
    if len(header) == 1:
        refuse_other_separators(header[0], separator, shown)
    refuse_repeated_ids(header, "column", REPEATED_COLUMN_ADVICE)
    if len(first) != len(header):
        raise _uneven(shown, f"{len(header)} names, but {len(first)} cells in the first row")
    stream.seek(0)
    return header


def refuse_other_separators(line: str, separator: str, shown: str) -> None:
    """Say so when one long name is a whole row of names: spreadsheets love the semicolon."""
    found = next((sign for sign in (";", "\t", ",", "|") if line.count(sign)), None)
    if found is not None and found != separator:
        words = {";": "semicolons", "\t": "tabs", ",": "commas", "|": "bars"}
        raise ResponsesError(
            f"Cells must be separated by {words[separator]} in a file of this ending;",
            f"{shown!r} has one column, whose name holds {words[found]}.",
            f"Save it with {words[separator]}"
            + (", or rename it to end in .tsv." if found == "\t" else "."),
        )


def _warn_of_a_cut(values: "pandas.DataFrame", is_id_last: bool, shown: str) -> None:
    """Say that the last value may be a part of what was written, unless all are single digits."""
    is_plain = not is_id_last and all(
        values[name].dtype.kind in "biuf" and values[name].dropna().isin(range(10)).all()
        for name in values
    )
    if is_plain and values.size > _ENOUGH and values.iloc[-1, -1:].notna().all():
        return
    warn_of_a_cut(shown)


def _uneven(shown: str, reason: str) -> ResponsesError:
    return ResponsesError(
        "The rows of a table must have as many cells as there are column names;",
        f"{shown!r} is not such a table: {reason}.",
        "Correct the row named, or its separators and quotation marks.",
    )
