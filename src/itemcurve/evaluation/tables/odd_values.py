"""Slips that a look at the columns shows: values far out, classes of a single row."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

# A value this many times as far from the median as the values at its side of the middle 98 % is no
# tail of a distribution: a lost decimal point, another unit, or a code for missing values.
_TIMES = 50.0
_MOST_ODD = 3
_FEWEST_ROWS = 50
_MOST_NOTES = 5
# Of two classes named nearly alike, one has a single row.
_ALIKE = 0.8
_MOST_CLASSES = 50


def note_odd_values(features: "pandas.DataFrame", positions: NDArray[np.integer]) -> list[str]:
    """Say which columns of numbers have a few values far outside all others.

    Parameters
    ----------
    positions : of the rows in the whole table, from 0.
    """
    from pandas.api import types

    found = []
    for name in features.columns:
        column = features[name]
        if not types.is_numeric_dtype(column) or types.is_bool_dtype(column):
            continue
        values = column.to_numpy(float)
        odd = _find_odd(values)
        if len(odd):
            places = ", ".join(f"{values[row]:g} (row {positions[row] + 1:,})" for row in odd)
            found.append(
                f"Column {name!r} has {places}, far outside all others (median "
                f"{np.nanmedian(values):g}): look whether it is a slip."
            )
    more = len(found) - _MOST_NOTES
    return found[:_MOST_NOTES] + ([f"{more} more columns have such values."] if more > 0 else [])


def _find_odd(values: NDArray[np.float64]) -> NDArray[np.intp]:
    known = values[np.isfinite(values)]
    if len(known) < _FEWEST_ROWS:
        return np.zeros(0, dtype=np.intp)
    middle = np.median(known)
    low, high = np.quantile(known, [0.01, 0.99])
    reach = np.where(values > middle, high - middle, middle - low)
    far = np.where(np.isfinite(values), np.abs(values - middle), 0.0)
    odd = np.flatnonzero((reach > 0) & (far > _TIMES * reach))
    return odd if len(odd) <= _MOST_ODD else np.zeros(0, dtype=np.intp)


def note_rare_classes(target: "pandas.Series") -> list[str]:
    """Say which classes of text have one row and nearly the name of another class."""
    from difflib import get_close_matches

    from pandas.api import types

    if types.is_numeric_dtype(target) or target.nunique() > _MOST_CLASSES:
        return []
    counts = target.astype(str).value_counts()
    usual = [name for name, count in counts.items() if count > 1]
    notes = []
    for name in counts.index[counts == 1]:
        near = get_close_matches(name, usual, 1, _ALIKE)
        if near:
            notes.append(f"Class {name!r} has one row: look whether {near[0]!r} is meant.")
    return notes
