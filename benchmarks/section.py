"""What a section of the benchmark is: rows of measurements and how to print them."""

from collections.abc import Callable
from dataclasses import dataclass

Cell = str | float | int | bool | None
Row = dict[str, Cell]


@dataclass(frozen=True)
class Options:
    """What the caller of a run can choose.

    Parameters
    ----------
    keep_peers : reuse cached rows of other tools where the data are the same.
    small : tiny sizes, to try the scripts; never written to RESULTS.md.
    limit : seconds that one tool may take on one data set.
    py_irt_python : interpreter that has py-irt, when it lives in its own environment.
    """

    keep_peers: bool = False
    small: bool = False
    limit: float = 600.0
    py_irt_python: str | None = None


@dataclass(frozen=True)
class Column:
    """One column of a table: key in the row, header, format of numbers."""

    key: str
    header: str
    form: str = ""


@dataclass(frozen=True)
class Section:
    """One part of RESULTS.md.

    Parameters
    ----------
    measure : takes the options and the cached rows, gives new rows.
    group_by : rows are split into one table per value of this key.
    """

    name: str
    title: str
    notes: str
    columns: tuple[Column, ...]
    measure: Callable[[Options, list[Row]], list[Row]]
    group_by: str | None = None


def show_progress(text: str) -> None:
    """Print at once, also into a pipe."""
    print(text, flush=True)
