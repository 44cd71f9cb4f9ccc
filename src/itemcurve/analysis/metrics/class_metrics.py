"""The usual metrics of classifiers, for all respondents at once."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Predictions

if TYPE_CHECKING:
    import pandas

# As scikit-learn clips: a certain error costs 36 nats, not infinitely many.
_TINY = np.finfo(np.float64).eps
Metrics = dict[str, NDArray[np.float64]]


def measure_classes(predictions: Predictions) -> Metrics:
    """Give accuracy, F1, Brier score, log-loss and AUC of every respondent, by name of metric.

    With two classes F1 and the Brier score are those of the second class; with more, F1 is the
    mean over the classes that occur, the Brier score sums over classes, and AUC is the mean of one
    class against the rest, over the classes that occur.
    """
    right = predictions.chosen == predictions.labels
    return {
        "accuracy": right.mean(axis=1),
        "f1": _f1(predictions),
        "brier": _brier(predictions),
        "log_loss": -np.log(np.clip(predictions.of_label, _TINY, 1.0)).mean(axis=1),
        "auc": _auc(predictions),
    }


def measure_by_labels(
    predictions: Predictions, rows: NDArray[np.intp], is_suspect: NDArray[np.bool_]
) -> "pandas.DataFrame":
    """Accuracy, Brier score, log-loss and AUC with and without the suspect labels.

    Parameters
    ----------
    rows : of the respondents wanted, in this order.
    is_suspect : whether each item is left out the second time.
    """
    import pandas

    kept = np.flatnonzero(~is_suspect)
    clear = replace(
        predictions,
        items=tuple(predictions.items[place] for place in kept),
        probabilities=predictions.probabilities[:, kept],
        labels=predictions.labels[kept],
    )
    table: dict[str, object] = {"respondent": [predictions.respondents[row] for row in rows]}
    for word, part in (("all", predictions), ("without_suspects", clear)):
        found = measure_classes(part)
        for name in ("accuracy", "brier", "log_loss", "auc"):
            table[f"{name}_{word}"] = found[name][rows]
    return pandas.DataFrame(table)


def _f1(predictions: Predictions) -> NDArray[np.float64]:
    count = len(predictions.classes)
    wanted = [1] if count == 2 else range(count)
    found = []
    for place in wanted:
        is_given, is_chosen = predictions.labels == place, predictions.chosen == place
        if count > 2 and not (is_given.any() or is_chosen.any()):
            continue
        both = (is_given & is_chosen).sum(axis=1)
        either = is_given.sum() + is_chosen.sum(axis=1)
        found.append(np.divide(2.0 * both, either, out=np.zeros(len(both)), where=either > 0))
    return np.asarray(np.mean(found, axis=0))


def _brier(predictions: Predictions) -> NDArray[np.float64]:
    if len(predictions.classes) == 2:
        distance = predictions.probabilities[:, :, 1] - predictions.labels
        return np.asarray((distance.astype(np.float64) ** 2).mean(axis=1))
    squares = (predictions.probabilities.astype(np.float64) ** 2).sum(axis=2)
    # Σ(p − y)² = Σp² − 2p_label + 1, without a second array of that size.
    return np.asarray((squares - 2 * predictions.of_label + 1).mean(axis=1))


def _auc(predictions: Predictions) -> NDArray[np.float64]:
    from scipy.stats import rankdata

    count = len(predictions.classes)
    found = []
    for place in [1] if count == 2 else range(count):
        is_given = predictions.labels == place
        inside, outside = int(is_given.sum()), int((~is_given).sum())
        if not inside or not outside:
            continue
        ranks = rankdata(predictions.probabilities[:, :, place], axis=1)
        above = ranks[:, is_given].sum(axis=1) - inside * (inside + 1) / 2
        found.append(above / (inside * outside))
    if not found:
        return np.full(len(predictions.respondents), np.nan)
    return np.asarray(np.mean(found, axis=0))
