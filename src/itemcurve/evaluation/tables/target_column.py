"""Which column of a table is to be predicted: the one named, or the one with a usual name."""

from difflib import get_close_matches
from typing import TYPE_CHECKING

from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas

USUAL_TARGETS = ("target", "label", "class", "y", "outcome", "y_true")
_MOST_SHOWN = 12
_SHOWN_AT_END = 4


def find_target(frame: "pandas.DataFrame", target: str | None) -> tuple[str, tuple[str, ...]]:
    """Give the column to predict, and what to say about it.

    Parameters
    ----------
    target : its name; when None, the column that has one of the usual names.
    """
    if target is not None:
        check_columns(frame, [target])
        return target, ()
    if USUAL_TARGETS[0] in frame.columns:
        return USUAL_TARGETS[0], ()
    found = [name for name in frame.columns if str(name).strip().lower() in USUAL_TARGETS]
    if len(found) != 1:
        given = (
            f"several columns are called like one: {', '.join(map(repr, found))}"
            if found
            else f"no column is called {', '.join(USUAL_TARGETS[:-1])} or {USUAL_TARGETS[-1]}"
        )
        raise EvaluationError(
            "The column to predict must be known;",
            f"{given}.",
            f"Name it with target= or --target. The table has: {list_columns(frame)}.",
        )
    return found[0], (f"Predicted is column {found[0]!r}; --target names another.",)


def check_columns(frame: "pandas.DataFrame", names: list[str]) -> None:
    """Raise for the first name that is no column, with those that are like it."""
    for name in names:
        if name in frame.columns:
            continue
        folded = {str(column).strip().lower(): str(column) for column in frame.columns}
        near = get_close_matches(str(name).strip().lower(), folded, 1, cutoff=0.7)
        meant = f"Did you mean {folded[near[0]]!r}? " if near else ""
        raise EvaluationError(
            "The target and other columns that are named must be columns of the table;",
            f"{name!r} is none of them.",
            f"{meant}The table has: {list_columns(frame)}.",
        )


def list_columns(frame: "pandas.DataFrame") -> str:
    """Name the columns; of many, the first and the last, where targets are.

    Examples
    --------
    >>> import pandas
    >>> list_columns(pandas.DataFrame(columns=[f"x{n}" for n in range(20)] + ["class"]))
    'x0, x1, x2, x3, x4, x5, x6, x7, … (9 more), x17, x18, x19, class'
    """
    names = [str(name) for name in frame.columns]
    if len(names) <= _MOST_SHOWN:
        return ", ".join(names)
    head, tail = names[: _MOST_SHOWN - _SHOWN_AT_END], names[-_SHOWN_AT_END:]
    return ", ".join([*head, f"… ({len(names) - _MOST_SHOWN} more)", *tail])
