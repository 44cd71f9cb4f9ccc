"""Rules grown and pruned one by one."""

import numpy as np

from itemcurve_studies.classifiers.covering_rules import (
    CoveringRules,
    best_condition,
    grow_rule,
    prune_rule,
)
from itemcurve_studies.classifiers.rule_lists import Condition


def test_the_condition_with_the_largest_gain_is_that_by_hand():
    X = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [4.0, 2.0], [5.0, 3.0]])
    is_own = np.array([True, True, True, False, False])
    assert best_condition(X, is_own, 2) == Condition(0, 3.5, is_above=False)
    assert best_condition(np.ones((4, 2)), np.array([True, False, True, False]), 2) is None


def test_pruning_cuts_conditions_that_do_not_help():
    X = np.column_stack([np.arange(10.0), np.arange(10.0)[::-1]])
    is_own = X[:, 0] < 5
    grown = [Condition(0, 4.5, is_above=False), Condition(1, 7.5, is_above=True)]
    assert prune_rule(grown, X, is_own) == grown[:1]
    assert grow_rule(X, is_own, 2) == [Condition(0, 4.5, is_above=False)]


def test_the_most_frequent_class_needs_no_rules():
    X = np.random.default_rng(0).uniform(size=(200, 2))
    y = np.where(X[:, 0] < 0.2, "rare", "often")
    found = CoveringRules(random_state=0).fit(X, y)
    assert {rule.code for rule in found.rules_} == {1}
    assert found.classes_[found.default_] == "often"
