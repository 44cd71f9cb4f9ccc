"""From graded predictions to a study: the last step of every evaluation."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.estimation.contract import Method
from itemcurve.estimation.fit import fit
from itemcurve.evaluation.collecting import Caution, Failure
from itemcurve.evaluation.grading import choose_model, grade_classes, grade_numbers
from itemcurve.evaluation.pools import Reference
from itemcurve.evaluation.study import EvaluationStudy
from itemcurve.models.contract import ItemModel
from itemcurve.responses.ids import check_ids
from itemcurve.responses.matrix import Responses


def assemble(
    predictions: Predictions | Forecasts,
    *,
    response: str,
    model: str | ItemModel | None,
    method: str | Method | None,
    fit_settings: dict[str, Any],
    failures: Iterable[Failure] = (),
    cautions: Iterable[Caution] = (),
    notes: Iterable[str] = (),
    settings: dict[str, Any] | None = None,
) -> EvaluationStudy:
    """Grade predictions, fit a model to the responses and put the study together."""
    if isinstance(predictions, Predictions):
        matrix = grade_classes(predictions, response)
    else:
        matrix = grade_numbers(predictions, response)
    responses = Responses.from_array(matrix, predictions.respondents, predictions.items)
    result = fit(
        responses,
        choose_model(response, *responses.shape) if model is None else model,
        method="marginal" if method is None else method,
        **fit_settings,
    )
    return EvaluationStudy(
        predictions,
        result,
        tuple(failures),
        tuple(cautions),
        tuple(notes),
        {"response": response, **(settings or {})},
    )


def name_items(
    items: Iterable[object] | None, index: tuple[str, ...] | None, count: int
) -> tuple[str, ...]:
    """Give the ids of items: those asked for, else those of the table, else numbers."""
    return check_ids(items if items is not None else index, count, "item")


def add_references(
    names: tuple[str, ...],
    values: NDArray[np.floating],
    targets: NDArray[np.floating],
    references: tuple[Reference, ...],
) -> tuple[tuple[str, ...], NDArray[np.floating]]:
    """Append the respondents that are computed from the others (respondents × items).

    `Average` predicts the mean of the targets; `Optimal` and `Worst` take, item by item, the best
    and the worst prediction of the regressors and Average.
    """
    average = np.full((1, len(targets)), targets.mean())
    known = np.concatenate([values, average])
    errors = np.abs(known - targets)
    everyone = np.arange(len(targets))
    rows = {
        "Optimal": known[errors.argmin(axis=0), everyone],
        "Average": average[0],
        "Worst": known[errors.argmax(axis=0), everyone],
    }
    added = [rows[name] for name in references]
    return (*names, *references), np.concatenate([values, *(row[np.newaxis] for row in added)])
