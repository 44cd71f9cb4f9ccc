"""Classification by partial least squares: regress the classes on a few latent directions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data


class PartialLeastSquares(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """PLS-DA: the class whose indicator is predicted highest.

    Parameters
    ----------
    components : latent directions; fewer where the data do not have as many.
    """

    def __init__(self, components: int = 3) -> None:
        self.components = components

    def fit(self, X: Any, y: Any) -> "PartialLeastSquares":
        """Find the directions and regress."""
        from sklearn.cross_decomposition import PLSRegression

        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        targets = np.eye(len(self.classes_))[codes]
        count = max(1, min(self.components, X.shape[1], len(X) - 1))
        self.regression_ = PLSRegression(count).fit(X, targets)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Class with the largest predicted indicator."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores = self.regression_.predict(X).reshape(len(X), -1)
        found: NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return found
