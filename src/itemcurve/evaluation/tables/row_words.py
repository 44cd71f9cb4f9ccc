"""Rows of a table in words: what an item is, for those who look at it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

_MOST_COLUMNS = 60
# Of many rows fewer columns are kept, so that runs and pages stay small.
_LEAST_COLUMNS, _MOST_CELLS = 6, 60_000
_LONGEST_TEXT = 40
_LONGEST_LINE = 120
_DIGITS = 4
_WHOLE = 1e15


def describe_rows(features: "pandas.DataFrame") -> tuple[str, ...]:
    """Give each row as `name=value, …`, the first columns of many.

    Examples
    --------
    >>> import pandas
    >>> describe_rows(pandas.DataFrame({"age": [63, 41], "sex": ["f", "m"]}))
    ('age=63, sex=f', 'age=41, sex=m')
    """
    most = max(_LEAST_COLUMNS, min(_MOST_COLUMNS, _MOST_CELLS // max(len(features), 1)))
    shown = features.iloc[:, :most]
    names = [str(name) for name in shown.columns]
    more = ", …" if features.shape[1] > most else ""
    rows = zip(*(shown[name].tolist() for name in shown.columns), strict=True)
    return tuple(
        ", ".join(f"{name}={_word(value)}" for name, value in zip(names, row, strict=True)) + more
        for row in rows
    )


def describe_texts(texts: Iterable[Any]) -> tuple[str, ...]:
    r"""Give the beginning of each text, on one line.

    Examples
    --------
    >>> describe_texts(["First line,\nsecond line"])
    ('First line, second line',)
    """
    lines = (" ".join(str(text).split()) for text in texts)
    return tuple(
        line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…" for line in lines
    )


def _word(value: Any) -> str:
    if value is None or value != value:
        return "?"
    text = _number(value) if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


def _number(value: float) -> str:
    """Four digits; whole numbers whole, which may be those of records."""
    if value.is_integer() and abs(value) < _WHOLE:
        return str(int(value))
    return f"{value:.{_DIGITS}g}"
