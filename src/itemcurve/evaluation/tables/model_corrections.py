"""Labels that models changed: written beside the corrected table, and known when it is read again.

Whoever judges models by labels that models made finds that they agree. A table cannot say so itself
(nothing but labels may change in it), so a file beside it does: of `clean.csv`,
`clean.corrections.csv`, with one row for each label that was changed.
"""

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve.analysis.items.verdicts import SUSPECT

if TYPE_CHECKING:
    import pandas

_ENDING = ".corrections.csv"
_ROW, _BEFORE, _NOW = "row", "given_label", "corrected_label"


def corrections_of(table: str | PathLike[str]) -> Path:
    """Give the path of the file that tells which labels of a table models changed.

    Examples
    --------
    >>> corrections_of("folder/clean.csv").as_posix()
    'folder/clean.corrections.csv'
    """
    path = Path(fspath(table))
    return path.with_name(path.name.split(".")[0] + _ENDING)


def list_corrections(ranked: "pandas.DataFrame") -> "pandas.DataFrame":
    """Give row, label before and now, and how probable the error was, of every suspect label.

    Parameters
    ----------
    ranked : all rows with what was found, as `AuditedTable.rank` gives them.
    """
    changed = ranked[ranked["verdict"] == SUSPECT]
    names = {"likely_label": _NOW, "label_error_probability": "label_error_probability"}
    kept = changed[[_ROW, _BEFORE, *names]].rename(columns=names)
    return kept.sort_values(_ROW, ignore_index=True)


def count_corrections(source: Any, frame: "pandas.DataFrame", target: Any) -> int:
    """How many labels of a table that was read still are what models made of them.

    Parameters
    ----------
    source : where the table came from; 0 where that is no file, or no such list lies beside it.
    """
    if not isinstance(source, str | PathLike) or not Path(source).is_file():
        return 0
    path = corrections_of(source)
    if not path.is_file():
        return 0
    import pandas

    try:
        told = pandas.read_csv(path, usecols=[_ROW, _NOW], dtype={_NOW: str})
    except (OSError, ValueError):
        # Somebody else's file of that name.
        return 0
    rows = pandas.to_numeric(told[_ROW], errors="coerce").fillna(0).to_numpy(dtype=int)
    is_known = (rows >= 1) & (rows <= len(frame))
    now = frame[target].astype(str).to_numpy()[rows[is_known] - 1]
    return int((now == told[_NOW].to_numpy()[is_known]).sum())


def note_corrections(count: int, source: Any) -> list[str]:
    """Say that models made some of the labels."""
    if not count:
        return []
    which = "1 label" if count == 1 else f"{count:,} labels"
    name = corrections_of(source).name
    return [
        f"{which} of this table {'was' if count == 1 else 'were'} changed by models ({name}): "
        "models that are judged by labels of their own making agree with them."
    ]
