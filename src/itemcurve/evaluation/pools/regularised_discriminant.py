"""A quadratic discriminant that learns from fewer rows than features."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

Vectors = list[NDArray[np.float64]]


class RegularisedDiscriminant(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """One normal density per class, with covariance (1 − r) S + r I.

    As scikit-learn's `QuadraticDiscriminantAnalysis(reg_param=r)` where a class has more rows than
    features. Where it has fewer, scikit-learn refuses: it drops the directions in which the rows of
    a class do not vary, though S + r I has the variance r there as well.

    Parameters
    ----------
    reg_param : r, between 0 and 1, above 0.
    """

    def __init__(self, reg_param: float = 1e-3) -> None:
        self.reg_param = reg_param

    def fit(self, X: Any, y: Any) -> Self:
        """Learn mean, axes and variances of each class."""
        X, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_, counts = np.unique(labels, return_counts=True)
        self.priors_ = counts / counts.sum()
        self.means_, self.axes_, squares = describe_classes(X, labels, self.classes_)
        self.variances_ = [
            (1 - self.reg_param) * square / count + self.reg_param
            for square, count in zip(squares, counts, strict=True)
        ]
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give rows × classes probabilities."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        parts = zip(self.means_, self.axes_, self.variances_, strict=True)
        heights = [self._log_density(X - mean, axes, variances) for mean, axes, variances in parts]
        return np.asarray(softmax(np.log(self.priors_) + np.column_stack(heights), axis=1))

    def predict(self, X: Any) -> NDArray[Any]:
        """Give the most probable class of each row."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def _log_density(
        self,
        gaps: NDArray[np.float64],
        axes: NDArray[np.float64],
        variances: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Log density up to a constant; off the axes the variance is r in every direction."""
        along = gaps @ axes
        rest = np.maximum((gaps**2).sum(axis=1) - (along**2).sum(axis=1), 0.0)
        missing = gaps.shape[1] - len(variances)
        size = np.log(variances).sum() + missing * np.log(self.reg_param)
        distance = (along**2 / variances).sum(axis=1)
        if missing:
            distance = distance + rest / self.reg_param
        return np.asarray(-0.5 * (distance + size))


def describe_classes(
    X: NDArray[np.float64], labels: NDArray[Any], classes: NDArray[Any]
) -> tuple[Vectors, Vectors, Vectors]:
    """Give each class's mean, the axes it varies along (in columns), and sums of squares there."""
    means, axes, squares = [], [], []
    for label in classes:
        own = X[labels == label]
        means.append(own.mean(axis=0))
        _, spread, turned = np.linalg.svd(own - means[-1], full_matrices=False)
        axes.append(turned.T)
        squares.append(spread**2)
    return means, axes, squares
