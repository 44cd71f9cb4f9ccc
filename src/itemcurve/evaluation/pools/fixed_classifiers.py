"""Classifiers that give every instance the same answer: marks on the scale of ability."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from itemcurve.errors import EvaluationError


class FixedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that never looks at the features.

    Parameters
    ----------
    answer : `"undecided"` gives every class the same probability (0.5 each of two), `"positive"`
        gives the last class in sorted order probability 1, `"negative"` the first.

    Examples
    --------
    >>> FixedClassifier("positive").fit([[0], [1]], [0, 1]).predict_proba([[5]]).tolist()
    [[0.0, 1.0]]
    """

    def __init__(self, answer: str = "undecided") -> None:
        self.answer = answer

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Remember which classes there are."""
        if self.answer not in ("undecided", "positive", "negative"):
            raise EvaluationError(
                "The answer must be 'undecided', 'positive' or 'negative'.",
                f"Got {self.answer!r}.",
                "Use 'undecided' for equal probabilities.",
            )
        self.classes_ = np.unique(np.asarray(y))
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The same probabilities for every row of X."""
        count = len(self.classes_)
        place = {"positive": count - 1, "negative": 0}.get(self.answer)
        row = np.full(count, 1.0 / count) if place is None else np.eye(count)[place]
        return np.tile(row, (np.shape(X)[0], 1))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class, the first of equals."""
        found: NDArray[Any] = self.classes_[np.argmax(self.predict_proba(X), axis=1)]
        return found
