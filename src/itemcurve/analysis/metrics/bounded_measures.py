"""Six measures of class probabilities against labels, each in [0, 1] and better when larger."""

import numpy as np
from numpy.typing import NDArray

MEASURES = ("accuracy", "brier", "log_loss", "weighted_accuracy", "auc", "f1")


def measure_performance(y: NDArray[np.int64], proba: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give accuracy, 1 − Brier/2, exp(−log-loss), and three prior-weighted binary measures.

    The binary measures (accuracy, area under the ROC curve, F1) are those of each class against
    the rest, weighted by the class frequencies in `y`; hard decisions are the most probable class.
    With two classes the weighted accuracy is the accuracy. A class that does not occur in `y`
    weighs nothing; where only one does, the area under the curve is NaN.

    Parameters
    ----------
    y
        True classes, 0 to classes − 1.
    proba
        Class probabilities, rows × classes.

    Returns
    -------
    The values of `MEASURES`, in that order.

    Examples
    --------
    >>> import numpy as np
    >>> from itemcurve.analysis.metrics.bounded_measures import measure_performance
    >>> y, proba = np.array([0, 1]), np.array([[0.5, 0.5], [0.25, 0.75]])
    >>> measure_performance(y, proba).round(3).tolist()
    [1.0, 0.844, 0.612, 1.0, 1.0, 1.0]
    """
    proba = proba / proba.sum(axis=1, keepdims=True)
    classes = np.arange(proba.shape[1])
    truth = y[:, None] == classes
    decided = proba.argmax(axis=1)[:, None] == classes
    occurs = truth.any(axis=0)
    prior = truth.mean(axis=0)
    hits = (truth & decided).sum(axis=0)
    # The bound is that of scikit-learn: a confident error costs 36 nats, not infinitely many.
    chosen = np.clip(proba[truth], np.finfo(np.float64).eps, 1.0)
    return np.array(
        [
            hits.sum() / y.size,
            1 - ((proba - truth) ** 2).sum(axis=1).mean() / 2,
            np.exp(np.log(chosen).mean()),
            prior @ (truth == decided).mean(axis=0),
            prior[occurs] @ _areas_under_roc(truth[:, occurs], proba[:, occurs]),
            prior @ (2 * hits / np.maximum(truth.sum(axis=0) + decided.sum(axis=0), 1)),
        ]
    )


def _areas_under_roc(truth: NDArray[np.bool_], proba: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give each class's area under the ROC curve from ranks, ties counted half."""
    from scipy.stats import rankdata

    positives = truth.sum(axis=0)
    ranks = (rankdata(proba, axis=0) * truth).sum(axis=0)
    wins = ranks - positives * (positives + 1) / 2
    pairs = (positives * (len(truth) - positives)).astype(np.float64)
    # With one class there is nothing to part.
    return np.asarray(wins / np.where(pairs > 0, pairs, np.nan), dtype=np.float64)
