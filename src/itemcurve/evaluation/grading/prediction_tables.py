"""A table of answers, one column per model, as people export it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.own_predictions import from_predictions
from itemcurve.evaluation.tables.labelled_table import choose_task
from itemcurve.evaluation.tables.table_files import check_names, read_table
from itemcurve.evaluation.tables.target_column import check_columns, find_target

if TYPE_CHECKING:
    import pandas

    from itemcurve.evaluation.pools.pool import Task

_ID_NAMES = ("item", "id", "index", "row", "name", "item_id", "sample_id", "unnamed: 0")
# Between a model and a class in the name of a column of probabilities.
_BETWEEN = ":"


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """What a table of answers holds.

    Attributes
    ----------
    answers : by model: labels, probabilities of the second class, or of all classes.
    truth : the given answer of each row.
    items : names of rows, where a column has them.
    notes : what was decided about the columns.
    """

    answers: dict[str, Any]
    truth: "pandas.Series"
    items: tuple[str, ...] | None
    task: "Task"
    notes: tuple[str, ...]


def evaluate_predictions(
    table: "pandas.DataFrame | str | PathLike[str]",
    target: str | None = None,
    *,
    task: Literal["auto", "classification", "regression"] = "auto",
    drop: Sequence[str] = (),
    **settings: Any,
) -> Evaluation:
    """Evaluate models by a table of their answers.

    Parameters
    ----------
    table : with a column of given answers, a column per model, and perhaps one that names the
        rows. A model's column holds the labels it chose, probabilities of the second of two
        classes, or numbers; probabilities of every class are in columns `model:class`.
    target : the column of given answers; found by its name when left out.
    drop : columns that are neither.
    settings : as for `from_predictions`.
    """
    frame = read_table(table) if isinstance(table, str | PathLike) else table
    found = read_answers(frame, target, drop, task)
    evaluation = from_predictions(
        found.answers, found.truth.to_numpy(), task=found.task, items=found.items, **settings
    )
    name = Path(table).name if isinstance(table, str | PathLike) else ""
    return replace(
        evaluation,
        notes=(*found.notes, *evaluation.notes),
        settings={**evaluation.settings, "data": name, "target": str(found.truth.name)},
    )


def read_answers(
    frame: "pandas.DataFrame",
    target: str | None,
    drop: Sequence[str],
    task: Literal["auto", "classification", "regression"],
) -> AnswerTable:
    """Tell the columns of a table of answers apart."""
    check_names(frame.columns)
    named, said = find_target(frame, target)
    check_columns(frame, list(drop))
    has_answer = frame[named].notna()
    notes = [*frame.attrs.get("notes", ()), *said]
    if not has_answer.all():
        notes.append(f"{int((~has_answer).sum())} rows without a {named!r} are left out.")
    rows = frame[has_answer].reset_index(drop=True)
    truth, others = rows[named], rows.drop(columns=list(dict.fromkeys([named, *drop])))
    kind = choose_task(truth, task)
    ids = _find_ids(others, truth)
    if ids is not None:
        others = others.drop(columns=[ids])
        notes.append(f"Items are named after column {ids!r}.")
    if not others.shape[1]:
        raise EvaluationError(
            "A table of predictions needs a column of answers for each model;",
            f"beside {named!r} there is none.",
            "Add one, or choose another column with --target.",
        )
    answers = _gather(others, truth, kind)
    notes.append(f"{len(answers)} models answered: {_list(list(answers))}.")
    names = None if ids is None else tuple(rows[ids].astype(str))
    return AnswerTable(answers, truth, names, kind, tuple(notes))


def _find_ids(others: "pandas.DataFrame", truth: "pandas.Series") -> str | None:
    """Give the column that names the rows: called so, or text that is no answer."""
    classes = set(truth.astype(str))
    for name in others.columns:
        column = others[name]
        if not column.is_unique or column.isna().any():
            continue
        is_named = str(name).strip().lower() in _ID_NAMES
        is_text = column.dtype.kind not in "biuf"
        if is_named or (is_text and not set(column.astype(str)) <= classes):
            return str(name)
    return None


def _gather(others: "pandas.DataFrame", truth: "pandas.Series", task: "Task") -> dict[str, Any]:
    """Give the answers of each model; columns `model:class` together."""
    labels = _Labels(truth)
    answers: dict[str, Any] = {}
    shares: dict[str, dict[str, Any]] = {}
    for name in others.columns:
        model, between, label = str(name).rpartition(_BETWEEN)
        if task == "classification" and between and label in labels.words:
            shares.setdefault(model, {})[label] = others[name].to_numpy()
        else:
            answers[str(name)] = _check_column(others[name], labels, task)
    ordered = [str(label) for label in np.unique(truth.to_numpy())]
    for model, columns in shares.items():
        missing = [label for label in ordered if label not in columns]
        if missing:
            raise EvaluationError(
                "Probabilities are needed of every class;",
                f"{model!r} has none of {', '.join(map(repr, missing[:3]))}.",
                f"Add a column {model}{_BETWEEN}{missing[0]}.",
            )
        answers[model] = np.stack([columns[label] for label in ordered], axis=1)
    return answers


class _Labels:
    """Labels of the given answers, found again by value or, where kinds differ, by their text."""

    def __init__(self, truth: "pandas.Series") -> None:
        self.name = truth.name
        found = truth.unique().tolist()
        self.words = {str(label): label for label in found}
        # 1 and 1.0 are the same here.
        self.values = {**self.words, **{label: label for label in found}}

    def find(self, value: Any) -> Any:
        """Give the label that a value stands for; None where it stands for none."""
        return self.values.get(value, self.values.get(str(value)))


def _check_column(column: "pandas.Series", labels: _Labels, task: "Task") -> Any:
    """Give the answers of a column; raise where it holds none."""
    gaps = int(column.isna().sum())
    if gaps:
        raise EvaluationError(
            "Every model must answer every row;",
            f"{column.name!r} has {gaps} gaps.",
            f"Fill them, drop these rows, or leave the model out: --drop {column.name}.",
        )
    if task == "regression":
        return column.to_numpy()
    values = column.to_numpy()
    found = [labels.find(value) for value in values.tolist()]
    if all(label is not None for label in found):
        return np.array(found)
    is_share = values.dtype.kind in "biuf" and bool(((values >= 0) & (values <= 1)).all())
    if is_share and len(labels.words) == 2:
        return values
    pairs = zip(values.tolist(), found, strict=True)
    stranger = next(value for value, label in pairs if label is None)
    raise EvaluationError(
        f"A model's column holds labels of {labels.name!r}, or probabilities;",
        f"{column.name!r} has {stranger!r}.",
        f"Leave it out if it is no model: --drop {column.name}. Probabilities of more than two "
        f"classes are in columns as {column.name}{_BETWEEN}{next(iter(labels.words))}.",
    )


def _list(names: list[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
