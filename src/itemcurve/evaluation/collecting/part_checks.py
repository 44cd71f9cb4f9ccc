"""Parts of data as they were given: all there, in their order, weights that can be used."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError


def refuse_contradiction(X_train: Any, X_test: Any, y_test: Any, cv: Any) -> None:
    """Raise unless exactly one of a test part and `cv` is given."""
    if X_train is None and X_test is None:
        raise EvaluationError(
            "Give features and answers: X and y with cv, or a part to train on and a test part;",
            "given is none.",
            "Use evaluate(estimators, X, y, cv=5).",
        )
    if (X_test is None) != (y_test is None) or (X_test is None) == (cv is None):
        given = [
            n for n, v in (("X_test", X_test), ("y_test", y_test), ("cv", cv)) if v is not None
        ]
        raise EvaluationError(
            "Give either X_test and y_test, or cv;",
            f"given are {', '.join(given) or 'neither'}.",
            "Use evaluate(estimators, X, y, cv=5), or name both parts; estimators that are trained "
            "already take X_test=X, y_test=y and nothing else.",
        )


def refuse_other_order(X_train: Any, y_train: Any, X_test: Any, y_test: Any) -> None:
    """Raise where parts came in the order of `train_test_split`, or features and answers swapped.

    Parameters
    ----------
    X_train, y_train, X_test, y_test : as given.
    """
    axes = [_axes(part) for part in (X_train, y_train, X_test, y_test)]
    if axes[0] == 2 and axes[1] == 2 and _width(y_train) > 1 and axes[2] == axes[3] == 1:
        raise EvaluationError(
            "Parts come in the order X_train, y_train, X_test, y_test;",
            "given are two tables and then two columns, the order of train_test_split.",
            "Swap the second and the third, or name all four.",
        )
    if axes[0] == 1 and axes[1] == 2 and _width(y_train) > 1:
        raise EvaluationError(
            "Features come before answers: X, then y;",
            "given is a column and then a table.",
            "Swap the two.",
        )


def _axes(part: Any) -> int:
    shape = getattr(part, "shape", None)
    return len(shape) if shape is not None else (0 if part is None else np.ndim(_first(part)) + 1)


def _first(part: Any) -> Any:
    return part[0] if isinstance(part, list | tuple) and len(part) else 0


def _width(part: Any) -> int:
    shape = getattr(part, "shape", None)
    return int(shape[1]) if shape is not None else len(_first(part))


def check_weights(weights: Any, rows: int) -> NDArray[np.float64] | None:
    """Give weights of rows as numbers; None where there are none."""
    if weights is None:
        return None
    try:
        found = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    is_usable = found.shape == (rows,) and bool((found >= 0).all() and np.isfinite(found).all())
    if not is_usable or not found.any():
        raise EvaluationError(
            f"sample_weight must be a number of at least 0 for each of the {rows} rows to train "
            "on, not all 0;",
            f"given is {_describe_weights(weights, found)}.",
            "Leave it out to count all rows alike.",
        )
    return found


def _describe_weights(weights: Any, found: NDArray[np.float64]) -> str:
    if not found.size:
        return f"{type(weights).__name__}"
    wrong = int((~(found >= 0) | ~np.isfinite(found)).sum())
    return f"an array of shape {found.shape}" + (f" with {wrong} unusable values" if wrong else "")
