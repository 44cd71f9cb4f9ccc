"""One estimator, trained once and asked once; whatever it does, it cannot stop the others."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.evaluation.collecting.estimator_training import Trained, train
from itemcurve.evaluation.collecting.splits import Fold
from itemcurve.evaluation.collecting.targets import Classes

# Rounding in 32 bits leaves sums of many classes this far from 1.
_SUM_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class FoldAnswer:
    """What an estimator predicted for the rows of a fold.

    Attributes
    ----------
    values : rows × classes probabilities, or one number per row.
    is_hard : whether the probabilities are 0 and 1 because the estimator names classes only.
    seconds : training and prediction.
    warnings : what it warned of, each text once.
    """

    values: NDArray[np.float64]
    is_hard: bool
    seconds: float
    warnings: tuple[str, ...]


def ask(estimator: Any, fold: Fold, classes: Classes | None) -> FoldAnswer | str:
    """Train a fresh copy and give its predictions, or the reason why there are none.

    Parameters
    ----------
    classes : all classes there are; None for regressors.
    """
    started = time.perf_counter()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            trained = train(estimator, fold, classes is not None)
            if classes is None:
                values, is_hard = _numbers(trained.estimator, fold.X_test), False
            else:
                values, is_hard = _probabilities(trained, fold, classes)
    except Exception as error:
        # Any estimator may fail in any way; the reason goes into the evaluation.
        return describe(error)
    texts = sorted({f"{w.category.__name__}: {_first_line(str(w.message))}" for w in caught})
    return FoldAnswer(values, is_hard, time.perf_counter() - started, tuple(texts))


def describe(error: BaseException) -> str:
    """Give an error in one line."""
    text = _first_line(str(error))
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _numbers(fitted: Any, X: Any) -> NDArray[np.float64]:
    values = np.asarray(fitted.predict(X), dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (X.shape[0],):
        raise ValueError(f"its predictions have shape {values.shape} for {X.shape[0]} rows")
    if not np.isfinite(values).all():
        raise ValueError("its predictions are not finite")
    return values


def _probabilities(
    trained: Trained, fold: Fold, classes: Classes
) -> tuple[NDArray[np.float64], bool]:
    rows, fitted = fold.X_test.shape[0], trained.estimator
    spread = np.zeros((rows, len(classes.names)))
    if not hasattr(fitted, "predict_proba"):
        named = trained.decode(np.asarray(fitted.predict(fold.X_test)))
        spread[np.arange(rows), classes.positions(_known(named, classes))] = 1.0
        return spread, True
    given = np.asarray(fitted.predict_proba(fold.X_test), dtype=np.float64)
    known = _known(trained.classes(fold), classes)
    _check_probabilities(given, (rows, len(known)))
    # A class that training lacked keeps probability 0: the estimator holds it impossible.
    spread[:, classes.positions(known)] = np.clip(given, 0.0, 1.0)
    return spread, False


def _known(labels: NDArray[Any], classes: Classes) -> Any:
    labels = labels.astype(classes.values.dtype) if labels.dtype == object else labels
    strangers = np.setdiff1d(labels, classes.values)
    if strangers.size:
        raise ValueError(f"it predicts {_shown(strangers[0])}, which is no class of the target")
    return labels


def _check_probabilities(given: NDArray[np.float64], shape: tuple[int, int]) -> None:
    if given.shape != shape:
        raise ValueError(f"its probabilities have shape {given.shape}, expected is {shape}")
    if not np.isfinite(given).all():
        raise ValueError("its probabilities are not finite")
    wrong = np.abs(given.sum(axis=1) - 1) > _SUM_TOLERANCE
    if wrong.any() or given.min() < -_SUM_TOLERANCE:
        raise ValueError(f"its probabilities do not sum to 1 in {int(wrong.sum())} rows")


def _first_line(text: str, longest: int = 300) -> str:
    lines: Sequence[str] = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:longest] if lines else ""


def _shown(value: Any) -> str:
    """A class as people write it, without the name of its kind."""
    return repr(value.item() if hasattr(value, "item") else value)
