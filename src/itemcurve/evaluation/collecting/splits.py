"""Which rows train and which are predicted: one hold-out, or folds that predict every row once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.targets import check_rows

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Fold:
    """One training set, and the rows to predict after it.

    Attributes
    ----------
    rows : positions of the predicted rows among the items.
    """

    X_train: Any
    y_train: NDArray[Any]
    X_test: Any
    rows: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Split:
    """All folds; together they predict every item exactly once.

    Attributes
    ----------
    answers : the given answer to each item.
    index : names of the items where the features carry any.
    description : in words.
    """

    folds: tuple[Fold, ...]
    answers: NDArray[Any]
    index: tuple[str, ...] | None
    description: str


def refuse_contradiction(X_test: Any, y_test: Any, cv: Any) -> None:
    """Raise unless exactly one of a test part and `cv` is given."""
    if (X_test is None) != (y_test is None) or (X_test is None) == (cv is None):
        given = [
            n for n, v in (("X_test", X_test), ("y_test", y_test), ("cv", cv)) if v is not None
        ]
        raise EvaluationError(
            "Give either X_test and y_test, or cv;",
            f"given are {', '.join(given) or 'neither'}.",
            "Use evaluate(estimators, X, y, cv=5), or name both parts.",
        )


def hold_out(X_train: Any, y_train: NDArray[Any], X_test: Any, y_test: NDArray[Any]) -> Split:
    """Train on one part, predict the other."""
    X_train, X_test = _as_rows(X_train, "X_train"), _as_rows(X_test, "X_test")
    check_rows(X_train, y_train, "X_train and y_train")
    check_rows(X_test, y_test, "X_test and y_test")
    _check_columns(X_train, X_test)
    fold = Fold(X_train, y_train, X_test, np.arange(len(y_test)))
    words = f"hold-out, {len(y_train)} rows to train and {len(y_test)} to predict"
    return Split((fold,), y_test, _names(X_test), words)


def cross_validate(X: Any, y: NDArray[Any], cv: Any, *, is_stratified: bool, seed: int) -> Split:
    """Predict every row by estimators that were trained without it.

    Parameters
    ----------
    cv : number of folds, or a scikit-learn splitter.
    """
    from sklearn.model_selection import KFold, StratifiedKFold

    X = _as_rows(X, "X")
    check_rows(X, y, "X and y")
    if isinstance(cv, int):
        _check_fold_count(cv, len(y))
        smallest = np.unique(y, return_counts=True)[1].min() if is_stratified else 0
        # A class smaller than the number of folds cannot be in each; then chance has to do.
        kind = StratifiedKFold if smallest >= cv else KFold
        cv = kind(cv, shuffle=True, random_state=seed)
    folds = tuple(
        Fold(take_rows(X, train), y[train], take_rows(X, test), test)
        for train, test in cv.split(X, y)
    )
    predicted = np.concatenate([fold.rows for fold in folds]) if folds else np.empty(0, int)
    if len(predicted) != len(y) or len(np.unique(predicted)) != len(y):
        raise EvaluationError(
            "Folds must predict every row exactly once;",
            f"this splitter predicts {len(np.unique(predicted))} of {len(y)} rows, "
            f"{len(predicted)} times in all.",
            "Use a number of folds, or KFold; for one random part give X_test and y_test.",
        )
    words = f"cross-validation, {len(folds)} folds, {len(y)} rows"
    if is_stratified and isinstance(cv, KFold):
        words += ", classes parted by chance"
    return Split(folds, y, _names(X), words)


def _check_fold_count(cv: int, rows: int) -> None:
    if not 2 <= cv <= rows:
        raise EvaluationError(
            f"cv must be between 2 and the {rows} rows;", f"given is {cv}.", "Use cv=5 if unsure."
        )


def _as_rows(X: Any, what: str) -> Any:
    """Give features as something with rows that can be taken."""
    if hasattr(X, "iloc"):
        return X
    if hasattr(X, "tocsr"):
        return X.tocsr()
    if hasattr(X, "to_pandas"):
        return X.to_pandas()
    features = np.asarray(X)
    if features.ndim < 2:
        raise EvaluationError(
            f"{what} must have one row per instance and one column per feature;",
            f"given is an array of shape {features.shape}.",
            "Use X.reshape(-1, 1) for a single feature.",
        )
    return features


def _check_columns(X_train: Any, X_test: Any) -> None:
    if X_train.shape[1:] != X_test.shape[1:]:
        raise EvaluationError(
            "X_train and X_test must have the same columns;",
            f"they have {X_train.shape[1]} and {X_test.shape[1]}.",
            "Prepare both in the same way.",
        )


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Give these rows of a table, array or sparse matrix."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _names(X: Any) -> tuple[str, ...] | None:
    """Names from the index of a table, when it has a unique one of its own."""
    index = getattr(X, "index", None)
    if index is None or callable(index) or not index.is_unique or index.nlevels > 1:
        return None
    import pandas

    return None if isinstance(index, pandas.RangeIndex) else tuple(str(name) for name in index)


def check_training(y: "pandas.Series", train: np.typing.NDArray[np.intp]) -> None:
    """Raise where a table with several classes leaves one to train on."""
    found = y.iloc[train].unique()
    if y.nunique() > 1 and len(found) == 1:
        raise EvaluationError(
            "The rows to train on must have two classes or more;",
            f"{len(train)} of {len(y)} rows are to train on, all of class {str(found[0])!r}.",
            "Add rows of the other classes.",
        )


def can_stratify(y: "pandas.Series", test_share: float) -> bool:
    """Whether every class is large enough to be in both parts."""
    counts = y.value_counts()
    smaller = min(test_share, 1 - test_share) * len(y)
    return bool(counts.min() >= 2 and smaller >= len(counts))
