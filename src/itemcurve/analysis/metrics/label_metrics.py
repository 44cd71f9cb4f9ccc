"""Classical metrics of hard labels, for all respondents at once and for any part of the items."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

METRICS = ("accuracy", "f1", "precision", "recall", "auc_of_labels", "specificity", "mcc")
Table = dict[str, NDArray[np.float64]]


def measure_labels(
    y_true: NDArray[np.integer], y_pred: NDArray[np.integer], classes: int, positive: int = 1
) -> Table:
    """Give the metrics of `METRICS`, one value per respondent, from the counts of the labels.

    `auc_of_labels` is (recall + specificity) / 2, which is what an area under the ROC curve becomes
    when it is given labels instead of probabilities. With more than two classes all but accuracy
    and MCC are means over the classes that occur, each against the rest. A metric whose
    denominator is 0 is 0.

    Parameters
    ----------
    y_true, y_pred : positions of classes (items; respondents × items).
    classes : how many there are.
    positive : with two classes, the one whose precision and recall are meant.
    """
    wanted = [positive] if classes == 2 else [k for k in range(classes) if (y_true == k).any()]
    parts = [_measure_class(y_true == k, y_pred == k) for k in wanted]
    found = {name: np.mean([part[name] for part in parts], axis=0) for name in parts[0]}
    found["accuracy"] = (y_true == y_pred).mean(axis=1)
    found["mcc"] = _correlate(y_true, y_pred, classes)
    return {name: found[name] for name in METRICS}


def _measure_class(is_given: NDArray[np.bool_], is_chosen: NDArray[np.bool_]) -> Table:
    """Metrics of one class against the rest."""
    hits = (is_given & is_chosen).sum(axis=1)
    rejected = (~is_given & ~is_chosen).sum(axis=1)
    recall = _ratio(hits, np.full(hits.shape, is_given.sum()))
    specificity = _ratio(rejected, np.full(hits.shape, (~is_given).sum()))
    return {
        "f1": _ratio(2 * hits, is_given.sum() + is_chosen.sum(axis=1)),
        "precision": _ratio(hits, is_chosen.sum(axis=1)),
        "recall": recall,
        "auc_of_labels": (recall + specificity) / 2,
        "specificity": specificity,
    }


def _correlate(
    y_true: NDArray[np.integer], y_pred: NDArray[np.integer], classes: int
) -> NDArray[np.float64]:
    """Matthews' correlation for any number of classes (Gorodkin 2004)."""
    given = np.bincount(y_true, minlength=classes)
    chosen = np.stack([(y_pred == k).sum(axis=1) for k in range(classes)], axis=1)
    size = y_true.size
    cross = (y_true == y_pred).sum(axis=1) * size - chosen @ given
    spread = np.sqrt(
        (size**2 - (chosen**2).sum(axis=1)).astype(float) * float(size**2 - (given**2).sum())
    )
    return _ratio(cross, spread)


def _ratio(above: NDArray[Any], below: NDArray[Any]) -> NDArray[np.float64]:
    found = np.zeros(above.shape)
    np.divide(above, below, out=found, where=below > 0)
    return found
