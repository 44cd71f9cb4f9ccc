"""Tables of a page: columns of plain cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from itemcurve.reports.numbers import round_number

if TYPE_CHECKING:
    import pandas

# Of more rows, the first are kept: a page of a million rows serves nobody.
MOST_ROWS = 20_000
_WORDS = {"responses": "n", "ability_01": "ability (0 to 1)"}


@dataclass(frozen=True)
class PageColumn:
    """One column of cells of one kind.

    `kind` is text, number, interval (three places from 0 to 1000), item, verdict or respondent.
    """

    name: str
    label: str
    kind: str
    cells: Sequence[Any]


@dataclass(frozen=True)
class PageTable:
    """A sortable, searchable table.

    Attributes
    ----------
    key : its id in the page.
    total : rows of the whole table, more than its cells where it was cut.
    """

    key: str
    caption: str
    columns: tuple[PageColumn, ...]
    total: int

    @property
    def n_rows(self) -> int:
        """Rows that the page holds."""
        return len(self.columns[0].cells) if self.columns else 0


def page_table(
    frame: "pandas.DataFrame",
    key: str,
    caption: str,
    kinds: Mapping[str, str] | None = None,
) -> PageTable:
    """Turn a table of results into one of the page.

    Parameters
    ----------
    kinds : of columns whose kind does not follow from their cells.
    """
    kept = frame.head(MOST_ROWS)
    columns = tuple(
        _column(str(name), kept.iloc[:, place], (kinds or {}).get(str(name)))
        for place, name in enumerate(kept.columns)
    )
    return PageTable(key, caption, columns, len(frame))


def _column(name: str, cells: "pandas.Series[Any]", kind: str | None) -> PageColumn:
    # An error stands right of what it belongs to.
    label = "± se" if name.endswith("_se") else _WORDS.get(name, name.replace("_", " "))
    if kind is not None and kind != "number":
        return PageColumn(name, label, kind, [_plain(cell) for cell in cells.tolist()])
    if cells.dtype.kind in "iuf":
        numbers = [round_number(float(cell)) for cell in cells.tolist()]
        return PageColumn(name, label, "number", numbers)
    values = cells.tolist()
    known = [cell for cell in values if cell is not None and cell == cell]
    if known and all(isinstance(c, int | float) and not isinstance(c, bool) for c in known):
        numbers = [None if c is None or c != c else round_number(float(c)) for c in values]
        return PageColumn(name, label, "number", numbers)
    return PageColumn(name, label, "text", [_text(cell) for cell in values])


def _plain(cell: Any) -> Any:
    return cell if isinstance(cell, list) else _text(cell)


def _text(cell: Any) -> str:
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return str(cell)
