"""Tables in ARFF, as OpenML writes them."""

import re
from dataclasses import dataclass

from itemcurve.logs.reading.log_errors import DamagedLogError

_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s+\S""", re.IGNORECASE
)
_CELL = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,'"]*))\s*(,|$)""")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True)
class ArffTable:
    """The relation's name, the attributes and one list of cells per row; None is missing."""

    relation: str
    names: list[str]
    rows: list[tuple[int, list[str | None]]]
    damaged: list[int]


def parse_arff(text: str) -> ArffTable:
    """Read a dense ARFF table; rows that do not fit its attributes are listed by line."""
    relation, is_data = "", False
    names: list[str] = []
    rows: list[tuple[int, list[str | None]]] = []
    damaged: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("%"):
            continue
        if is_data:
            cells = split_cells(stripped)
            if cells is not None and len(cells) == len(names):
                rows.append((number, cells))
            else:
                damaged.append(number)
        elif stripped.lower().startswith("@relation"):
            relation = stripped[len("@relation") :].strip().strip("'\"")
        elif stripped.lower().startswith("@attribute"):
            names.append(_attribute(stripped, number))
        elif stripped.lower().startswith("@data"):
            is_data = True
    if not is_data or len(set(names)) != len(names):
        raise DamagedLogError("its attributes or data are not those of an ARFF table")
    return ArffTable(relation, names, rows, damaged)


def split_cells(line: str) -> list[str | None] | None:
    """Split one row at commas outside quotes; None where quotes do not close."""
    cells: list[str | None] = []
    place = 0
    while True:
        found = _CELL.match(line, place)
        if not found:
            return None
        single, double, plain, end = found.groups()
        quoted = single if single is not None else double
        if quoted is not None:
            cells.append(_ESCAPED.sub(r"\1", quoted))
        else:
            bare = plain.strip()
            cells.append(None if bare in ("?", "") else bare)
        place = found.end()
        if not end:
            return cells


def _attribute(line: str, number: int) -> str:
    found = _ATTRIBUTE.match(line)
    if not found:
        raise DamagedLogError(f"line {number} is no attribute")
    return next(_ESCAPED.sub(r"\1", group) for group in found.groups() if group is not None)
