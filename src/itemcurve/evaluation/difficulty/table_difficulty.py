"""Difficulty of the rows of a table, and of new rows that nobody has answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.errors import EvaluationError, ItemcurveError
from itemcurve.evaluation.collecting.answer_collection import Progress
from itemcurve.evaluation.difficulty.difficulty_explanation import (
    DifficultyExplanation,
    explain_difficulty,
)
from itemcurve.evaluation.difficulty.difficulty_prediction import (
    DifficultyCheck,
    check_difficulty,
    predict_difficulty,
)
from itemcurve.evaluation.difficulty.instance_difficulty import (
    Difficulty,
    DifficultyModel,
    estimate_difficulty,
)
from itemcurve.evaluation.difficulty.new_rows import NewRows, expect_rows
from itemcurve.evaluation.pools.named_pools import choose_pool
from itemcurve.evaluation.pools.pool import Pool, check_kind
from itemcurve.evaluation.tables.labelled_table import choose_task
from itemcurve.evaluation.tables.row_parts import part_rows
from itemcurve.evaluation.tables.table_files import BUILT_IN, read_table
from itemcurve.evaluation.tables.table_parts import TableParts, part_table

if TYPE_CHECKING:
    import pandas

# Difficulties of rows that the same classifiers answer right differ by rounding alone.
_DIGITS = 6


@dataclass(frozen=True, eq=False)
class TableDifficulty:
    """How hard the rows of a table are, and new rows with the same columns.

    Attributes
    ----------
    difficulty : of the rows that have a target.
    check : how well difficulty is predicted for rows left out.
    new_rows : what is to be expected of the new rows, in their order; None where none were given.
    notes : what was left out of the table, in words.
    explanation : which features make rows hard; None where there are too few rows to say.
    """

    difficulty: Difficulty
    check: DifficultyCheck
    new_rows: NewRows | None
    notes: tuple[str, ...]
    explanation: DifficultyExplanation | None = None

    def new_frame(self) -> "pandas.DataFrame":
        """One row per new instance: difficulty, its error, right answers to expect."""
        if self.new_rows is None:
            raise EvaluationError(
                "There must be new rows to predict;", "none were given.", "Give new=table."
            )
        return self.new_rows.frame()

    def count_ties(self) -> tuple[int, int, int]:
        """Give how many difficulties there are, and how many rows share the lowest, the highest."""
        values = np.asarray(self.difficulty.values).round(_DIGITS)
        lowest, highest = (values == values.min()).sum(), (values == values.max()).sum()
        return len(np.unique(values)), int(lowest), int(highest)


def measure_table_difficulty(
    table: "pandas.DataFrame | str | PathLike[str]",
    target: str | None = None,
    *,
    new: "pandas.DataFrame | str | PathLike[str] | None" = None,
    pool: str | Pool = "random:100",
    model: DifficultyModel = "1pl",
    cv: int = 5,
    drop: Sequence[str] = (),
    seed: int = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
) -> TableDifficulty:
    """Estimate how hard each row is, and predict it for new rows from their features.

    Parameters
    ----------
    table : a pandas table, or what `read_table` takes.
    target : the column to predict.
    new : likewise, with the features of the table; a target there is not read.
    pool : who says what is hard, as for `evaluate_table`.
    model, cv : as for `estimate_difficulty`.
    drop : columns not to use.
    seed, n_jobs, cache, progress : as for `evaluate_classifiers`.

    Examples
    --------
    >>> from itemcurve.evaluation.difficulty.table_difficulty import measure_table_difficulty
    >>> found = measure_table_difficulty("iris", pool="random:10", cv=2)
    >>> found.difficulty.values.shape
    (150,)
    """
    frame = read_table(table) if isinstance(table, str | PathLike) else table
    parts = part_table(frame, target, drop, can_group=False)
    _check_classes(parts)
    known = choose_pool(pool, "classification", seed)
    check_kind(known, "classification")
    # Before anything is trained: new rows that cannot be used are said at once.
    rows = None if new is None else _take_features(new, parts)
    named, said = part_rows(parts, "classification", cv, 0.5, seed)
    difficulty = estimate_difficulty(
        parts.features,
        parts.target,
        known,
        cv=cv,
        model=model,
        items=named["items"],
        on_failure="ignore",
        seed=seed,
        prepare="always",
        n_jobs=n_jobs,
        cache=cache,
        progress=progress,
    )
    check = check_difficulty(difficulty, cv=cv, seed=seed)
    predicted = None if rows is None else predict_difficulty(difficulty, rows, seed=seed)
    new_rows = None if predicted is None else expect_rows(difficulty, check, predicted)
    explanation, why = _explain(difficulty)
    notes = (*parts.notes, *said, *why)
    return TableDifficulty(difficulty, check, new_rows, notes, explanation)


def _check_classes(parts: TableParts) -> None:
    """Raise where the target holds numbers, before anything is trained."""
    if choose_task(parts.target, "auto") == "regression":
        raise EvaluationError(
            "Difficulty of rows is measured by classifiers, which need classes to predict;",
            f"the target {str(parts.target.name)!r} holds numbers.",
            "Cut them into classes first (low, middle, high), or choose another target; where "
            "numbers name classes, make them words.",
        )


def _explain(difficulty: Difficulty) -> tuple[DifficultyExplanation | None, tuple[str, ...]]:
    """Say which features make rows hard, or why that cannot be said."""
    try:
        found = explain_difficulty(difficulty)
    except ItemcurveError as error:
        return None, (f"What makes rows hard is not said: {error}",)
    return found, found.notes


def _read_new(new: "str | PathLike[str]") -> "pandas.DataFrame":
    if fspath(new) not in BUILT_IN and not Path(new).is_file():
        raise EvaluationError(
            "New rows (new, --new) must be in a file;",
            f"there is no file {fspath(new)!r}.",
            "Check the path, or leave it out for the rows of the table alone.",
        )
    return read_table(new)


def _take_features(new: Any, parts: TableParts) -> "pandas.DataFrame":
    """Give the columns that the known rows have, or say which are missing."""
    frame = _read_new(new) if isinstance(new, str | PathLike) else new
    wanted = list(parts.features.columns)
    missing = [str(name) for name in wanted if name not in frame.columns]
    if missing:
        named = ", ".join(map(repr, missing[:3])) + (", …" if len(missing) > 3 else "")
        raise EvaluationError(
            "New rows need the features of the table;",
            f"{len(missing)} of {len(wanted)} columns are missing: {named}.",
            "Add them, or leave them out of the table too: --drop COLUMN.",
        )
    if not len(frame):
        raise EvaluationError(
            "There must be new rows to predict;", "the new table has none.", "Check the file."
        )
    return frame[wanted]
