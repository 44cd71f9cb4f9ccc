"""Tables that fit their terminal: columns give way before ids become unreadable."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from itemcurve.cli.layout.terminal import clean, truncate

# Columns give way so that ids have this room; ids themselves shrink no further than the second.
_COMFORTABLE_ID = 12
_SENTENCE = 36
_SHORTEST_ID = 6
_GAP = 2


@dataclass(frozen=True)
class Column:
    """One column: header (two lines at most), cells, and whether a narrow terminal may drop it."""

    header: str
    cells: Sequence[str]
    is_text: bool = False
    is_optional: bool = False
    is_sentence: bool = False

    @property
    def width(self) -> int:
        """Cells of the widest line."""
        return max(cell_len(line) for text in (self.header, *self.cells) for line in _lines(text))


def print_table(
    console: Console, title: str, columns: Sequence[Column], *, id_room: int = _COMFORTABLE_ID
) -> None:
    """Print a table whose first column holds ids, which are cut at their end where room is short.

    Ids that would look the same when they are cut go on below instead.

    Parameters
    ----------
    id_room : cells that optional columns leave to ids, if these are so long.
    """
    ids, *others = columns
    wanted = _SENTENCE if ids.is_sentence else max(_COMFORTABLE_ID, min(id_room, ids.width))
    others = _kept(others, console.width - wanted)
    room = console.width - _width(others)
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    names = [clean(name) for name in ids.cells]
    cut = [truncate(name, max(room, _SHORTEST_ID)) for name in names]
    is_clear = ids.is_sentence or len(set(cut)) == len(set(names))
    table.add_column(
        ids.header,
        no_wrap=is_clear,
        overflow="fold",
        max_width=None if is_clear else max(room - _GAP, _SHORTEST_ID),
    )
    for column in others:
        table.add_column(column.header, justify="left" if column.is_text else "right", no_wrap=True)
    for row in zip(cut if is_clear else names, *(column.cells for column in others), strict=True):
        table.add_row(*map(Text, row))
    # Not the table's own title, which is padded and wrapped to the width of the table.
    console.print(title, style="bold", soft_wrap=True)
    console.print(table)
    console.print()


def _kept(columns: list[Column], width: int) -> list[Column]:
    """Drop optional columns, the last first, until they fit."""
    kept = list(columns)
    for column in reversed(columns):
        if column.is_optional and _width(kept) > width:
            kept.remove(column)
    return kept


def _width(columns: Sequence[Column]) -> int:
    return sum(column.width + _GAP for column in columns)


def _lines(text: str) -> list[str]:
    return text.split("\n")
