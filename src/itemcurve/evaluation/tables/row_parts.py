"""Rows of a table to train on and to predict, and what the items are called."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.copied_rows import (
    leave_out_copies,
    note_copies,
    number_copies,
)
from itemcurve.evaluation.collecting.splits import can_stratify, check_training
from itemcurve.evaluation.pools.pool import Task
from itemcurve.evaluation.tables.table_parts import TableParts

if TYPE_CHECKING:
    import pandas

Rows = NDArray[np.intp]
_ROWS = "Items are named after their rows, from row_1, the first below the names of the columns."


def part_rows(
    source: TableParts, task: Task, cv: Any, test_share: float, seed: int
) -> tuple[dict[str, Any], list[str]]:
    """Give what evaluations take (data, items, groups, weights), and what to say about it."""
    X, y = source.features, source.target
    names = source.names or _number(source.positions + 1)
    notes = [] if source.names else [_ROWS]
    if cv is not None:
        return {
            "X_train": X,
            "y_train": y,
            "items": names,
            "groups": source.groups,
            "sample_weight": source.weights,
        }, notes
    train, test, said = _hold_out(source, task, test_share, seed)
    if task == "classification":
        check_training(y, train)
    return {
        "X_train": X.iloc[train],
        "y_train": y.iloc[train],
        "X_test": X.iloc[test],
        "y_test": y.iloc[test],
        "items": tuple(names[row] for row in test),
        "groups": None if source.groups is None else source.groups.iloc[test],
        "sample_weight": None if source.weights is None else source.weights.iloc[train],
    }, notes + said


def _number(rows: Rows) -> tuple[str, ...]:
    """Name rows as a person would count them in the file: the first row of data is 1."""
    width = len(str(int(rows.max())))
    return tuple(f"row_{row:0{width}d}" for row in rows.tolist())


def _hold_out(
    source: TableParts, task: Task, test_share: float, seed: int
) -> tuple[Rows, Rows, list[str]]:
    """Draw the rows to predict: whole groups where there are groups, else as many of each class."""
    from sklearn.model_selection import train_test_split

    y = source.target
    if not 0 < test_share < 1:
        raise EvaluationError(
            "The share of rows to predict must lie between 0 and 1;",
            f"given is {test_share}.",
            "Use 0.3 if unsure.",
        )
    if source.groups is not None:
        return _hold_out_groups(source.groups, test_share, seed)
    notes = []
    strata = y if task == "classification" else None
    if strata is not None and not can_stratify(y, test_share):
        strata = None
        notes.append("Some classes are too small to be in both parts; rows are parted by chance.")
    train, test = train_test_split(
        np.arange(len(y)), test_size=test_share, random_state=seed, stratify=strata, shuffle=True
    )
    copies = number_copies(source.features)
    if copies is not None:
        apart = leave_out_copies(train, test, copies)
        notes += [note_copies(copies, is_left_out=True)] * (len(apart) < len(train))
        train = apart
    return train, np.sort(test), notes


def _hold_out_groups(
    groups: "pandas.Series", test_share: float, seed: int
) -> tuple[Rows, Rows, list[str]]:
    from sklearn.model_selection import GroupShuffleSplit

    if groups.isna().any() or groups.nunique() < 2:
        raise EvaluationError(
            "Groups must be known of every row, and two or more;",
            f"column {groups.name!r} has {groups.nunique()} and {int(groups.isna().sum())} gaps.",
            "Fill the gaps, or choose another column.",
        )
    splitter = GroupShuffleSplit(1, test_size=test_share, random_state=seed)
    train, test = next(splitter.split(groups, groups=groups))
    held = groups.iloc[test].nunique()
    return train, np.sort(test), [f"{held} of {groups.nunique()} groups are predicted, whole."]
