"""A table with a target column, evaluated without further ado."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.collecting.answer_collection import Progress
from itemcurve.evaluation.collecting.splits import can_stratify, check_training
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.pools.named_pools import choose_pool
from itemcurve.evaluation.pools.pool import Pool, Task
from itemcurve.evaluation.regressors import evaluate_regressors
from itemcurve.evaluation.tables.row_words import describe_rows
from itemcurve.evaluation.tables.table_files import read_table
from itemcurve.evaluation.tables.table_parts import TableParts, part_table
from itemcurve.models.contract import ItemModel

if TYPE_CHECKING:
    import pandas

# Whole numbers with no more different values than this are classes rather than measurements.
_MOST_NUMBERED_CLASSES = 20


def evaluate_table(
    table: "pandas.DataFrame | str | PathLike[str]",
    target: str = "target",
    *,
    task: Literal["auto", "classification", "regression"] = "auto",
    pool: str | Pool = "standard",
    response: str | None = None,
    model: str | ItemModel | None = None,
    cv: int | None = None,
    test_share: float = 0.3,
    drop: Sequence[str] = (),
    seed: int = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    report: Progress | None = None,
    **fit_settings: Any,
) -> Evaluation:
    """Evaluate a pool of estimators on a table of mixed columns, gaps and all.

    Columns are prepared as `build_preparation` says; columns that name rows are left out, and the
    first of them names the items. Rows without a target are left out. All of this is in the notes.

    Parameters
    ----------
    table : a pandas table, or what `read_table` takes.
    target : the column to predict.
    task : `"auto"` takes text, truth values and up to 20 different whole numbers as classes.
    pool : `"standard"`, `"families"` (`classifier_families`), `"random:N"` for N random
        classifiers, or a pool.
    response, model : as for `evaluate_classifiers` or `evaluate_regressors`.
    cv : number of folds; without it a share of the rows is held out.
    test_share : that share.
    drop : columns not to use.
    seed : of the split and of all estimators.
    n_jobs, cache, report, fit_settings : as for `evaluate_classifiers`.

    Examples
    --------
    >>> evaluation = evaluate_table("iris", pool="random:5", response="correct")
    >>> evaluation.responses.shape
    (5, 45)
    """
    frame = read_table(table) if isinstance(table, str | PathLike) else table
    source = part_table(frame, target, drop)
    kind = choose_task(source.target, task)
    chosen = choose_pool(pool, kind, seed)
    evaluate: Any = evaluate_classifiers if kind == "classification" else evaluate_regressors
    parts, items, notes = part_rows(source, kind, cv, test_share, seed)
    evaluation: Evaluation = evaluate(
        chosen,
        *parts,
        cv=cv,
        items=items,
        prepare="always",
        seed=seed,
        n_jobs=n_jobs,
        cache=cache,
        report=report,
        response=response,
        model=model,
        **fit_settings,
    )
    asked = parts[2] if cv is None else parts[0]
    name = Path(table).name if isinstance(table, str | PathLike) else ""
    return replace(
        evaluation,
        notes=(*source.notes, *notes, *evaluation.notes),
        rows=describe_rows(asked),
        settings={**evaluation.settings, "data": name, "target": target},
    )


def choose_task(
    target: "pandas.Series", task: Literal["auto", "classification", "regression"]
) -> Task:
    """Give the task asked for; by the values of the target where that is `"auto"`."""
    if task in ("classification", "regression"):
        return task
    if task != "auto":
        raise EvaluationError(
            "task must be 'auto', 'classification' or 'regression';",
            f"given is {task!r}.",
            "Leave it out to go by the target.",
        )
    return _guess_task(target)


def _guess_task(target: "pandas.Series") -> Task:
    from pandas.api import types

    if not types.is_numeric_dtype(target) or types.is_bool_dtype(target):
        return "classification"
    values = target.unique()
    is_whole = bool((values == np.round(values)).all())
    return "classification" if is_whole and len(values) <= _MOST_NUMBERED_CLASSES else "regression"


def part_rows(
    source: TableParts, task: Task, cv: int | None, test_share: float, seed: int
) -> tuple[tuple[Any, ...], tuple[str, ...], list[str]]:
    """Give what to train on and to predict, the names of the items, and what to say about it."""
    from sklearn.model_selection import train_test_split

    X, y = source.features, source.target
    # Counted as a person would in the file: the first row of data is 1.
    names = source.names or tuple(f"row_{n:0{len(str(len(y)))}d}" for n in range(1, len(y) + 1))
    notes = [] if source.names else ["Items are named after their rows, from row_1."]
    if cv is not None:
        return (X, y), names, notes
    if not 0 < test_share < 1:
        raise EvaluationError(
            "The share of rows to predict must lie between 0 and 1;",
            f"given is {test_share}.",
            "Use 0.3 if unsure.",
        )
    rows = np.arange(len(y))
    strata = y if task == "classification" else None
    if strata is not None and not can_stratify(y, test_share):
        strata = None
        notes.append("Some classes are too small to be in both parts; rows are parted by chance.")
    train, test = train_test_split(
        rows, test_size=test_share, random_state=seed, stratify=strata, shuffle=True
    )
    test = np.sort(test)
    if task == "classification":
        check_training(y, train)
    parts = (X.iloc[train], y.iloc[train], X.iloc[test], y.iloc[test])
    return parts, tuple(names[row] for row in test), notes
