"""Flexible discriminant analysis: linear discriminants over hinge functions of the features."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data


class FlexibleDiscriminant(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Linear discriminant analysis on the best piecewise-linear basis functions.

    Hinges max(0, x − t) and max(0, t − x) at the quartiles of each feature; those with the largest
    F statistic between classes are kept. MARS instead grows its basis step by step.

    Parameters
    ----------
    terms : basis functions kept.
    """

    def __init__(self, terms: int = 17) -> None:
        self.terms = terms

    def fit(self, X: Any, y: Any) -> "FlexibleDiscriminant":
        """Choose the basis and fit the discriminants."""
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
        from sklearn.feature_selection import f_classif

        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        if len(np.unique(y)) < 2:
            raise ValueError("FlexibleDiscriminant needs at least two classes; y has one class.")
        self.knots_ = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
        basis = self._expand(X)
        spread = basis.std(axis=0)
        usable = np.flatnonzero(spread > 1e-9 * max(float(spread.max()), 1e-300))
        with np.errstate(all="ignore"):
            strength = np.nan_to_num(f_classif(basis[:, usable], y)[0], nan=0.0, posinf=1e300)
        self.kept_ = usable[np.argsort(-strength, kind="stable")[: self.terms]]
        # Shrinkage, because hinges at neighbouring knots are nearly the same.
        self.discriminant_ = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=1e-3)
        self.discriminant_.fit(basis[:, self.kept_], y)
        self.classes_ = self.discriminant_.classes_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of the nearest mean in the space of the discriminants."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        found: NDArray[Any] = self.discriminant_.predict(self._expand(X)[:, self.kept_])
        return found

    def _expand(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        shifted = [X - knots for knots in self.knots_]
        parts = [np.maximum(part, 0) for part in shifted] + [np.maximum(-p, 0) for p in shifted]
        return np.hstack(parts)
