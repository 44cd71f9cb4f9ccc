"""From graded predictions to what came of them: the last step of every evaluation."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.model_fit.slope_choice import fit_as_free_as_borne
from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.estimation.fit import fit
from itemcurve.estimation.method import Method
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.collecting.answer_collection import Caution, Failure
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.grades import (
    AUTO,
    choose_model,
    choose_response,
    grade_classes,
    grade_numbers,
    is_auto,
)
from itemcurve.evaluation.grading.single_model import NOTE, add_companion
from itemcurve.evaluation.pools.constant_names import constant_names
from itemcurve.evaluation.pools.pool import Reference, Task
from itemcurve.evaluation.pools.standard_pools import FIXED
from itemcurve.models.contract import ItemModel
from itemcurve.responses.ids import check_ids
from itemcurve.responses.matrix import Responses
from itemcurve.showing.event_log import event_log

_LOG = event_log(__name__)


def assemble(
    predictions: Predictions | Forecasts,
    *,
    response: str | None,
    model: str | ItemModel | None,
    method: str | Method | None,
    fit_settings: dict[str, Any],
    failures: Iterable[Failure] = (),
    cautions: Iterable[Caution] = (),
    notes: Iterable[str] = (),
    settings: dict[str, Any] | None = None,
    rows: tuple[str, ...] = (),
    groups: tuple[str, ...] = (),
) -> Evaluation:
    """Grade predictions, fit a model to the responses and put the evaluation together.

    Without a model named, references (constant answers, oracles) are left out of the fit: they are
    marks to compare with, and would bend the scale of those who look at the items. Where rows come
    in groups, labels are taken as given: models that have not seen a group contradict its labels
    together where it differs, and would be graded against what they say themselves.
    """
    is_alone = len(predictions.respondents) == 1
    predictions = add_companion(predictions)
    told = settings or {}
    if isinstance(predictions, Predictions) and _are_grouped(groups):
        predictions = replace(predictions, trusts_labels=True)
        told = {"labels_judged": False, **told}
    task: Task = "classification" if isinstance(predictions, Predictions) else "regression"
    kind = choose_response(response, model, task)
    responses = grade(predictions, kind, with_references=not is_auto(model))
    result, slopes = fit_responses(responses, kind, model, method, fit_settings)
    _LOG.info("Fitted %s to %d × %d responses: %s", result.model, *responses.shape, result.status)
    return Evaluation(
        predictions,
        result,
        tuple(failures),
        tuple(cautions),
        (
            *notes,
            *_note_classes(predictions),
            *_note_groups(groups, isinstance(predictions, Predictions)),
            *([NOTE] if is_alone else _note_constants(predictions, model)),
        ),
        {
            "response": kind,
            "is_model_named": not is_auto(model),
            "slopes": slopes,
            **told,
        },
        rows,
        groups,
    )


def _note_classes(predictions: Predictions | Forecasts) -> list[str]:
    """Say which class is the positive one, and which the most frequent."""
    if not isinstance(predictions, Predictions) or len(predictions.classes) < 2:
        return []
    classes = predictions.classes
    counts = np.bincount(predictions.labels, minlength=len(classes))
    most = f"{classes[int(counts.argmax())]!r} ({counts.max() / max(counts.sum(), 1):.0%})"
    if len(classes) == 2:
        return [f"Positive is {classes[1]!r}, negative {classes[0]!r}; most frequent is {most}."]
    # Evaluations name constants by what they say; predictions made elsewhere may not.
    ends = (("Always positive", classes[-1]), ("Always negative", classes[0]))
    fixed = [f" {who} says {what!r}." for who, what in ends if who in predictions.respondents]
    return [f"Of {len(classes)} classes {most} is the most frequent.{''.join(fixed)}"]


def _are_grouped(groups: tuple[str, ...]) -> bool:
    """Whether there are several groups, and some of several rows."""
    return 1 < len(set(groups)) < len(groups)


def _note_groups(groups: tuple[str, ...], is_of_classes: bool) -> list[str]:
    """Say what is independent where rows come in groups, and what is not judged."""
    if not _are_grouped(groups):
        return []
    labels = "; labels are not judged, and skill is against the given ones" * is_of_classes
    count = f"{len(groups):,} rows in {len(set(groups)):,} groups"
    return [
        f"{count}: intervals of skill and tiers are those of "
        "groups drawn anew, the wider the fewer groups, for models as they were trained. Of models "
        "that other groups would have trained otherwise, as trees, they are too narrow: 90 % ones "
        "held .81 to .86 in simulations, those of logistic regression .89 to .93. "
        f"Abilities take rows for independent{labels}."
    ]


def _note_constants(
    predictions: Predictions | Forecasts, model: str | ItemModel | None
) -> list[str]:
    """Say which models answer the same for every item without being meant to."""
    classes = predictions.classes if isinstance(predictions, Predictions) else ()
    meant = {*FIXED, *constant_names(classes), *get_args(Reference)}
    flags = zip(predictions.respondents, predictions.is_reference, strict=True)
    names = [name for name, is_reference in flags if is_reference and name not in meant]
    if not names:
        return []
    fitted = "and left out of the fit" if is_auto(model) else "in the leaderboard"
    verb = "answers" if len(names) == 1 else "answer"
    return [
        f"{', '.join(names)} {verb} the same for every item: shown as a reference {fitted}; check "
        "its settings if it was meant to learn."
    ]


def grade(
    predictions: Predictions | Forecasts, response: str, *, with_references: bool
) -> Responses:
    """Give the responses of the respondents, with or without references.

    With fewer than two left, references stay: one respondent alone cannot be fitted.
    """
    grade_all: Any = grade_classes if isinstance(predictions, Predictions) else grade_numbers
    matrix = grade_all(predictions, response)
    kept = np.flatnonzero(~predictions.is_reference)
    if with_references or len(kept) < 2:
        kept = np.arange(len(predictions.respondents))
    names = [predictions.respondents[row] for row in kept]
    return Responses.from_array(matrix[kept], names, predictions.items)


def fit_responses(
    responses: Responses,
    response: str,
    model: str | ItemModel | None,
    method: str | Method | None,
    fit_settings: dict[str, Any],
) -> tuple[FitResult, str]:
    """Fit the model named or chosen; where slopes were chosen, say which."""
    how = "marginal" if method is None else method
    chosen = choose_model(response, *responses.shape) if is_auto(model) else model
    if chosen != AUTO:
        return fit(responses, cast("str | ItemModel", chosen), method=how, **fit_settings), ""
    found = fit_as_free_as_borne(responses, method=how, **fit_settings)
    return found.fit, found.say()


def name_items(
    items: Iterable[object] | None,
    index: tuple[str, ...] | None,
    count: int,
    rows: NDArray[np.intp] | None = None,
) -> tuple[str, ...]:
    """Give the ids of items: those asked for, else those of the table, else numbers.

    Parameters
    ----------
    rows : row of the table that each item is, where not all rows are items.
    """
    asked = None if items is None else list(items)
    if rows is not None and (asked is None or len(asked) != count):
        # Named after their rows: a row that is never predicted leaves its number unused.
        if asked is not None and len(asked) > rows.max():
            asked = [asked[row] for row in rows]
        elif asked is None and index is None:
            width = len(str(int(rows.max()) + 1))
            asked = [f"item_{row + 1:0{width}d}" for row in rows.tolist()]
    return check_ids(asked if asked is not None else index, count, "item")


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
