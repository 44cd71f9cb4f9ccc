"""What a table looks like that was written with a slip: numbers for names, names for numbers."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesWarning
from itemcurve.responses.input.column_numbers import Column, column_numbers

# A first column of this name has ids, be they numbers.
ID_WORDS = (
    *("agent", "candidate", "id", "index", "llm", "model", "model_id", "model_name", "models"),
    *("name", "participant", "person", "respondent", "respondent_id", "respondents", "student"),
    *("subject", "system", "systems", "user", "user_id"),
)


def warn_of_numbers_as_names(names: list[str], columns: list[NDArray[Any]]) -> None:
    """Warn where the names of items look like responses: a file without a row of names."""
    try:
        numbers = [float(name) for name in names]
    except ValueError:
        return
    is_whole = all(number.is_integer() for number in numbers)
    is_counted = is_whole and len(names) > 2 and numbers == sorted(numbers)
    if is_counted or (is_whole and not set(numbers) <= _all_values(columns)):
        return
    _warn(
        f"The first row names the items {', '.join(map(repr, names[:3]))}: if these are responses, "
        "the file lacks a row of names, and one respondent was lost."
    )


def _all_values(columns: list[NDArray[Any]]) -> set[float]:
    return {value for column in columns for value in np.unique(column).tolist()}


def warn_of_numbered_rows(name: str, first: Column, others: list[Column]) -> None:
    """Warn where the first column looks like numbers of respondents, and not like an item."""
    numbers = column_numbers(first, name, str, parse_text=True).astype(float)
    is_counted = (
        numbers.size > 1
        and numbers.max() > 1
        and np.array_equal(numbers, np.round(numbers))
        and np.unique(numbers).size == numbers.size
    )
    if is_counted and all(map(_is_share, others)):
        _warn(
            f"Column {name!r} was read as an item, and looks like numbers of respondents: if it "
            "is, name it 'respondent'."
        )


def _is_share(column: Column) -> bool:
    """Whether all values lie between 0 and 1, or are missing."""
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "biuf":
        return False
    values = column[~np.isnan(column)] if column.dtype.kind == "f" else column
    return not values.size or bool(values.min() >= 0 and values.max() <= 1)


def _warn(message: str) -> None:
    warnings.warn(message, ResponsesWarning, stacklevel=2)
