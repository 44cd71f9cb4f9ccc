"""Features as something whose rows can be taken: tables, arrays, sparse matrices, texts, images."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError


def as_rows(X: Any, what: str) -> Any:
    """Give features as something with rows that can be taken.

    Tables stay tables; lists of texts, of records or of images of different size become arrays of
    objects, which pipelines take as they take lists.

    Parameters
    ----------
    what : how to name them in an error, as `X_train`.
    """
    if hasattr(X, "tocsr"):
        return X.tocsr()
    if hasattr(X, "to_pandas"):
        X = X.to_pandas()
    if hasattr(X, "columns"):
        return X
    features = _as_array(X)
    if features.ndim == 0 or (features.ndim == 1 and not is_list_of_objects(features)):
        raise EvaluationError(
            f"{what} must have one row per instance and one column per feature;",
            f"given is an array of shape {features.shape}.",
            "Use X.reshape(-1, 1) for a single feature, or give a list of texts.",
        )
    return features


def is_list_of_objects(X: Any) -> bool:
    """Whether features are one object per row, as texts are, with no columns."""
    return isinstance(X, np.ndarray) and X.ndim == 1 and X.dtype == object


def are_texts(X: Any) -> bool:
    """Whether features are texts, one per row."""
    return is_list_of_objects(X) and len(X) > 0 and isinstance(X[0], str | bytes)


def has_gaps(X: Any) -> bool:
    """Whether some cell of an array or table of numbers is missing."""
    if hasattr(X, "isna"):
        return bool(X.isna().to_numpy().any())
    return isinstance(X, np.ndarray) and X.dtype.kind == "f" and bool(np.isnan(X).any())


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Give these rows of a table, array or sparse matrix."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def row_names(X: Any) -> tuple[str, ...] | None:
    """Names from the index of a table, when it has a unique one of its own."""
    index = getattr(X, "index", None)
    if index is None or callable(index) or not index.is_unique or index.nlevels > 1:
        return None
    import pandas

    return None if isinstance(index, pandas.RangeIndex) else tuple(str(name) for name in index)


def check_columns(X_train: Any, X_test: Any) -> None:
    """Raise unless both parts have the same columns."""
    if X_train.shape[1:] != X_test.shape[1:]:
        raise EvaluationError(
            "X_train and X_test must have the same columns;",
            f"they have {_columns(X_train)} and {_columns(X_test)}.",
            "Prepare both in the same way.",
        )


def _columns(X: Any) -> str:
    return " × ".join(map(str, X.shape[1:])) or "none"


def _as_array(X: Any) -> NDArray[Any]:
    """Give an array of numbers where there is one, else one object per row."""
    try:
        features = np.asarray(X)
    except ValueError:
        # Rows of different shape, as images of different size: one object each.
        return _objects(X)
    if features.ndim == 1 and features.dtype.kind in "USO":
        return _objects(features.tolist())
    return features


def _objects(rows: Any) -> NDArray[Any]:
    listed = list(rows)
    found = np.empty(len(listed), dtype=object)
    found[:] = listed
    return found
