"""The usual metrics of classifiers and regressors, for all respondents at once."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.label_counts import count_labels
from itemcurve.analysis.predictions import Forecasts, Predictions

if TYPE_CHECKING:
    import pandas

LABEL_METRICS = ("accuracy", "f1", "precision", "recall", "auc_of_labels", "specificity", "mcc")
# As scikit-learn clips: a certain error costs 36 nats, not infinitely many.
_TINY = np.finfo(np.float64).eps
Metrics = dict[str, NDArray[np.float64]]


def measure_labels(
    y_true: NDArray[np.integer], y_pred: NDArray[np.integer], classes: int, positive: int = 1
) -> Metrics:
    """Give the metrics of `LABEL_METRICS`, one value per respondent.

    With two classes all but accuracy and MCC are of the positive one. With more they are means over
    classes, each against the rest: over those that are given or named by the respondent (F1,
    precision, recall), or given (`auc_of_labels`, specificity). A metric whose denominator is 0
    is 0.

    Parameters
    ----------
    y_true, y_pred : positions of classes (items; respondents × items).
    classes, positive : as for `count_labels`.
    """
    counts = count_labels(y_true, y_pred, classes, positive)
    return {
        "accuracy": counts.accuracy(),
        "f1": counts.f1(),
        "precision": counts.precision(),
        "recall": counts.recall(),
        "auc_of_labels": counts.area_under_curve(),
        "specificity": counts.specificity(),
        "mcc": counts.correlation(),
    }


def measure_classes(predictions: Predictions) -> Metrics:
    """Give accuracy, F1, Brier score, log-loss and AUC of every respondent, by name of metric.

    Accuracy and F1 are those of `measure_labels`. With two classes the Brier score is that of the
    second class; with more it sums over classes, and AUC is the mean of one class against the
    rest, over the classes that are given.
    """
    counts = count_labels(predictions.labels, predictions.chosen, len(predictions.classes))
    return {
        "accuracy": counts.accuracy(),
        "f1": counts.f1(),
        "brier": _brier(predictions),
        "log_loss": -np.log(np.clip(predictions.of_label, _TINY, 1.0)).mean(axis=1),
        "auc": _auc(predictions),
    }


def measure_numbers(forecasts: Forecasts) -> Metrics:
    """Give mean absolute error, root mean squared error and R² of every respondent."""
    errors = forecasts.values - forecasts.targets
    spread = ((forecasts.targets - forecasts.targets.mean()) ** 2).mean()
    squares = np.asarray((errors**2).mean(axis=1))
    return {
        "mae": np.asarray(np.abs(errors).mean(axis=1)),
        "rmse": np.sqrt(squares),
        "r2": 1 - squares / spread if spread > 0 else np.full(len(squares), np.nan),
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
        others=(),
    )
    table: dict[str, object] = {"respondent": [predictions.respondents[row] for row in rows]}
    for word, part in (("all", predictions), ("without_suspects", clear)):
        found = measure_classes(part)
        for name in ("accuracy", "brier", "log_loss", "auc"):
            table[f"{name}_{word}"] = found[name][rows]
    return pandas.DataFrame(table)


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
