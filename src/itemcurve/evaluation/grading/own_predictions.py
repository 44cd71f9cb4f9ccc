"""Predictions made elsewhere, evaluated like those of estimators."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.errors import EvaluationError
from itemcurve.estimation.method import Method
from itemcurve.evaluation.collecting.targets import (
    Classes,
    check_labels,
    check_targets,
    find_classes,
)
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.assembly import assemble, name_items
from itemcurve.evaluation.grading.grades import check_plan
from itemcurve.models.contract import ItemModel

if TYPE_CHECKING:
    import pandas

_SUM_TOLERANCE = 1e-3


def from_predictions(
    predictions: "Mapping[str, Any] | pandas.DataFrame",
    y_true: Any,
    *,
    task: Literal["classification", "regression"] = "classification",
    classes: Sequence[Any] | None = None,
    response: str | None = None,
    model: str | ItemModel | None = None,
    method: str | Method | None = None,
    items: Iterable[object] | None = None,
    **fit_settings: Any,
) -> Evaluation:
    """Measure respondents by predictions that exist already.

    Parameters
    ----------
    predictions : by name of respondent (or a table with a column for each), for the same items in
        the same order. Classification: a list of labels, class probabilities (items × classes), or,
        of two classes, the probabilities of the second. Regression: numbers.
    y_true : label or number given to each item.
    classes : in the order of the columns of probabilities; sorted labels when left out.
    response, model, method, items, fit_settings
        As for `evaluate_classifiers` and `evaluate_regressors`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> answers = {"first": [0.9, 0.8, 0.3], "second": [0.6, 0.7, 0.4], "third": [1, 0, 1]}
    >>> ic.from_predictions(answers, [1, 1, 0]).task
    'classification'
    """
    if hasattr(predictions, "columns"):
        predictions = {str(name): values for name, values in predictions.items()}
    if not isinstance(predictions, Mapping) or not predictions:
        size = f" of {len(predictions)}" if hasattr(predictions, "__len__") else ""
        raise EvaluationError(
            "Predictions must be a dict from names to arrays, or a table;",
            f"given is a {type(predictions).__name__}{size}.",
            "Name each respondent: {'first': [...], 'second': [...]}.",
        )
    if task not in ("classification", "regression"):
        raise EvaluationError(
            "task must be 'classification' or 'regression';", f"given is {task!r}.", "Choose one."
        )
    check_plan(response, model, method, fit_settings, task, from_predictions)
    known = (
        _numbers(predictions, y_true, items)
        if task == "regression"
        else read_classes(predictions, y_true, classes, items)
    )
    return assemble(
        known,
        response=response,
        model=model,
        method=method,
        fit_settings=fit_settings,
        settings={"split": "predictions made elsewhere"},
    )


def _numbers(
    predictions: Mapping[str, Any], y_true: Any, items: Iterable[object] | None
) -> Forecasts:
    targets = check_targets(y_true, "y_true")
    rows = [
        check_targets(values, f"predictions of {name!r}") for name, values in predictions.items()
    ]
    for name, row in zip(predictions, rows, strict=True):
        _check_count(name, len(row), len(targets))
    ids = name_items(items, None, len(targets))
    return Forecasts(tuple(map(str, predictions)), ids, np.stack(rows), targets)


def read_classes(
    predictions: Mapping[str, Any],
    y_true: Any,
    classes: Sequence[Any] | None,
    items: Iterable[object] | None,
) -> Predictions:
    """Give the predictions of classifiers in one shape, refusing what does not fit together."""
    labels = check_labels(y_true, "y_true")
    known, columns = _order(labels, classes)
    spread = [
        _probabilities(str(n), v, len(labels), known, columns) for n, v in predictions.items()
    ]
    ids = name_items(items, None, len(labels))
    return Predictions(
        tuple(map(str, predictions)), ids, known.names, np.stack(spread), known.positions(labels)
    )


def _order(labels: NDArray[Any], classes: Sequence[Any] | None) -> tuple[Classes, NDArray[np.intp]]:
    """Give the sorted classes, and the place of each column of probabilities among them."""
    if classes is None:
        known = find_classes(labels)
        return known, np.arange(len(known.names))
    given = check_labels(classes, "classes")
    known = find_classes(labels, given, may_be_rare=True)
    if len(known.names) != len(given):
        raise EvaluationError(
            "classes must list every label once;",
            f"{len(given)} are listed and {len(known.names)} occur.",
            "Add those missing, in the order of the columns.",
        )
    return known, known.positions(given)


def _probabilities(
    name: str, values: Any, count: int, classes: Classes, columns: NDArray[np.intp]
) -> NDArray[np.float64]:
    given = np.asarray(values)
    _check_count(name, len(given) if given.ndim else 0, count)
    spread = np.zeros((count, len(classes.names)))
    if given.ndim == 2 and given.shape[1] > 1:
        _check_table(name, given, spread.shape)
        spread[:, columns] = np.clip(given, 0.0, 1.0)
        return spread
    given = check_labels(given, f"predictions of {name!r}")
    if _is_share(given) and len(columns) == 2:
        spread[:, columns[1]] = given
        spread[:, columns[0]] = 1 - given.astype(float)
        # Labels 0 and 1 themselves come out as the certain probabilities they are.
        if _are_classes(given, classes):
            spread = np.eye(2)[classes.positions(given)]
        return spread
    if not _are_classes(given, classes):
        raise EvaluationError(
            f"Predictions of {name!r} must be labels that occur in y_true, or probabilities;",
            f"found {_stranger(given, classes)!r}.",
            "Give probabilities as items × classes, or name all classes with classes=[...].",
        )
    spread[np.arange(count), classes.positions(given)] = 1.0
    return spread


def _are_classes(given: NDArray[Any], classes: Classes) -> bool:
    is_number = given.dtype.kind in "biuf"
    if is_number != (classes.values.dtype.kind in "biuf"):
        return False
    return bool(np.isin(given, classes.values).all())


def _stranger(given: NDArray[Any], classes: Classes) -> Any:
    strangers = [value for value in given.tolist() if value not in set(classes.values.tolist())]
    # Among probabilities the one that is none is what went wrong.
    if given.dtype.kind in "biuf":
        strangers = [value for value in strangers if not 0 <= value <= 1] or strangers
    return strangers[0] if strangers else given[0]


def _is_share(given: NDArray[Any]) -> bool:
    return given.dtype.kind in "biuf" and bool(((given >= 0) & (given <= 1)).all())


def _check_table(name: str, given: NDArray[Any], shape: tuple[int, int]) -> None:
    if given.shape != shape or given.dtype.kind not in "biuf":
        raise EvaluationError(
            f"Probabilities must be of shape {shape}, items × classes;",
            f"those of {name!r} have shape {given.shape}.",
            "Name all classes with classes=[...] when some do not occur in y_true.",
        )
    wrong = ~(np.abs(given.sum(axis=1) - 1) <= _SUM_TOLERANCE) | ~(given >= 0).all(axis=1)
    if wrong.any():
        raise EvaluationError(
            "Probabilities of an item must be at least 0 and sum to 1;",
            f"those of {name!r} do not for {int(wrong.sum())} of {len(given)} items.",
            "Divide by their sum, or give labels.",
        )


def _check_count(name: str, given: int, count: int) -> None:
    if given != count:
        raise EvaluationError(
            f"Every respondent must predict all {count} items;",
            f"{name!r} has {given} predictions.",
            "Keep the same items in the same order for all.",
        )
