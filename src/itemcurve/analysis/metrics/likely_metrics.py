"""The usual metrics of classifiers against what labels most probably are."""

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Predictions

Floats = NDArray[np.float64]
# As `measure_classes` clips, so that both are one metric where labels are certain.
_SMALLEST = np.finfo(np.float64).eps


def measure_likely(predictions: Predictions, soft: Floats) -> dict[str, Floats]:
    """Give Brier score, log-loss and AUC of every respondent, expected over the true labels.

    Where these are certain, the values are those of `measure_classes`.

    Parameters
    ----------
    soft : probability of every true label, as `LabelNoise.soft_labels` (items × classes).
    """
    stated = predictions.probabilities.astype(np.float64)
    squares = (stated**2).sum(axis=2) - 2 * np.einsum("rik,ik->ri", stated, soft) + 1
    logs = np.log(np.clip(stated, _SMALLEST, 1.0))
    # With two classes the usual Brier score is that of one of them.
    halves = 2 if len(predictions.classes) == 2 else 1
    return {
        "brier_likely": np.asarray(squares.mean(axis=1) / halves),
        "log_loss_likely": -np.einsum("rik,ik->r", logs, soft) / len(soft),
        "auc_likely": np.array([_auc(rows, soft) for rows in stated]),
    }


def _auc(stated: Floats, soft: Floats) -> float:
    """Area under the ROC curve, each item counting in both classes; mean over the classes."""
    count = stated.shape[1]
    wanted = [1] if count == 2 else range(count)
    found = [_weighted_auc(stated[:, k], soft[:, k]) for k in wanted]
    known = [value for value in found if value == value]
    return float(np.mean(known)) if known else float("nan")


def _weighted_auc(scores: Floats, inside: Floats) -> float:
    """P(a member scores above a stranger), equals counting half; weights are memberships."""
    _, places = np.unique(scores, return_inverse=True)
    members, strangers = np.bincount(places, inside), np.bincount(places, 1 - inside)
    total = members.sum() * strangers.sum()
    if total <= 0:
        return float("nan")
    below = np.cumsum(strangers) - strangers / 2
    return float(members @ below / total)
