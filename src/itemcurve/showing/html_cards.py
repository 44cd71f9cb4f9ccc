"""Cards for notebooks: a title, sentences and a small table, in the colours of the page around."""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

# Colours come from the page, so that a dark notebook stays dark; lines are grey on either. Jupyter
# sets all cells to the right, by a rule that gives way to nothing less.
_STYLE = (
    "<style>.itemcurve-card{font:13px/1.5 system-ui,sans-serif;max-width:60em;color:inherit}"
    ".itemcurve-card h4{margin:.2em 0 .4em;font-size:14px;font-weight:600}"
    ".itemcurve-card p{margin:.25em 0;max-width:50em}"
    ".itemcurve-card table{border-collapse:collapse;margin:.5em 0;font:inherit;color:inherit;"
    "background:none}"
    ".itemcurve-card th,.itemcurve-card td{padding:.15em .7em .15em 0;text-align:left!important;"
    "border:0;border-bottom:1px solid rgba(128,128,128,.35);background:none;color:inherit;"
    "font-variant-numeric:tabular-nums;vertical-align:top}"
    ".itemcurve-card th{font-weight:600}"
    ".itemcurve-card .number{text-align:right!important}"
    ".itemcurve-card .faint{opacity:.65}</style>"
)


def html_card(
    title: str,
    sentences: Iterable[str] = (),
    table: "pandas.DataFrame | None" = None,
    *,
    rows: int = 12,
    more: str = "",
) -> str:
    """Give a result as HTML that loads nothing and follows light and dark.

    Parameters
    ----------
    table : shown up to `rows` rows.
    more : where the rest is, as `.frame()`.
    """
    parts = [f"<h4>{escape(title)}</h4>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in sentences if sentence]
    if table is not None and len(table):
        parts.append(_table(table.head(rows)))
        left = len(table) - rows
        if left > 0:
            parts.append(f"<p class='faint'>{left:,} more rows.</p>")
    if more:
        parts.append(f"<p class='faint'>{escape(more)}</p>")
    return f"<div class='itemcurve-card'>{_STYLE}{''.join(parts)}</div>"


def _table(table: "pandas.DataFrame") -> str:
    names = [str(name) for name in table.columns]
    cells = [[_write(value) for value in row] for row in table.itertuples(index=False)]
    is_number = [all(_is_number(row[place]) for row in cells) for place in range(len(names))]
    kinds = [" class='number'" if right else "" for right in is_number]
    head = "".join(f"<th{kind}>{escape(n)}</th>" for n, kind in zip(names, kinds, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{escape(cell)}</td>" for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in cells
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _write(value: Any) -> str:
    if value is None or value != value:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _is_number(cell: str) -> bool:
    try:
        float(cell or 0)
    except ValueError:
        return False
    return True
