"""Quadratic discriminant analysis as scikit-learn computed it in 2019."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from itemcurve.evaluation.pools.regularised_discriminant import describe_classes

# Directions without any spread had a variance of the order of rounding, never 0.
_SMALLEST_VARIANCE = 1e-30


class FormerDiscriminant(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Quadratic discriminant that goes on with a warning's worth of rank.

    With fewer rows than features scikit-learn now refuses; then it divided by variances of the
    order of rounding errors, which is why the paper's QDA is right for 6 of 10 digits.
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Learn mean, axes and variances of each class."""
        X, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
        self.classes_, counts = np.unique(labels, return_counts=True)
        self.priors_ = counts / counts.sum()
        self.means_, self.axes_, squares = describe_classes(X, labels, self.classes_)
        self.variances_ = [
            np.maximum(square / max(count - 1, 1), _SMALLEST_VARIANCE)
            for square, count in zip(squares, counts, strict=True)
        ]
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give rows × classes probabilities."""
        X = np.asarray(X, dtype=np.float64)
        scores = np.empty((len(X), len(self.classes_)))
        for place, mean in enumerate(self.means_):
            variance = self.variances_[place]
            turned = (X - mean) @ (self.axes_[place] / np.sqrt(variance))
            size = (turned**2).sum(axis=1) + np.log(variance).sum()
            scores[:, place] = np.log(self.priors_[place]) - 0.5 * size
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> NDArray[Any]:
        """Give the most probable class of each row."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])
