"""A table parted into features, target and names of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.tables.odd_values import note_odd_values, note_rare_classes
from itemcurve.evaluation.tables.record_columns import note_record_columns
from itemcurve.evaluation.tables.table_columns import sort_columns
from itemcurve.evaluation.tables.table_files import check_names
from itemcurve.evaluation.tables.target_column import check_columns, find_target

if TYPE_CHECKING:
    import pandas


# Answers of models are looked for among so many classes, in so many rows.
_MOST_CLASSES = 50
_FEWEST_ROWS = 10


@dataclass(frozen=True, eq=False)
class TableParts:
    """Features and target of a table, the names of its rows, and what was left out.

    Attributes
    ----------
    positions : of the rows in the whole table, of which those without a target are left out.
    groups, weights : columns that were named so; None where none was.
    """

    features: "pandas.DataFrame"
    target: "pandas.Series"
    names: tuple[str, ...] | None
    notes: tuple[str, ...]
    positions: NDArray[np.intp]
    groups: "pandas.Series | None" = None
    weights: "pandas.Series | None" = None


def part_table(
    frame: "pandas.DataFrame",
    target: str | None,
    drop: Sequence[str],
    *,
    groups: str | None = None,
    weights: str | None = None,
    can_group: bool = True,
) -> TableParts:
    """Part features and target; leave out what cannot be used, and say so.

    Parameters
    ----------
    target : the column to predict; the one with a usual name when None.
    drop : columns not to use.
    groups, weights : columns that are no features.
    can_group : whether who asks takes groups; what cannot be asked for is not advised.
    """
    check_names(frame.columns)
    named, said = find_target(frame, target)
    apart = [name for name in (groups, weights) if name is not None]
    check_columns(frame, [*drop, *apart])
    has_target = frame[named].notna()
    if not has_target.any():
        raise EvaluationError(
            "Some rows must have a target;",
            f"all {len(frame)} rows have no {named!r}." if len(frame) else "the table has no rows.",
            "Fill the column, or choose another one with --target.",
        )
    notes = [*frame.attrs.get("notes", ()), *said]
    if not has_target.all():
        notes.append(f"{int((~has_target).sum())} rows without a {named!r} are left out.")
    rows = frame[has_target].reset_index(drop=True)
    features = rows.drop(columns=list(dict.fromkeys([named, *drop, *apart])))
    if groups is not None:
        notes.append(f"Column {groups!r} parts the rows and is no feature.")
    notes += _note_predictions(features, rows[named])
    notes += note_odd_values(features, np.flatnonzero(has_target))
    notes += note_rare_classes(rows[named])
    features, names, more = _usable_features(features, can_group)
    return TableParts(
        features,
        rows[named],
        names,
        (*notes, *more),
        np.flatnonzero(has_target),
        None if groups is None else rows[groups],
        None if weights is None else rows[weights],
    )


def _usable_features(
    features: "pandas.DataFrame", can_group: bool
) -> "tuple[pandas.DataFrame, tuple[str, ...] | None, list[str]]":
    """Give the columns to learn from, the names of the rows, and what was left out."""
    columns = sort_columns(features)
    names = _row_names(features, [name for name, _ in columns.left_out])
    notes = [f"Column {name!r} is left out: {reason}." for name, reason in columns.left_out]
    if names is not None:
        notes.append(f"Items are named after column {names[0]!r}.")
    features = features.drop(columns=[name for name, _ in columns.left_out])
    if not features.shape[1] or len(features) < 2:
        raise EvaluationError(
            "The table must leave at least one feature and two rows;",
            f"{features.shape[1]} columns and {len(features)} rows are left.",
            "Check --target and --drop.",
        )
    _check_finite(features)
    notes += note_record_columns(features, can_group=can_group)
    return features, names[1] if names else None, notes


def _note_predictions(features: "pandas.DataFrame", target: "pandas.Series") -> list[str]:
    """Say so where columns look like answers of models rather than features."""
    classes = set(target.unique())
    if len(classes) > _MOST_CLASSES or len(features) < _FEWEST_ROWS:
        return []
    alike = [
        str(name)
        for name in features.columns
        if features[name].nunique() > 1 and set(features[name].dropna().unique()) <= classes
    ]
    is_text = target.dtype.kind not in "biuf"
    # Many features are 0 and 1; words of the target among the features are no chance.
    if len(alike) < 2 or not (is_text or len(alike) >= features.shape[1] - 1):
        return []
    shown = ", ".join(alike[:3]) + (", …" if len(alike) > 3 else "")
    return [
        f"Columns {shown} hold nothing but values of the target and are used as features. If they "
        "are answers of models, give the table as --predictions (from_predictions in Python)."
    ]


def _check_finite(features: "pandas.DataFrame") -> None:
    numbers = features.select_dtypes("number")
    for name in numbers.columns:
        infinite = np.isinf(numbers[name].to_numpy(float, na_value=np.nan))
        if infinite.any():
            raise EvaluationError(
                "Numbers must be finite;",
                f"column {name!r} has {int(infinite.sum())} infinite values.",
                f"Correct or empty them (gaps are filled), or leave the column out: --drop {name}.",
            )


def _row_names(
    features: "pandas.DataFrame", candidates: list[str]
) -> tuple[str, tuple[str, ...]] | None:
    for name in candidates:
        column = features[name]
        if column.notna().all() and column.is_unique:
            return name, tuple(column.astype(str))
    return None
