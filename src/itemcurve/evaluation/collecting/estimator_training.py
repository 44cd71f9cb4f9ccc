"""One estimator trained as it wants to be: with weights where it takes them, on labels it knows."""

import copy
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.evaluation.collecting.splits import Fold

_WEIGHTS = "sample_weight"


@dataclass(frozen=True, eq=False)
class Trained:
    """An estimator that can predict.

    Attributes
    ----------
    values : the label that each number stands for, where it was trained on numbers.
    """

    estimator: Any
    values: NDArray[Any] | None = None

    def decode(self, labels: NDArray[Any]) -> NDArray[Any]:
        """Give the labels that it named."""
        return labels if self.values is None else np.asarray(self.values[labels.astype(int)])

    def classes(self, fold: Fold) -> NDArray[Any]:
        """Give the labels that its columns of probabilities stand for."""
        own = getattr(self.estimator, "classes_", None)
        if own is not None:
            return self.decode(np.asarray(own))
        if fold.y_train is None:
            raise ValueError("it does not say which classes it knows (classes_)")
        return np.unique(fold.y_train)


def train(estimator: Any, fold: Fold, is_classifier: bool) -> Trained:
    """Train a fresh copy; give an estimator as it is where there is nothing to train on.

    Some classifiers, XGBoost's among them, take no labels but 0, 1, 2, …: one that refuses the
    labels as they are is tried again with their numbers.
    """
    if fold.y_train is None:
        return Trained(estimator)
    settings = {}
    name = weight_name(estimator)
    if fold.weights is not None and name is not None:
        settings = {name: fold.weights}
    try:
        return Trained(fresh_copy(estimator).fit(fold.X_train, fold.y_train, **settings))
    except (TypeError, ValueError):
        values, numbers = np.unique(fold.y_train, return_inverse=True)
        is_numbered = values.dtype.kind in "iu" and np.array_equal(values, np.arange(len(values)))
        if not is_classifier or is_numbered:
            raise
        try:
            again = fresh_copy(estimator).fit(fold.X_train, numbers, **settings)
        except Exception:
            again = None
        if again is None:
            # The labels were not to blame: what it said at first is what is wrong.
            raise
        return Trained(again, values)


def fresh_copy(estimator: Any) -> Any:
    """Give an untrained copy."""
    from sklearn.base import clone

    try:
        return clone(estimator)
    except TypeError:
        # Objects that only look like estimators have no parameters to rebuild them from.
        return copy.deepcopy(estimator)


def weight_name(estimator: Any) -> str | None:
    """Name the argument of `fit` that takes weights of rows; None where there is none.

    Pipelines hand it to their last step, searches to what they search for.
    """
    steps = getattr(estimator, "steps", None)
    if steps:
        inner = weight_name(steps[-1][1])
        return None if inner is None else f"{steps[-1][0]}__{inner}"
    if hasattr(estimator, "refit") and hasattr(estimator, "estimator"):
        return weight_name(estimator.estimator)
    try:
        return _WEIGHTS if _WEIGHTS in signature(estimator.fit).parameters else None
    except (AttributeError, TypeError, ValueError):
        return None


def is_fitted(estimator: Any) -> bool | None:
    """Whether an estimator says that it is trained; None of one that cannot say."""
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    except (TypeError, AttributeError):
        # No estimator of scikit-learn.
        return None
    return True


def is_surely_fitted(estimator: Any) -> bool:
    """Whether an estimator carries what training leaves behind."""
    from sklearn.utils import get_tags

    try:
        # One without anything to learn says that it is trained from the start.
        needs_training = get_tags(estimator).requires_fit
    except (AttributeError, TypeError, ValueError):
        return False
    return bool(needs_training and is_fitted(estimator))
