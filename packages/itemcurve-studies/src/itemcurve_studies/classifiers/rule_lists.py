"""Ordered lists of rules: the first that covers an instance names its class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Condition:
    """A feature at or below a threshold, or above it."""

    feature: int
    threshold: float
    is_above: bool

    def holds(self, X: Numbers) -> NDArray[np.bool_]:
        """Say for which rows it holds."""
        # In 64 bits, also where the rows have 32: so do trees compare.
        above = X[:, self.feature] > np.float64(self.threshold)
        return above if self.is_above else ~above


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, this class (its position among the classes)."""

    conditions: tuple[Condition, ...]
    code: int

    def covers(self, X: Numbers) -> NDArray[np.bool_]:
        """Say which rows it covers; without conditions all."""
        found = np.ones(len(X), dtype=bool)
        for condition in self.conditions:
            found &= condition.holds(X)
        return found


def predict_codes(rules: Sequence[Rule], default: int, X: Numbers) -> NDArray[np.intp]:
    """Give the class of the first rule that covers each row, else the default.

    Examples
    --------
    >>> low = Rule((Condition(0, 1.5, is_above=False),), 2)
    >>> predict_codes([low], 0, np.array([[1.0], [2.0]])).tolist()
    [2, 0]
    """
    found = np.full(len(X), default, dtype=np.intp)
    open_rows = np.arange(len(X))
    for rule in rules:
        covered = rule.covers(X[open_rows])
        found[open_rows[covered]] = rule.code
        open_rows = open_rows[~covered]
        if not len(open_rows):
            break
    return found


def leaf_rules(tree: Any, codes: NDArray[np.intp]) -> Iterator[tuple[int, Rule]]:
    """Give the leaves of a scikit-learn tree, each with the rule that leads to it.

    Parameters
    ----------
    tree : the `tree_` of a fitted decision tree.
    codes : class positions of the tree's own classes.
    """
    waiting: list[tuple[int, tuple[Condition, ...]]] = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left < 0:
            yield node, Rule(path, int(codes[tree.value[node, 0].argmax()]))
            continue
        feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
        waiting.append((left, (*path, Condition(feature, threshold, is_above=False))))
        waiting.append((right, (*path, Condition(feature, threshold, is_above=True))))


class RuleListClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What classifiers by an ordered list of rules share; `fit` sets `rules_` and `default_`."""

    _number: type = np.float64
    """Of the features: trees split numbers of 32 bits."""

    rules_: list[Rule]
    default_: int

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of the first rule that covers an instance."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=self._number, reset=False)
        found: NDArray[Any] = self.classes_[predict_codes(self.rules_, self.default_, X)]
        return found

    def _read(self, X: Any, y: Any) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Check the data; give features and the places of the labels among `classes_`."""
        X, y = validate_data(self, X, y, dtype=self._number)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        return X, codes
