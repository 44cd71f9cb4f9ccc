"""Small tables and sentences as text that fits a terminal of 80 columns."""

from textwrap import fill
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

WIDTH = 80
_LEAST = 8


def text_table(table: "pandas.DataFrame", *, rows: int = 20) -> str:
    """Give a table as text; cells are cut at their end where lines would be longer than 80 signs.

    Parameters
    ----------
    rows : at most; a line says how many are left.
    """
    shown = table.head(rows).astype(str)
    if shown.empty:
        return "(no rows)"
    columns = [[str(name), *shown[name].tolist()] for name in shown.columns]
    widths = [max(map(len, cells)) for cells in columns]
    gap = 2 if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else 1
    widths = _fitted(widths, WIDTH - gap * (len(widths) - 1))
    padded = [_pad(cells, width) for cells, width in zip(columns, widths, strict=True)]
    lines = [(" " * gap).join(line).rstrip() for line in zip(*padded, strict=True)]
    left = len(table) - len(shown)
    return "\n".join([*lines, *([f"… {left:,} more"] if left else [])])


def wrapped(*sentences: str) -> str:
    """Give sentences in lines of 80 signs at most."""
    return "\n".join(fill(sentence, WIDTH) for sentence in sentences if sentence)


def _fitted(widths: list[int], room: int) -> list[int]:
    """Take from the widest column, sign by sign, until all fit; none is made unreadable."""
    found = list(widths)
    while sum(found) > room and max(found) > _LEAST:
        found[found.index(max(found))] -= 1
    return found


def _pad(cells: list[str], width: int) -> list[str]:
    cut = [cell if len(cell) <= width else cell[: width - 1] + "…" for cell in cells]
    is_number = all(_is_number(cell) for cell in cells[1:])
    return [cell.rjust(width) if is_number else cell.ljust(width) for cell in cut]


def _is_number(cell: str) -> bool:
    try:
        float(cell or 0)
    except ValueError:
        return False
    return True
