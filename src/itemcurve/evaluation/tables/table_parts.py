"""A table parted into features, target and names of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.tables.table_columns import sort_columns
from itemcurve.evaluation.tables.table_files import check_names

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class TableParts:
    """Features and target of a table, the names of its rows, and what was left out."""

    features: "pandas.DataFrame"
    target: "pandas.Series"
    names: tuple[str, ...] | None
    notes: tuple[str, ...]


def part_table(frame: "pandas.DataFrame", target: str, drop: Sequence[str]) -> TableParts:
    """Part features and target; leave out what cannot be used, and say so."""
    check_names(frame.columns)
    unknown = [name for name in (target, *drop) if name not in frame.columns]
    if unknown:
        shown = ", ".join(map(str, frame.columns[:12])) + (", …" if frame.shape[1] > 12 else "")
        raise EvaluationError(
            "The target and columns to drop must be columns of the table;",
            f"{unknown[0]!r} is none of them.",
            f"The table has: {shown}. Choose one, with --target on the command line.",
        )
    notes = []
    has_target = frame[target].notna()
    if not has_target.any():
        raise EvaluationError(
            "Some rows must have a target;",
            f"all {len(frame)} rows have no {target!r}."
            if len(frame)
            else "the table has no rows.",
            "Fill the column, or choose another one with --target.",
        )
    if not has_target.all():
        notes.append(f"{int((~has_target).sum())} rows without a {target!r} are left out.")
    rows = frame[has_target].reset_index(drop=True)
    features = rows.drop(columns=[target, *drop])
    columns = sort_columns(features)
    names = _row_names(features, [name for name, _ in columns.left_out])
    notes += [f"Column {name!r} is left out: {reason}." for name, reason in columns.left_out]
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
    return TableParts(features, rows[target], names[1] if names else None, tuple(notes))


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
