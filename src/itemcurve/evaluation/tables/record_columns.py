"""Columns that are used as features and look like what a record is filed under: numbers, dates."""

import re
import shlex
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas

_ID_WORDS = re.compile("id|ids|identifiers?|identification|number|no|nr|num|code|key|uuid|guid")
# A number or an id of one of these is one of a record, however many rows have the same.
_RECORD_WORDS = re.compile(
    "animal|case|customer|observation|participant|patient|person|record|row|sample|specimen|"
    "subject|user|visit"
)
_DATE_WORDS = re.compile("dates?|datetime|timestamp")
# `PatientID`, `patient_id` and `patient id` have the same words.
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_DATE_TEXT = r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ].*)?"
# What is called a number seldom differs in so many rows where it is a measurement.
_DISTINCT_SHARE = 0.6
# What is called a date and has no more values than a year has months is a season.
_MONTHS = 12
_FEWEST_ROWS = 20
_MOST_NAMED = 3


def find_record_columns(features: "pandas.DataFrame") -> tuple[list[str], list[str]]:
    """Give the columns that look like identifiers, and those that look like dates."""
    if len(features) < _FEWEST_ROWS:
        return [], []
    columns = [(str(name), features[name]) for name in features.columns]
    dates = [name for name, column in columns if _is_date(name, column)]
    return [name for name, column in columns if name not in dates and _is_id(name, column)], dates


def note_record_columns(features: "pandas.DataFrame", *, can_group: bool = True) -> list[str]:
    """Say which columns look like identifiers or dates, and how they are left out.

    Parameters
    ----------
    can_group : whether who asks can part rows by a column (`--groups`).

    Examples
    --------
    >>> import pandas
    >>> table = pandas.DataFrame({"sample no": range(0, 60, 2), "age": [31, 40, 52] * 10})
    >>> note_record_columns(table)[0].split(":")[0]
    "Column 'sample no' looks like an identifier and is used as a feature"
    """
    ids, dates = find_record_columns(features)
    names = ids + dates
    if not names:
        return []
    kinds = [_alike(ids, "an identifier"), _alike(dates, "a date")]
    looks = ", ".join(filter(None, kinds))
    drop = " ".join(f"--drop {shlex.quote(name)}" for name in names[:_MOST_NAMED])
    drop += " …" if len(names) > _MOST_NAMED else ""
    if len(names) == 1:
        first, them, group = f"Column {looks} and is used as a feature", "it", shlex.quote(names[0])
    else:
        first, them, group = f"{looks}; they are used as features", "them", "COLUMN"
    belong = f" or, if rows of one value belong together, use --groups {group}" * can_group
    return [
        f"{first}: models may learn from {them} what does not hold for new rows. Leave {them} out "
        f"with {drop} (drop in Python){belong}."
    ]


def _alike(names: list[str], kind: str) -> str:
    if not names:
        return ""
    shown = ", ".join(map(repr, names[:_MOST_NAMED]))
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    verb = f"looks like {kind}" if len(names) == 1 else f"look like {kind.split()[1]}s"
    return f"{shown}{more} {verb}"


def _is_id(name: str, column: "pandas.Series") -> bool:
    """Whether a column is called like an identifier and differs in most rows or numbers records.

    Floats count where all are whole: a gap turns integers into them.
    """
    from pandas.api import types

    words = [part.lower() for part in _PARTS.findall(name)]
    present = column.dropna()
    if not any(map(_ID_WORDS.fullmatch, words)) or present.empty or types.is_bool_dtype(column):
        return False
    if types.is_numeric_dtype(column):
        values = present.to_numpy(float)
        if not (np.isfinite(values).all() and (values == np.round(values)).all()):
            return False
    is_of_record = any(
        _RECORD_WORDS.fullmatch(first) and _ID_WORDS.fullmatch(second)
        for first, second in pairwise(words)
    )
    return is_of_record or bool(present.nunique() > _DISTINCT_SHARE * len(present))


def _is_date(name: str, column: "pandas.Series") -> bool:
    """Whether a column is one of dates by its type, its texts, or its name and many values."""
    from pandas.api import types

    if types.is_datetime64_any_dtype(column):
        return True
    present = column.dropna()
    words = [part.lower() for part in _PARTS.findall(name)]
    if any(map(_DATE_WORDS.fullmatch, words)) and present.nunique() > _MONTHS:
        return True
    if present.empty or types.is_numeric_dtype(column) or types.is_timedelta64_dtype(column):
        return False
    return bool(present.astype(str).str.fullmatch(_DATE_TEXT).all())
