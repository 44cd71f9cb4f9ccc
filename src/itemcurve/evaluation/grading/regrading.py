"""The same predictions graded against other answers."""

from dataclasses import replace
from typing import Any

import numpy as np

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.estimation.refitting import fit_again, method_of
from itemcurve.evaluation.collecting.targets import check_rows, check_targets
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.assembly import add_references, fit_responses, grade


def regrade(evaluation: Evaluation, answers: Any) -> Evaluation:
    """Give the evaluation as it would be had these been the answers; nothing is trained again.

    Parameters
    ----------
    answers : a label or a number for each item, in the order of the items.
    """
    predictions: Predictions | Forecasts
    if isinstance(evaluation.predictions, Forecasts):
        predictions = _with_targets(evaluation, evaluation.predictions, answers)
    else:
        predictions = with_labels(evaluation.predictions, answers)
    is_named = evaluation.settings.get("is_model_named", False)
    responses = grade(predictions, evaluation.settings["response"], with_references=is_named)
    if is_named:
        return replace(
            evaluation, predictions=predictions, fit=fit_again(evaluation.fit, responses)
        )
    # What slopes the data bear may change with the answers.
    found, slopes = fit_responses(
        responses,
        evaluation.settings["response"],
        None,
        method_of(evaluation.fit),
        {"on_failure": "ignore"},
    )
    return replace(
        evaluation,
        predictions=predictions,
        fit=found,
        settings={**evaluation.settings, "slopes": slopes},
    )


def with_labels(predictions: Predictions, answers: Any) -> Predictions:
    """Give the same predictions beside other labels."""
    labels = np.asarray(answers).astype(str)
    check_rows(labels, predictions.labels, "The new and the former answers")
    places = {name: place for place, name in enumerate(predictions.classes)}
    return replace(predictions, labels=np.array([places[label] for label in labels]))


def _with_targets(evaluation: Evaluation, forecasts: Forecasts, answers: Any) -> Forecasts:
    targets = check_targets(answers, "The new answers")
    check_rows(targets, forecasts.targets, "The new and the former answers")
    references = tuple(evaluation.settings.get("references", ()))
    own = len(forecasts.respondents) - len(references)
    names, values = add_references(
        forecasts.respondents[:own], forecasts.values[:own], targets, references
    )
    return Forecasts(names, forecasts.items, values, targets, forecasts.oracles)
