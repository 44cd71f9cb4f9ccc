"""Which rows train and which are predicted, by whatever scikit-learn takes as `cv`."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

Rows = NDArray[np.intp]


def choose_folds(
    X: Any, y: NDArray[Any], cv: Any, groups: Any, *, is_stratified: bool, seed: int
) -> tuple[list[tuple[Rows, Rows]], str]:
    """Give pairs of rows to train on and rows to predict, and what they are in words.

    Parameters
    ----------
    cv : number of folds, a scikit-learn splitter, or pairs of rows.
    groups : one per row; rows of a group are never on both sides.
    """
    known = None if groups is None else check_groups(groups, len(y))
    splitter = _by_count(cv, y, known, is_stratified, seed) if isinstance(cv, Integral) else cv
    pairs = _list_pairs(splitter, X, y, known)
    folds = [
        (_as_positions(train, len(y)), _once(_as_positions(test, len(y)))) for train, test in pairs
    ]
    for place, (train, test) in enumerate(folds, 1):
        _check_fold(place, train, test)
    if not folds:
        raise EvaluationError(
            "cv must give one split at least;", "it gave none.", "Use cv=5 if unsure."
        )
    return folds, _describe(splitter, len(folds), len(y), known, is_stratified)


def check_groups(groups: Any, rows: int) -> NDArray[Any]:
    """Give groups as one per row, without gaps."""
    import pandas

    found = np.asarray(groups)
    if found.shape != (rows,) or pandas.isna(found).any():
        gaps = "" if found.shape != (rows,) else " with gaps"
        raise EvaluationError(
            f"groups must name a group for each of the {rows} rows;",
            f"given is an array of shape {found.shape}{gaps}.",
            "Give one value per row, such as a column of the table.",
        )
    return found.astype(str) if found.dtype == object else found


def _by_count(
    cv: Any, y: NDArray[Any], groups: NDArray[Any] | None, is_stratified: bool, seed: int
) -> Any:
    from sklearn import model_selection as splitters

    units = len(y) if groups is None else len(np.unique(groups))
    if isinstance(cv, bool) or not 2 <= cv <= units:
        what = "rows" if groups is None else "groups"
        raise EvaluationError(
            f"cv must be between 2 and the {units} {what};",
            f"given is {cv}.",
            f"Use cv={min(5, units)} if unsure." if units > 1 else "Give more of them.",
        )
    smallest = np.unique(y, return_counts=True)[1].min() if is_stratified else 0
    # A class smaller than the number of folds cannot be in each; then chance has to do.
    can_stratify = smallest >= cv
    if groups is not None:
        kind = splitters.StratifiedGroupKFold if can_stratify else splitters.GroupKFold
    else:
        kind = splitters.StratifiedKFold if can_stratify else splitters.KFold
    return kind(int(cv), shuffle=True, random_state=seed)


def _list_pairs(splitter: Any, X: Any, y: NDArray[Any], groups: Any) -> list[tuple[Any, Any]]:
    """Give the pairs of a splitter or of a list, with errors that say what to give instead."""
    if not hasattr(splitter, "split") or isinstance(splitter, str):
        return _read_pairs(splitter)
    try:
        return list(splitter.split(X, y, groups))
    except ValueError as error:
        if groups is None and "group" in str(error):
            raise EvaluationError(
                f"{type(splitter).__name__} parts rows by groups;",
                "none were given.",
                "Add groups=, one value per row.",
            ) from None
        raise EvaluationError(
            f"{type(splitter).__name__} must be able to part the {len(y)} rows;",
            f"it says: {' '.join(str(error).split()).rstrip('.')}.",
            "Change its settings, or use cv=5.",
        ) from None


def _read_pairs(cv: Any) -> list[tuple[Any, Any]]:
    pairs = list(cv) if isinstance(cv, Iterable) and not isinstance(cv, str) else None
    if pairs is None or not all(
        isinstance(pair, tuple | list | np.ndarray) and len(pair) == 2 for pair in pairs
    ):
        raise EvaluationError(
            "cv must be a number of folds, a scikit-learn splitter, or a list of pairs "
            "(rows to train on, rows to predict);",
            f"given is {type(cv).__name__ if pairs is None else 'a list of something else'}.",
            "Use cv=5 if unsure.",
        )
    return [(train, test) for train, test in pairs]


def _as_positions(rows: Any, count: int) -> Rows:
    """Give rows by position, also where they came as a mask of all rows."""
    found = np.asarray(rows)
    if found.dtype == bool and found.shape == (count,):
        return np.flatnonzero(found)
    is_listed = found.ndim == 1 and (found.dtype.kind in "iu" or not found.size)
    if not is_listed or (found.size and not -count <= found.min() <= found.max() < count):
        raise EvaluationError(
            f"Rows of a split must be positions among the {count} rows, counted from 0, or a mask;",
            f"given is {_show(found)}.",
            "Use .iloc positions; labels of an index are not known here.",
        )
    return np.asarray(found % count, dtype=np.intp)


def _once(rows: Rows) -> Rows:
    """Ask for no row twice in one split; where none is repeated, the order stays."""
    found = np.unique(rows)
    return rows if len(found) == len(rows) else found


def _show(found: NDArray[Any]) -> str:
    if found.ndim == 1 and found.dtype.kind in "iu":
        return f"{found.max() if found.max() >= -found.min() else found.min()}"
    return f"an array of {found.dtype} of shape {found.shape}"


def _check_fold(place: int, train: Rows, test: Rows) -> None:
    if not len(train) or not len(test):
        raise EvaluationError(
            "Every split must train on some rows and predict some;",
            f"split {place} has {len(train)} to train on and {len(test)} to predict.",
            "Leave it out, or change the settings of cv.",
        )
    shared = np.intersect1d(train, test)
    if len(shared):
        raise EvaluationError(
            "No split may predict a row that it trains on: such answers are remembered;",
            f"split {place} does so with {len(shared)} rows, as row {shared[0]}.",
            "Part the rows, or use cv=5.",
        )


def _describe(
    splitter: Any, folds: int, rows: int, groups: NDArray[Any] | None, is_stratified: bool
) -> str:
    kind = type(splitter).__name__ if hasattr(splitter, "split") else "splits given"
    plain = ("StratifiedKFold", "KFold", "StratifiedGroupKFold", "GroupKFold")
    how = "cross-validation" if kind in plain else f"cross-validation ({kind})"
    words = f"{how}, {folds} folds, {rows:,} rows"
    if groups is not None:
        words += f", {len(np.unique(groups))} groups kept together"
    if is_stratified and kind == "KFold":
        words += ", classes parted by chance"
    return words
