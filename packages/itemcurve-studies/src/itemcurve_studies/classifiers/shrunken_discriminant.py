"""Regularised discriminant analysis: between quadratic and linear, and towards the sphere."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

# Added to the diagonal in units of the mean variance, so that few instances of many features work.
_LEAST = 1e-4


class ShrunkenDiscriminant(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Gaussian classes whose covariances are shrunk (Friedman, 1989).

    The covariance of a class is (1 − pooling) of its own and pooling of that within all classes;
    then (1 − shrinkage) of this and shrinkage of a sphere of the same mean variance.

    Parameters
    ----------
    pooling : 0 gives quadratic, 1 linear discriminants.
    shrinkage : 1 leaves distances to the means of the classes.
    """

    def __init__(self, pooling: float = 0.5, shrinkage: float = 0.5) -> None:
        self.pooling = pooling
        self.shrinkage = shrinkage

    def fit(self, X: Any, y: Any) -> "ShrunkenDiscriminant":
        """Estimate means and covariances of the classes."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("ShrunkenDiscriminant needs two classes; y has one class.")
        counts = np.bincount(codes)
        self.means_ = np.array([X[codes == code].mean(axis=0) for code in range(len(counts))])
        inside = X - self.means_[codes]
        pooled = inside.T @ inside / max(len(X) - len(counts), 1)
        self.log_priors_ = np.log(counts / len(X))
        self.factors_ = np.empty((len(counts), X.shape[1], X.shape[1]))
        for code, count in enumerate(counts):
            own = inside[codes == code]
            self.factors_[code] = self._factor(own.T @ own / max(count - 1, 1), pooled)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Class with the largest posterior probability."""
        from scipy.linalg import solve_triangular

        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores = np.empty((len(X), len(self.classes_)))
        for code, factor in enumerate(self.factors_):
            apart = solve_triangular(factor, (X - self.means_[code]).T, lower=True)
            size = np.log(np.diag(factor)).sum()
            scores[:, code] = self.log_priors_[code] - size - (apart**2).sum(axis=0) / 2
        found: NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return found

    def _factor(self, own: NDArray[np.float64], pooled: NDArray[np.float64]) -> NDArray[np.float64]:
        """Cholesky factor of the covariance of a class."""
        mixed = (1 - self.pooling) * own + self.pooling * pooled
        mean = float(np.trace(mixed)) / len(mixed)
        found = (1 - self.shrinkage) * mixed
        # A class without any spread in a data set without any still needs a covariance.
        least = max(_LEAST * float(np.trace(pooled)) / len(mixed), 1e-12)
        found[np.diag_indices_from(found)] += self.shrinkage * mean + least
        return np.asarray(np.linalg.cholesky(found), dtype=np.float64)
