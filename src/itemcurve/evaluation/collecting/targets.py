"""What is to be predicted: labels and numbers, checked before anything is trained on them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

# A numeric target with more distinct values than this, or with fractions, is no list of classes.
_MOST_NUMERIC_CLASSES = 100
# So many classes may be as rare as they like: a small test part has few rows of each.
_MOST_RARE_CLASSES = 20


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of all parts of the data.

    Attributes
    ----------
    values : as given, sorted.
    names : the same as text.
    """

    values: NDArray[Any]
    names: tuple[str, ...]

    def positions(self, labels: NDArray[Any]) -> NDArray[np.intp]:
        """Place of each label among the classes."""
        return np.searchsorted(self.values, labels)


def check_labels(y: Any, what: str) -> NDArray[Any]:
    """Give labels as a one-dimensional array without gaps.

    Parameters
    ----------
    what : how to name them in an error, as `y_train`.
    """
    labels = _as_column(np.asarray(y), f"{what} must hold one label per row;")
    missing = _missing(labels)
    if missing:
        raise EvaluationError(
            f"{what} must not have gaps;",
            f"{missing} of {labels.size} labels are missing.",
            "Drop those rows, or give them a label of their own.",
        )
    if labels.dtype == object:
        kinds = {type(label) for label in labels}
        # Text and numbers cannot be sorted together; as text all of them can.
        return labels.astype(str) if len(kinds) > 1 or str in kinds else np.array(labels.tolist())
    return labels


def find_classes(*labels: NDArray[Any], may_be_rare: bool = False) -> Classes:
    """Give the classes that occur in any of these labels; at least two.

    Parameters
    ----------
    may_be_rare : whether most may occur once, as where somebody listed them.
    """
    if len({array.dtype.kind in "biuf" for array in labels}) > 1:
        raise EvaluationError(
            "Labels for training and for testing must be of the same kind;",
            "some are numbers and some are text.",
            "Convert both alike, for example with .astype(str).",
        )
    values = np.unique(np.concatenate(labels))
    if len(values) < 2:
        raise EvaluationError(
            "Classifiers need at least two classes;",
            f"all labels are {str(values[0])!r}.",
            "Check the target column.",
        )
    is_measured = values.dtype.kind == "f" and not (values == np.round(values)).all()
    if is_measured or (values.dtype.kind in "iuf" and len(values) > _MOST_NUMERIC_CLASSES):
        raise EvaluationError(
            "Labels must name classes;",
            f"the target has {len(values)} different numbers, as {values[0]:g} and {values[1]:g}.",
            "Numbers are predicted by --task regression (in Python itemcurve.evaluate_regressors). "
            "Classes that are called by numbers need names: words in the file, labels.astype(str).",
        )
    total = sum(map(len, labels))
    if not may_be_rare and len(values) > max(_MOST_RARE_CLASSES, total / 2):
        raise _rare_classes(values, total)
    return Classes(values, tuple(str(value) for value in values))


def _rare_classes(values: NDArray[Any], total: int) -> EvaluationError:
    """Say that a target names rows, or that numbers have text among them."""
    no_numbers = _not_numbers(values)
    advice = "Choose another target: this one names rows rather than classes."
    if len(no_numbers) < len(values) / 2:
        advice = "They are numbers: use itemcurve.evaluate_regressors (--task regression)."
        if no_numbers:
            advice = f"All but {', '.join(map(repr, no_numbers[:3]))} are numbers: correct that."
    return EvaluationError(
        "Classes must occur more than once;",
        f"the {total} labels have {len(values)} different values, as {str(values[0])!r}.",
        advice,
    )


def _not_numbers(values: Any) -> list[str]:
    """Values that are no numbers, gaps aside."""
    import pandas

    column = pandas.Series(np.asarray(values, dtype=object).ravel()).dropna()
    is_number = pandas.to_numeric(column, errors="coerce").notna()
    return [str(value) for value in column[~is_number]]


def check_targets(y: Any, what: str) -> NDArray[np.float64]:
    """Give numbers to predict as a one-dimensional array, all finite."""
    try:
        targets = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        wrong = _not_numbers(y)
        raise EvaluationError(
            f"{what} must hold numbers;",
            f"{len(wrong)} of {np.size(y)} values are none, as {(wrong or ['(missing)'])[0]!r}.",
            "Correct or drop such rows; use itemcurve.evaluate_classifiers for classes.",
        ) from None
    targets = _as_column(targets, f"{what} must hold one number per row;")
    unusable = int((~np.isfinite(targets)).sum())
    if unusable:
        raise EvaluationError(
            f"{what} must be finite;",
            f"{unusable} of {targets.size} values are missing or infinite.",
            "Drop those rows.",
        )
    return targets


def _as_column(values: NDArray[Any], must_hold: str) -> NDArray[Any]:
    """Give values along one axis, also where they are the only column of a table."""
    column = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    if column.ndim != 1 or not column.size:
        raise EvaluationError(
            must_hold,
            f"given is an array of shape {column.shape}.",
            "Give a list, a column of a table or a one-dimensional array; one target at a time.",
        )
    return column


def check_rows(X: Any, y: NDArray[Any], names: str) -> None:
    """Raise unless features and target have the same number of rows."""
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if rows != len(y):
        raise EvaluationError(
            f"{names} must have the same number of rows;",
            f"they have {rows} and {len(y)}.",
            "Check that both come from the same table.",
        )


def _missing(labels: NDArray[Any]) -> int:
    if labels.dtype.kind == "f":
        return int(np.isnan(labels).sum())
    if labels.dtype == object:
        import pandas

        return int(pandas.isna(labels).sum())
    return 0
