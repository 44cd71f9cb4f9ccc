"""A short list of the rules of a random forest, after inTrees (Deng, 2019)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.classifiers.rule_lists import Rule, RuleListClassifier, leaf_rules


class ForestRules(RuleListClassifier):
    """The leaves of shallow trees as rules, of which the most accurate are kept in order.

    Taken in turn is the rule with the smallest error on the instances that are left, of equal ones
    that which covers more; once saying the most frequent class is as good, that ends the list.
    inTrees prunes single conditions before and chooses among rules by a regularised forest.

    Parameters
    ----------
    trees, depth, features : of the forest; features tried per split, None for all.
    least : share of the instances left that a rule covers at least.
    """

    _number = np.float32

    def __init__(
        self,
        trees: int = 100,
        depth: int = 2,
        features: int | None = None,
        least: float = 0.01,
        random_state: int | None = None,
    ) -> None:
        self.trees = trees
        self.depth = depth
        self.features = features
        self.least = least
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "ForestRules":
        """Grow the forest and choose from its rules."""
        X, codes = self._read(X, y)
        rules = self._candidates(X, codes)
        covers = np.array([rule.covers(X) for rule in rules], dtype=bool).reshape(-1, len(X))
        self.rules_, self.default_ = _choose(rules, covers, codes, self.least)
        return self

    def _candidates(self, X: NDArray[Any], codes: NDArray[np.intp]) -> list[Rule]:
        from sklearn.ensemble import RandomForestClassifier

        tried = None if self.features is None else min(self.features, X.shape[1])
        forest = RandomForestClassifier(
            self.trees, max_depth=self.depth, max_features=tried, random_state=self.random_state
        ).fit(X, codes)
        everything = np.arange(codes.max() + 1)
        rules = [
            rule for tree in forest.estimators_ for _, rule in leaf_rules(tree.tree_, everything)
        ]
        return [rule for rule in dict.fromkeys(rules) if rule.conditions]


def _choose(
    rules: list[Rule], covers: NDArray[np.bool_], codes: NDArray[np.intp], least: float
) -> tuple[list[Rule], int]:
    named = np.array([rule.code for rule in rules], dtype=np.intp)
    right = covers & (named[:, np.newaxis] == codes)
    chosen, left = [], np.ones(len(codes), dtype=bool)
    default = int(np.bincount(codes).argmax())
    while left.any():
        default = int(np.bincount(codes[left]).argmax())
        covered, hits = covers[:, left].sum(axis=1), right[:, left].sum(axis=1)
        usable = covered >= max(least * left.sum(), 1)
        if not usable.any():
            break
        share = np.where(usable, hits / np.maximum(covered, 1), -1.0)
        best = int(np.lexsort((covered, share))[-1])
        if share[best] <= (codes[left] == default).mean():
            break
        chosen.append(rules[best])
        left &= ~covers[best]
    return chosen, default
