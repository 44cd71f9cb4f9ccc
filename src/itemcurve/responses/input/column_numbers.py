"""Numbers and ids out of the columns of a table, whatever type they came in."""

import math
import numbers
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.ids import broken_text, refuse_broken_text
from itemcurve.responses.input.value_checks import Locate, refuse_other_numbers

# What spreadsheets, R, pandas and databases write for a value that is not there.
MISSING_TEXTS = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "<NA>")
_TRUTH = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column of few distinct values: which of them each row has, -1 for missing."""

    codes: NDArray[np.integer]
    distinct: list[Any]

    @property
    def size(self) -> int:
        """How many rows there are."""
        return self.codes.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """That of objects: values may be anything."""
        return np.dtype(object)


Column = NDArray[Any] | CodedColumn


def column_numbers(column: Column, name: str, locate: Locate, *, parse_text: bool) -> NDArray[Any]:
    """Give a column as numbers, NaN where not observed.

    Parameters
    ----------
    column
        One value per row; objects may mix numbers, booleans, None and NaN.
    name
        The column, for an error.
    locate
        Names a row, for an error.
    parse_text
        Whether text such as `"1"` or `"true"` counts as a number: only where the file format
        knows nothing but text.
    """
    if not isinstance(column, CodedColumn) and column.dtype.kind not in "OSU":
        refuse_other_numbers(column.dtype, f"Responses in column {name!r}")
        return column
    codes, distinct = factorize(column)
    parsed = [_parse(value, parse_text) for value in distinct]
    bad = [code for code, number in enumerate(parsed) if number is None]
    if bad:
        first = int(np.argmax(codes == bad[0]))
        raise ResponsesError(
            "Responses must be numbers, true or false, or missing;",
            f"column {name!r} holds {np.isin(codes, bad).sum()} others, the first is "
            f"{_written(distinct[bad[0]])} at {locate(first)}.",
            "Score the answers as numbers, or leave out columns that are not responses.",
        )
    # The last element answers code -1, which stands for a missing value.
    found: NDArray[Any] = np.array([*parsed, math.nan], dtype=np.float64)[codes]
    return found


def is_numeric(column: Column) -> bool:
    """Say whether a column could be responses rather than ids."""
    if column.dtype.kind in "biuf":
        return True
    return all(_parse(value, parse_text=True) is not None for value in factorize(column)[1])


def column_ids(column: Column, name: str) -> tuple[NDArray[np.integer], tuple[str, ...]]:
    """Give the distinct ids of a column in order of appearance, and which of them each row has."""
    codes, distinct = factorize(column)
    if "" in distinct:
        codes = np.where(codes == distinct.index(""), -1, codes)
    if codes.size and codes.min() < 0:
        absent = np.flatnonzero(codes < 0)
        raise ResponsesError(
            f"Every row must have an id in column {name!r};",
            f"{absent.size} rows have none, the first is row {absent[0] + 1}.",
            "Fill in the ids, or remove these rows.",
        )
    kinds = set(map(type, distinct))
    if kinds == {str}:
        refuse_broken_text(distinct, name)
    if kinds <= {str} or kinds <= {int}:
        # Of one kind, and so not the same as text.
        return codes, tuple(map(str, distinct))
    texts = np.array([_id_text(value, name) for value in distinct], dtype=object)
    refuse_broken_text(texts.tolist(), name)
    # 1 and "1" are different objects and the same id.
    again, ids = factorize(texts)
    return again[codes], tuple(ids)


def factorize(column: Column) -> tuple[NDArray[np.integer], list[Any]]:
    """Give a code per row, -1 for missing, and the distinct values in order of appearance."""
    if isinstance(column, CodedColumn):
        return column.codes, column.distinct
    # pandas is imported here, where it is needed: reading arrays must not pay for it.
    import pandas

    try:
        codes, distinct = pandas.factorize(column)
    except UnicodeEncodeError:
        raise broken_text("cell") from None
    except TypeError:
        raise ResponsesError(
            "Cells of a table must hold one value each;",
            "given are lists, mappings or other compound values.",
            "Give one row per response: respondent, item, response.",
        ) from None
    # Half the room: there are fewer distinct values than rows, and hardly ever 2³¹ rows.
    size = np.int32 if len(distinct) <= np.iinfo(np.int32).max else np.int64
    return codes.astype(size), distinct.tolist()


def _parse(value: object, parse_text: bool) -> float | None:
    """Give a number, NaN for missing, None for what is neither."""
    if isinstance(value, (numbers.Real, np.bool_, Decimal)):
        try:
            return float(value)
        except OverflowError:
            return None
    if not isinstance(value, str) or not parse_text:
        return None
    text = value.strip()
    if text in MISSING_TEXTS:
        return math.nan
    if text.lower() in _TRUTH:
        return _TRUTH[text.lower()]
    try:
        # Python reads "1_0" as 10; in a table of responses it is a slip.
        return None if "_" in text else float(text)
    except ValueError:
        return None


def _written(value: object) -> str:
    """Write a value for an error; Python refuses to write integers of thousands of digits."""
    try:
        return repr(value)
    except ValueError:
        return f"a {type(value).__name__} of very many digits"


def _id_text(value: object, name: str) -> str:
    """Write an id as text; whole numbers stored as floats lose their point."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    if isinstance(value, (str, numbers.Real)) and str(value):
        return str(value)
    raise ResponsesError(
        f"Ids in column {name!r} must be text or numbers, and not empty;",
        f"one is {value!r}.",
        "Give every respondent and item a name.",
    )
