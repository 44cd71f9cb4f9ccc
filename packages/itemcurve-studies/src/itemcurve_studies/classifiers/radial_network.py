"""A radial basis function network: Gaussian units at cluster centres, a linear layer on top."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data


class RadialNetwork(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Gaussian units at k-means centres of each class, then ridge regression on the classes.

    The width of all units is the median distance of instances to their nearest centre, times two.

    Parameters
    ----------
    units : centres per class.
    ridge : penalty on the weights of the linear layer.
    """

    def __init__(
        self, units: int = 5, ridge: float = 1e-3, random_state: int | None = None
    ) -> None:
        self.units = units
        self.ridge = ridge
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "RadialNetwork":
        """Place the units and solve for the weights."""
        from sklearn.cluster import KMeans

        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        centres = []
        for code in range(len(self.classes_)):
            own = X[codes == code]
            distinct = len(np.unique(own, axis=0))
            few = KMeans(min(self.units, distinct), n_init=1, random_state=self.random_state)
            centres.append(few.fit(own).cluster_centers_)
        self.centres_ = np.concatenate(centres)
        nearest = np.sqrt(self._squares(X).min(axis=1))
        self.width_ = max(2.0 * float(np.median(nearest)), 1e-6)
        active = self._activate(X)
        targets = np.eye(len(self.classes_))[codes]
        system = active.T @ active + self.ridge * np.eye(active.shape[1])
        self.weights_ = np.linalg.solve(system, active.T @ targets)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Class with the largest output."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        found: NDArray[Any] = self.classes_[(self._activate(X) @ self.weights_).argmax(axis=1)]
        return found

    def _squares(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        cross = X @ self.centres_.T
        own = (X**2).sum(axis=1)[:, np.newaxis]
        squares = own - 2 * cross + (self.centres_**2).sum(axis=1)
        return np.asarray(np.maximum(squares, 0.0))

    def _activate(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        units = np.exp(-self._squares(X) / (2 * self.width_**2))
        return np.column_stack([units, np.ones(len(X))])
