"""A tree that splits where a permutation test finds a feature associated with the class."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Node:
    code: int
    feature: int = -1
    threshold: float = 0.0
    below: "_Node | None" = None
    above: "_Node | None" = None


class ConditionalTree(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Conditional inference tree (Hothorn, Hornik and Zeileis, 2006), for numeric features.

    In every node each feature is tested for independence of the class, by the quadratic form of
    its permutation distribution: (n − 1) times the share of its variance between classes, χ² with
    one degree of freedom less than there are classes. The feature with the smallest p-value that
    can be cut is split, where the same test of the two sides against the classes is largest; the
    node stays a leaf when the p-value, times the number of features, is not below `significance`.

    Parameters
    ----------
    significance : one less the `mincriterion` of R's ctree.
    split, least : instances that a node needs to be split, and that its parts have at least.
    """

    def __init__(self, significance: float = 0.05, split: int = 20, least: int = 7) -> None:
        self.significance = significance
        self.split = split
        self.least = least

    def fit(self, X: Any, y: Any) -> "ConditionalTree":
        """Grow the tree."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.root_ = self._grow(X, np.eye(len(self.classes_))[codes])
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Most frequent class of the leaf."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        codes = np.empty(len(X), dtype=np.intp)
        waiting = [(self.root_, np.arange(len(X)))]
        while waiting:
            node, rows = waiting.pop()
            if node.below is None or node.above is None:
                codes[rows] = node.code
                continue
            is_above = X[rows, node.feature] > node.threshold
            waiting += [(node.below, rows[~is_above]), (node.above, rows[is_above])]
        found: NDArray[Any] = self.classes_[codes]
        return found

    def _grow(self, X: Numbers, labels: Numbers) -> _Node:
        code = int(labels.sum(axis=0).argmax())
        if len(X) < self.split:
            return _Node(code)
        feature, threshold = self._choose(X, labels)
        if feature < 0:
            return _Node(code)
        above = X[:, feature] > threshold
        return _Node(
            code,
            feature,
            threshold,
            self._grow(X[~above], labels[~above]),
            self._grow(X[above], labels[above]),
        )

    def _choose(self, X: Numbers, labels: Numbers) -> tuple[int, float]:
        """Give feature and threshold; −1 when no feature is associated or none can be cut."""
        p_values = measure_association(X, labels)
        for feature in np.argsort(p_values, kind="stable").tolist():
            if p_values[feature] * X.shape[1] >= self.significance:
                break
            threshold = find_cut(X[:, feature], labels, self.least)
            if threshold is not None:
                return feature, threshold
        return -1, 0.0


def measure_association(X: Numbers, labels: Numbers) -> Numbers:
    """Give the p-value of each feature: is it independent of the class?

    Parameters
    ----------
    labels : instances × classes, 1 for the class of an instance.
    """
    from scipy.stats import chi2

    counts = labels.sum(axis=0)
    seen = counts > 0
    centred = X - X.mean(axis=0)
    total = (centred**2).sum(axis=0)
    sums = labels[:, seen].T @ centred
    between = (sums**2 / counts[seen][:, np.newaxis]).sum(axis=0)
    # A feature that does not vary, or a node of one class, has nothing to tell.
    share = np.where(total > 1e-12 * len(X), between / np.maximum(total, 1e-300), 0.0)
    freedom = int(seen.sum()) - 1
    if freedom < 1:
        return np.ones(X.shape[1])
    found = chi2.sf((len(X) - 1) * share, freedom)
    return np.asarray(np.where(total > 1e-12 * len(X), found, 1.0))


def find_cut(values: Numbers, labels: Numbers, least: int) -> float | None:
    """Give the threshold whose two sides differ most in classes; None where none is allowed."""
    order = np.argsort(values, kind="stable")
    ordered, count = values[order], len(values)
    below = np.cumsum(labels[order], axis=0)[:-1]
    sizes = np.arange(1, count)
    allowed = (np.diff(ordered) > 0) & (sizes >= least) & (count - sizes >= least)
    if not allowed.any():
        return None
    totals = labels.sum(axis=0)
    seen = totals > 0
    expected = sizes[:, np.newaxis] * totals[seen] / count
    squares = ((below[:, seen] - expected) ** 2 / totals[seen]).sum(axis=1)
    # Pearson's χ² of sides × classes, up to the factor n²; (n − 1) / n of it is the test.
    strength = np.where(allowed, squares / (sizes * (count - sizes)), -1.0)
    best = int(strength.argmax())
    middle = (ordered[best] + ordered[best + 1]) / 2
    return float(middle if middle < ordered[best + 1] else ordered[best])
