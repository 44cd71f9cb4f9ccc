"""What a page says where its script does not run: answers and the first rows, as plain markup."""

from collections.abc import Iterable
from html import escape
from typing import Any

from itemcurve.reports.numbers import write_number

_ROWS = 15
_WITHOUT = "This page needs JavaScript for the rest: pictures, cards, all rows and their order."


def still_page(title: str, facts: str, lines: Iterable[str], table: dict[str, Any]) -> str:
    """Give heading, sentences and the first rows of a table; every name is escaped."""
    said = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        f"<h1>{escape(title)}</h1><p>{escape(facts)}</p><ul>{said}</ul>{_table(table)}"
        f"<p>{_WITHOUT}</p>"
    )


def _table(table: dict[str, Any]) -> str:
    columns = [c for c in table["columns"] if c["kind"] not in ("interval", "hidden")]
    count = min(_ROWS, len(columns[0]["cells"])) if columns else 0
    heads = "".join(f"<th>{escape(c['label'])}</th>" for c in columns)
    rows = "".join(f"<tr>{''.join(_cell(c, row) for c in columns)}</tr>" for row in range(count))
    if not rows:
        return ""
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(column: dict[str, Any], row: int) -> str:
    value = column["cells"][row]
    is_number = column["kind"] == "number"
    return f"<td>{escape(write_number(value) if is_number else str(value or ''))}</td>"
