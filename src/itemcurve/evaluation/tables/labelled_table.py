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
from itemcurve.evaluation.collecting.splits import check_repeats
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.pools.named_pools import choose_pool
from itemcurve.evaluation.pools.pool import Pool, Task
from itemcurve.evaluation.regressors import evaluate_regressors
from itemcurve.evaluation.tables.model_corrections import count_corrections, note_corrections
from itemcurve.evaluation.tables.record_columns import find_record_columns
from itemcurve.evaluation.tables.row_parts import part_rows
from itemcurve.evaluation.tables.row_words import describe_rows
from itemcurve.evaluation.tables.table_files import read_table
from itemcurve.evaluation.tables.table_parts import TableParts, part_table
from itemcurve.evaluation.unknown_arguments import refuse_unknown
from itemcurve.models.contract import ItemModel

if TYPE_CHECKING:
    import pandas

# Whole numbers with no more different values than this are classes rather than measurements.
_MOST_NUMBERED_CLASSES = 20
# Fewer are codes of classes as a rule.
_PERHAPS_AMOUNTS = 5
# Of all models that an evaluation may be asked for; which one has which, is looked at later.
_PARAMETERS = (
    "discrimination",
    "difficulty",
    "intercept",
    "guessing",
    "upper_asymptote",
    "method",
    "without_probabilities",
)


def evaluate_table(
    table: "pandas.DataFrame | str | PathLike[str]",
    target: str | None = None,
    *,
    task: Literal["auto", "classification", "regression"] = "auto",
    pool: str | Pool = "standard",
    response: str | None = None,
    model: str | ItemModel | None = None,
    cv: Any = None,
    repeats: int = 1,
    test_share: float = 0.3,
    drop: Sequence[str] = (),
    groups: str | None = None,
    sample_weight: str | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
    **fit_settings: Any,
) -> Evaluation:
    """Evaluate a pool of estimators on a table of mixed columns, gaps and all.

    Columns are prepared as `build_preparation` says; columns that name rows are left out, and the
    first of them names the items. Rows without a target are left out. All of this is in the notes.

    Parameters
    ----------
    table : a pandas table, or what `read_table` takes.
    target : the column to predict; when left out the one that is called target, label, class, y
        or outcome.
    task : `"auto"` takes text, truth values and up to 20 different whole numbers as classes.
    pool : `"standard"`, `"families"` (`classifier_families`), `"random:N"` for N random
        classifiers, or a pool.
    response, model : as for `evaluate_classifiers` or `evaluate_regressors`.
    cv, repeats : as for `evaluate_classifiers`; without `cv` a share of the rows is held out.
    test_share : that share.
    drop : columns not to use.
    groups : column whose rows of one value are never on both sides; no feature.
    sample_weight : column of weights in training; no feature.
    seed : of the split and of all estimators.
    n_jobs, cache, progress, fit_settings : as for `evaluate_classifiers`.

    Examples
    --------
    >>> evaluation = evaluate_table("iris", pool="random:5", response="correct")
    >>> evaluation.responses.shape
    (5, 45)
    """
    refuse_unknown(fit_settings, evaluate_table, _PARAMETERS)
    frame = read_table(table) if isinstance(table, str | PathLike) else table
    source = part_table(frame, target, drop, groups=groups, weights=sample_weight)
    kind = choose_task(source.target, task)
    check_repeats(repeats, cv)
    chosen, again = choose_pool(pool, kind, seed), _of_labels(repeats, kind)
    evaluate: Any = evaluate_classifiers if kind == "classification" else evaluate_regressors
    parts, notes = part_rows(source, kind, cv, test_share, seed)
    evaluation: Evaluation = evaluate(
        chosen,
        **parts,
        cv=cv,
        prepare="always",
        seed=seed,
        n_jobs=n_jobs,
        cache=cache,
        progress=progress,
        response=response,
        model=model,
        **again,
        **fit_settings,
    )
    corrected = count_corrections(table, frame, source.target.name)
    taken = (*source.notes, *note_task(source.target, task))
    said = (*taken, *notes, *note_corrections(corrected, table))
    made: dict[str, Any] = {"corrected": corrected} if corrected else {}
    records = [name for kind in find_record_columns(source.features) for name in kind]
    made |= {"records": records} if records else {}
    evaluation = _with_whole_rows(evaluation, frame, source, parts)
    return _named(evaluation, table, str(source.target.name), said, made)


def _with_whole_rows(
    evaluation: Evaluation, frame: "pandas.DataFrame", source: TableParts, parts: dict[str, Any]
) -> Evaluation:
    """Tell rows as they are in the table: who looks for one knows it by columns left out, too."""
    if not evaluation.rows:
        return evaluation
    asked = parts["y_test"] if "y_test" in parts else parts["y_train"]
    places = dict(zip(map(str, parts["items"]), asked.index, strict=True))
    rows = source.positions[[places[item] for item in evaluation.predictions.items]]
    whole = frame.drop(columns=[source.target.name]).iloc[rows]
    return replace(evaluation, rows=describe_rows(whole))


def _named(
    evaluation: Evaluation, table: Any, target: str, notes: tuple[str, ...], known: dict[str, Any]
) -> Evaluation:
    """Keep where an evaluation's data came from, and what was decided about them."""
    name = Path(table).name if isinstance(table, str | PathLike) else ""
    made = {"data": name, "target": target, **known}
    return replace(
        evaluation,
        notes=(*notes, *evaluation.notes),
        settings={**evaluation.settings, **made},
    )


def _of_labels(repeats: int, kind: Task) -> dict[str, int]:
    """Give the argument of classifiers that regressors have no use for."""
    if kind == "classification":
        return {"repeats": repeats}
    if repeats > 1:
        raise EvaluationError(
            "Repetitions judge labels;",
            "the target holds numbers, which have none.",
            "Leave repeats out.",
        )
    return {}


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


def note_task(target: "pandas.Series", task: str) -> list[str]:
    """Say that numbers were taken as classes, where they may be amounts or grades."""
    from pandas.api import types

    values = target.dropna().unique()
    is_told = task != "auto" or not types.is_numeric_dtype(target) or types.is_bool_dtype(target)
    if is_told or len(values) < _PERHAPS_AMOUNTS or _guess_task(target) == "regression":
        return []
    return [
        f"The {len(values)} whole numbers in {str(target.name)!r} are taken as classes; where they "
        "are amounts or grades, ask for task regression."
    ]


def _guess_task(target: "pandas.Series") -> Task:
    from pandas.api import types

    if not types.is_numeric_dtype(target) or types.is_bool_dtype(target):
        return "classification"
    values = target.unique()
    is_whole = bool((values == np.round(values)).all())
    return "classification" if is_whole and len(values) <= _MOST_NUMBERED_CLASSES else "regression"
