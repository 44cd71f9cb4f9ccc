"""Scores row by row, whose mean is the score of a search."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

Numbers = NDArray[np.float64]
RowScore = Callable[[Any, Any, NDArray[Any]], Numbers]


def find_row_score(scoring: str | None, is_classifier: bool) -> tuple[str, RowScore]:
    """Give the name of a scorer of scikit-learn, and the same row by row.

    Parameters
    ----------
    scoring : None is accuracy of classifiers and the mean squared error of others.
    """
    usual = "accuracy" if is_classifier else "neg_mean_squared_error"
    name = usual if scoring is None else scoring
    if name not in _KNOWN:
        raise EvaluationError(
            f"The score must be a mean over rows: one of {', '.join(_KNOWN)};",
            f"given is {name!r}.",
            f"Leave it out for {usual}, or use a search of scikit-learn.",
        )
    return name, _KNOWN[name]


def _accuracy(model: Any, X: Any, y: NDArray[Any]) -> Numbers:
    found, given = _columns(model, X, y)
    return np.asarray((found == given).all(axis=1), dtype=np.float64)


def _log_loss(model: Any, X: Any, y: NDArray[Any]) -> Numbers:
    proba = np.asarray(model.predict_proba(X), dtype=np.float64)
    places = {label: place for place, label in enumerate(model.classes_)}
    own = [places.get(label, -1) for label in np.ravel(y)]
    # A class that was not trained on has no column; the bound is that of scikit-learn.
    known = np.where(np.array(own) < 0, 0.0, proba[np.arange(len(own)), own])
    return np.asarray(np.log(np.clip(known, np.finfo(np.float64).eps, 1.0)))


def _squared(model: Any, X: Any, y: NDArray[Any]) -> Numbers:
    found, given = _columns(model, X, y)
    return np.asarray(-((found - given) ** 2).mean(axis=1), dtype=np.float64)


def _absolute(model: Any, X: Any, y: NDArray[Any]) -> Numbers:
    found, given = _columns(model, X, y)
    return np.asarray(-np.abs(found - given).mean(axis=1), dtype=np.float64)


def _columns(model: Any, X: Any, y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Predicted and given answers, one column per output."""
    return tuple(np.asarray(part).reshape(len(y), -1) for part in (model.predict(X), y))  # type: ignore[return-value]


_KNOWN: dict[str, RowScore] = {
    "accuracy": _accuracy,
    "neg_log_loss": _log_loss,
    "neg_mean_squared_error": _squared,
    "neg_mean_absolute_error": _absolute,
}
