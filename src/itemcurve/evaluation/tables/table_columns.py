"""What the columns of a table are: numbers, categories, dates, or names of rows to leave out."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

# Up to this many categories get a column each; more get one column of ranks.
MOST_CATEGORIES = 20
# Text that differs in nearly every row names the row; no category occurs often enough to learn.
_NAMING_SHARE = 0.95
_FEWEST_ROWS = 20
_ID_NAME = re.compile(
    r"(^|[_\s.-])(id|ids|uuid|guid|index|key|row|nr|no)$|^unnamed: ?0$|[a-z]I[dD]$"
)


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table by kind.

    Attributes
    ----------
    numbers, few, many, dates : numeric; at most `MOST_CATEGORIES` categories; more; points in time.
    left_out : column and reason.
    """

    numbers: tuple[str, ...]
    few: tuple[str, ...]
    many: tuple[str, ...]
    dates: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def needs_preparation(self) -> bool:
        """Whether some column is no plain number."""
        return bool(self.few or self.many or self.dates or self.left_out)


def sort_columns(table: "pandas.DataFrame") -> TableColumns:
    """Tell the columns of a table apart.

    Left out are columns with no value at all, with one value only, and those that name rows: text
    that differs in at least 95 % of the rows, and whole numbers that differ in every row and
    either count up or down or are called something like `id`.
    """
    from pandas.api import types

    found: dict[str, list[str]] = {kind: [] for kind in ("numbers", "few", "many", "dates")}
    left_out = []
    for name in table.columns:
        column = table[name]
        reason = _reason_to_leave_out(str(name), column)
        if reason:
            left_out.append((name, reason))
        elif types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
            found["dates"].append(name)
        elif types.is_numeric_dtype(column):
            found["numbers"].append(name)
        else:
            found["few" if column.nunique() <= MOST_CATEGORIES else "many"].append(name)
    return TableColumns(
        numbers=tuple(found["numbers"]),
        few=tuple(found["few"]),
        many=tuple(found["many"]),
        dates=tuple(found["dates"]),
        left_out=tuple(left_out),
    )


def _reason_to_leave_out(name: str, column: "pandas.Series") -> str:
    from pandas.api import types

    present = column.dropna()
    if present.empty:
        return "it has no value in the rows to train on"
    distinct = present.nunique()
    if distinct == 1 and len(present) == len(column):
        return "all its values are the same"
    if len(present) < _FEWEST_ROWS:
        return ""
    if types.is_integer_dtype(column):
        is_count = present.is_monotonic_increasing or present.is_monotonic_decreasing
        names_rows = distinct == len(column) and (is_count or bool(_ID_NAME.search(name)))
        return "it numbers the rows" if names_rows else ""
    is_text = not (types.is_numeric_dtype(column) or types.is_datetime64_any_dtype(column))
    if is_text and distinct >= _NAMING_SHARE * len(present):
        return "it differs in nearly every row, as a name or free text does"
    return ""
