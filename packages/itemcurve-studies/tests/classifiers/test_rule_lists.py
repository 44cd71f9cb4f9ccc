"""Lists of rules."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from itemcurve_studies.classifiers.rule_lists import Condition, Rule, leaf_rules, predict_codes


def test_the_first_rule_that_covers_decides():
    low, high = Condition(0, 2.0, is_above=False), Condition(0, 1.0, is_above=True)
    rules = [Rule((low, high), 1), Rule((high,), 2)]
    found = predict_codes(rules, 0, np.array([[0.5], [1.5], [2.0], [3.0]]))
    assert found.tolist() == [0, 1, 1, 2]


def test_rules_of_leaves_predict_as_their_tree_does():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    rules = [rule for _, rule in leaf_rules(tree.tree_, np.arange(3))]
    found = predict_codes(rules, -1, X.astype(np.float32))
    np.testing.assert_array_equal(found, tree.predict(X))
