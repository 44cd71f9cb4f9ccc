"""Rows that are exact copies of others: what is predicted must not have been trained on."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

# Rows of few or coarse columns are alike by chance (votes, answers to a form), and the next one
# may well be like one that was seen. With so many columns of so many values it is no chance.
_FEWEST_COLUMNS = 3
_FEWEST_VALUES = 20
# Copies are believed in where columns drawn apart from each other would give a hundredth of them.
_BY_CHANCE = 0.01


def number_copies(X: Any) -> NDArray[np.intp] | None:
    """Give rows a number each, copies the same one; None where there are no more than by chance.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> number_copies(X) is None
    True
    >>> number_copies(np.concatenate([X, X[:2]]))[-2:].tolist()
    [0, 1]
    """
    import pandas

    if not isinstance(X, np.ndarray | pandas.DataFrame) or np.ndim(X) != 2:
        return None
    table = pandas.DataFrame(X)
    try:
        hashes = pandas.util.hash_pandas_object(table, index=False)
    except TypeError:  # Cells of lists and the like.
        return None
    codes, found = pandas.factorize(hashes)
    if len(found) == len(table) or not _is_beyond_chance(table, codes):
        return None
    return np.asarray(codes, dtype=np.intp)


def _is_beyond_chance(table: "pandas.DataFrame", codes: NDArray[np.integer]) -> bool:
    from pandas.api import types

    sizes = np.bincount(codes).astype(float)
    pairs = (sizes * (sizes - 1) / 2).sum()
    chance, fine = 1.0, 0
    for name in range(table.shape[1]):
        column = table.iloc[:, name]
        if not types.is_numeric_dtype(column):
            continue
        shares = column.value_counts(normalize=True, dropna=False).to_numpy()
        chance *= float((shares**2).sum())
        fine += len(shares) >= _FEWEST_VALUES
    expected = chance * len(table) * (len(table) - 1) / 2
    return bool(fine >= _FEWEST_COLUMNS and expected < _BY_CHANCE * pairs)


def leave_out_copies(
    train: NDArray[np.intp], test: NDArray[np.intp], copies: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Give the rows to train on without those that a predicted row is a copy of."""
    return train[~np.isin(copies[train], copies[test])]


def note_copies(copies: NDArray[np.intp], *, is_left_out: bool) -> str:
    """Say how many rows are copies, and what that means.

    Parameters
    ----------
    is_left_out : whether no row was predicted by those that trained on a copy of it.
    """
    count = len(copies) - len(np.unique(copies))
    said = f"{count:,} of {len(copies):,} rows are exact copies of others in all features"
    if is_left_out:
        return f"{said}: no row is predicted by a model that was trained on its copy."
    return (
        f"{said}, and this split trains on some that it predicts: models that memorise look better "
        "than they are. Drop the copies, or use cv=5, which keeps them apart."
    )
