"""Which cell of the confusion matrix an item falls into, and what the cells are called."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# With more classes a matrix of panels is unreadable: errors of a class are put together.
MOST_FOR_MATRIX = 4


def name_cells(classes: Sequence[str]) -> tuple[str, ...]:
    """Name the cells: TP, FP, FN, TN; each true and predicted class; or hits and errors of each."""
    if len(classes) == 2:
        return ("TP", "FP", "FN", "TN")
    if len(classes) <= MOST_FOR_MATRIX:
        return tuple(f"{true} as {named}" for true in classes for named in classes)
    return tuple(f"{what} of {name}" for name in classes for what in ("hits", "errors"))


def find_cells(
    y_true: NDArray[np.integer], y_pred: NDArray[np.integer], classes: int, positive: int
) -> NDArray[np.int64]:
    """Give each item's position in `name_cells` (respondents × items).

    Parameters
    ----------
    y_true, y_pred : positions of classes (items; respondents × items).
    positive : with two classes, the one that counts as positive.
    """
    if classes == 2:
        is_given, is_chosen = y_true == positive, y_pred == positive
        # TP 0, FP 1, FN 2, TN 3.
        return np.asarray(2 * (~is_chosen).astype(int) + ~is_given, dtype=np.int64)
    if classes <= MOST_FOR_MATRIX:
        return np.asarray(y_true * classes + y_pred, dtype=np.int64)
    return np.asarray(2 * y_true + (y_true != y_pred), dtype=np.int64)
