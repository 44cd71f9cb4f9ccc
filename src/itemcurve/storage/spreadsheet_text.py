"""Text in tables that a spreadsheet may open: names must not become formulas.

A cell that begins with =, +, - or @ is computed when a spreadsheet opens the file, and whoever
named a model or an item would run on the reader's machine. An apostrophe before it makes it text,
there and here: reading takes it away again, so that every name comes back as it was.
"""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

_FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_QUOTED = re.compile(r"'+[=+\-@＝＋－＠\t\r\n]")


def quote_formula(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would compute; numbers stay as they are.

    Examples
    --------
    >>> quote_formula("=1+1"), quote_formula("-0.5"), quote_formula("gpt-4")
    ("'=1+1", '-0.5', 'gpt-4')
    """
    return f"'{text}" if _FORMULA.match(text) and not _is_number(text) else text


def unquote_formula(text: str) -> str:
    """Take away the apostrophe that `quote_formula` puts.

    Examples
    --------
    >>> unquote_formula("'=1+1"), unquote_formula("'tis")
    ('=1+1', "'tis")
    """
    return text[1:] if _QUOTED.match(text) else text


def table_text(table: "pandas.DataFrame", *, separator: str = ",") -> str:
    """Give a table as CSV whose texts no spreadsheet computes."""
    safe = table.rename(columns=_quote_any)
    for place, kind in enumerate(table.dtypes):
        if kind.kind not in "biufmM":
            safe.isetitem(place, [_quote_any(value) for value in table.iloc[:, place]])
    return str(safe.to_csv(sep=separator, index=False))


def _quote_any(value: Any) -> Any:
    return quote_formula(value) if isinstance(value, str) else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return not text[:1].isspace()
