"""Rules read from trees one at a time, after PART (Frank and Witten, 1998)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.classifiers.rule_lists import Rule, RuleListClassifier, leaf_rules


class TreeRules(RuleListClassifier):
    """A list of rules, each the largest leaf of a tree grown on what earlier rules left over.

    PART grows only the part of each tree that it needs and prunes by a pessimistic error; here
    trees are grown in full and pruned by cost-complexity.

    Parameters
    ----------
    least : instances a leaf holds at least.
    pruning : cost of a leaf in units of impurity.
    """

    _number = np.float32

    def __init__(
        self, least: int = 2, pruning: float = 0.002, random_state: int | None = None
    ) -> None:
        self.least = least
        self.pruning = pruning
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "TreeRules":
        """Grow, take the largest leaf, set what it covers aside, begin again."""
        X, codes = self._read(X, y)
        left = np.arange(len(X))
        self.rules_: list[Rule] = []
        while len(left) and len(np.unique(codes[left])) > 1:
            rule, covered = self._largest_leaf(X[left], codes[left])
            if not rule.conditions:
                break
            self.rules_.append(rule)
            left = left[~covered]
        # What no rule covers is alike, or nothing told it apart.
        self.default_ = int(np.bincount(codes[left] if len(left) else codes).argmax())
        return self

    def _largest_leaf(
        self, X: NDArray[Any], codes: NDArray[np.intp]
    ) -> tuple[Rule, NDArray[np.bool_]]:
        from sklearn.tree import DecisionTreeClassifier

        grown = DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=self.least,
            ccp_alpha=self.pruning,
            random_state=self.random_state,
        ).fit(X, codes)
        places = grown.apply(X)
        largest = int(np.bincount(places).argmax())
        rules = dict(leaf_rules(grown.tree_, grown.classes_))
        return rules[largest], places == largest
