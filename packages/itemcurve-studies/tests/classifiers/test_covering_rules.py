"""Rules grown and pruned one by one."""

import numpy as np

from itemcurve_studies.classifiers.covering_rules import (
    CoveringRules,
    best_condition,
    grow_rule,
    keep_rows,
    prune_rule,
    sort_rows,
)
from itemcurve_studies.classifiers.rule_lists import Condition


def test_the_condition_with_the_largest_gain_is_that_by_hand():
    X = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [4.0, 2.0], [5.0, 3.0]])
    is_own = np.array([True, True, True, False, False])
    assert best_condition(X, is_own, 2) == Condition(0, 3.5, is_above=False)
    assert best_condition(np.ones((4, 2)), np.array([True, False, True, False]), 2) is None


def test_rows_stay_sorted_when_some_are_left_out():
    random = np.random.default_rng(0)
    # Few values, so that many rows tie: the first ones must still come first.
    X = random.integers(4, size=(200, 3)).astype(float)
    is_own, is_kept = random.uniform(size=(2, 200)) < 0.4
    order = keep_rows(sort_rows(X), is_kept)
    np.testing.assert_array_equal(np.flatnonzero(is_kept)[sort_rows(X[is_kept])], order)
    rules = grow_rule(X[is_kept], is_own[is_kept], 2)
    assert rules == grow_rule(X, is_own, 2, order)
    assert rules[0] == best_condition(X, is_own, 2, order)


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
