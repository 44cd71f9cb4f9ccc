"""A noisy training set cleaned from a small trusted part (Chen et al. 2019, section 5.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.collecting.targets import check_labels
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class CleanedLabels:
    """Which labels of a training set can be kept.

    Attributes
    ----------
    is_kept : True for the trusted rows and those judged clean.
    error_probability : that a label is wrong, by the last round; 0 for trusted rows.
    rounds : rows used for training in each round.
    is_settled : whether the last round changed nothing any more.
    """

    is_kept: NDArray[np.bool_]
    error_probability: NDArray[np.float64]
    rounds: tuple[int, ...]
    is_settled: bool

    def __repr__(self) -> str:
        kept = f"{int(self.is_kept.sum()):,} of {self.is_kept.size:,} labels kept"
        end = "settled" if self.is_settled else "not settled"
        return f"CleanedLabels({kept}, {len(self.rounds)} rounds, {end})"

    def frame(self) -> "pandas.DataFrame":
        """One row per row of the training set."""
        return tabulate(self, "is_kept", "error_probability")


def clean_labels(
    estimators: Pool | Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any,
    trusted: ArrayLike,
    *,
    rounds: int = 5,
    threshold: float = 0.5,
    **settings: Any,
) -> CleanedLabels:
    """Find the labels to keep, starting from a small part whose labels are known to be right.

    The estimators are trained on the trusted rows and predict all others; rows whose label is
    probably right join the training set, and all others are judged anew by estimators trained on
    the larger set, until nothing changes. A row that joined may leave again: a round judges it
    too, by estimators that were trained on it, so it leaves only where the others outweigh it.

    Parameters
    ----------
    estimators : classifiers, as for `evaluate_classifiers`.
    X, y : the whole training set with noisy labels.
    trusted : positions of rows, or a mask, whose labels are right; every class must be among them.
    rounds : at most this many.
    threshold : a label is kept when the probability that it is wrong is below.
    settings : further arguments of `evaluate_classifiers`.
    """
    labels = check_labels(y, "y")
    is_trusted = _as_mask(trusted, len(labels))
    _check(labels, is_trusted, rounds, threshold)
    features = X if hasattr(X, "iloc") else np.asarray(X)
    doubtful = np.flatnonzero(~is_trusted)
    is_kept, probability = is_trusted.copy(), np.zeros(len(labels))
    sizes, is_settled = [], False
    for _ in range(rounds):
        sizes.append(int(is_kept.sum()))
        evaluation = evaluate_classifiers(
            estimators,
            _rows(features, is_kept),
            labels[is_kept],
            _rows(features, doubtful),
            labels[doubtful],
            **settings,
        )
        probability[doubtful] = error_probabilities(evaluation)
        judged = is_trusted | (probability < threshold)
        is_settled = bool((judged == is_kept).all())
        is_kept = judged
        if is_settled:
            break
    return CleanedLabels(is_kept, probability, tuple(sizes), is_settled)


def error_probabilities(evaluation: Evaluation) -> NDArray[np.float64]:
    """Give the probability that the label of each item is wrong, by the audit of the evaluation."""
    table = evaluation.audit().frame().set_index("item")
    found = table["label_error_probability"].reindex(list(evaluation.predictions.items))
    return np.asarray(found, dtype=np.float64)


def _as_mask(trusted: ArrayLike, count: int) -> NDArray[np.bool_]:
    given = np.asarray(trusted)
    if given.dtype == bool and given.shape == (count,):
        return given
    is_place = given.ndim == 1 and given.dtype.kind in "iu" and given.size
    if not is_place or given.min() < 0 or given.max() >= count:
        raise EvaluationError(
            f"trusted must be a mask of the {count} rows, or positions among them;",
            f"given is an array of {given.dtype}, shape {given.shape}.",
            "Give for example list(range(50)) for the first fifty rows.",
        )
    mask = np.zeros(count, dtype=bool)
    mask[given] = True
    return mask


def _check(
    labels: NDArray[Any], is_trusted: NDArray[np.bool_], rounds: int, threshold: float
) -> None:
    lacking = np.setdiff1d(labels, labels[is_trusted])
    if lacking.size or is_trusted.all():
        raise EvaluationError(
            "The trusted part must hold every class, and leave some rows to judge;",
            f"it has no row of class {str(lacking[0])!r}."
            if lacking.size
            else "all rows are trusted.",
            "Trust a few rows of each class.",
        )
    if rounds < 1 or not 0 < threshold <= 1:
        raise EvaluationError(
            "There must be at least one round, and a threshold between 0 and 1;",
            f"given are {rounds} and {threshold}.",
            "Leave them out if unsure.",
        )


def _rows(X: Any, rows: NDArray[Any]) -> Any:
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]
