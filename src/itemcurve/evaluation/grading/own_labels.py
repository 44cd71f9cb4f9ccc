"""Labels judged by the predictions of one model or of many, without a fit."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from itemcurve.analysis.labels.label_audit import LabelAudit, judge_labels
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.grading.own_predictions import read_classes


def audit_labels(
    predictions: Any,
    labels: Any = None,
    *,
    classes: Sequence[Any] | None = None,
    items: Iterable[object] | None = None,
    false_discovery_rate: float = 0.1,
    noise_check: bool = True,
    rows: Sequence[str] = (),
) -> LabelAudit:
    """Find labels that are probably wrong, from the predictions of one model or of many.

    Predictions must be of items that the models were not trained on: cross-validated, or of a test
    part. They are pooled with weights under which they best foretell the labels; the labels are
    taken as the true ones seen through a channel in which each class errs in its own way
    (`find_label_noise`); those most probably wrong are suspect.

    Parameters
    ----------
    predictions : of one model, class probabilities (items × classes), of two classes also the
        probabilities of the second, or the labels it chose; of several models, a dict or a table
        of these by name; or the `predictions` of an evaluation.
    labels : the given label of each item; left out with an evaluation's, which have them.
    classes : in the order of the columns of probabilities; sorted labels when left out.
    items : ids; numbered when left out.
    false_discovery_rate : expected share of right labels among the suspect ones, between 0 and 1.
    noise_check : whether labels are suspected only as far as wrong labels are more probable than
        classes that overlap. Without it more errors are found, and more right labels blamed.
    rows : what each item is, in words, for the tables.

    Examples
    --------
    >>> import itemcurve as ic
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 2, 200)
    >>> given = np.where(np.arange(200) < 10, 1 - truth, truth)
    >>> stated = np.clip(0.5 + (truth - 0.5) * (0.9 - 0.3 * rng.random(200)), 0, 1)
    >>> first = ic.audit_labels(stated, given).suspects()["item"]  # the most suspicious ten
    >>> sorted(first) == [f"item_{number:03d}" for number in range(1, 11)]
    True
    """
    if isinstance(predictions, Predictions):
        _refuse_groups(predictions)
        known = predictions
    elif labels is None:
        raise EvaluationError(
            "Labels can be judged only where they are given;",
            "predictions came without any.",
            "Use audit_labels(probabilities, labels).",
        )
    else:
        known = read_classes(_named(predictions), labels, classes, items)
    return judge_labels(
        known, false_discovery_rate=false_discovery_rate, noise_check=noise_check, rows=rows
    )


def _refuse_groups(predictions: Predictions) -> None:
    """Raise where respondents may not have seen the groups that items are of."""
    if predictions.trusts_labels:
        raise EvaluationError(
            "Labels are judged by models that have seen other rows of their group;",
            "these were evaluated with groups.",
            "Evaluate without groups, and judge labels by that.",
        )


def _named(predictions: Any) -> Mapping[str, Any]:
    """Give predictions by name of the model, also where there is only one."""
    if isinstance(predictions, Mapping):
        return predictions
    if hasattr(predictions, "columns"):
        return {str(name): values for name, values in predictions.items()}
    return {"model": predictions}
