"""Rule learners and the conditional tree, against what can be known beforehand."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, permutation_test
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

from itemcurve_studies.classifiers.conditional_tree import (
    ConditionalTree,
    find_cut,
    measure_association,
)
from itemcurve_studies.classifiers.covering_rules import (
    CoveringRules,
    best_condition,
    grow_rule,
    prune_rule,
)
from itemcurve_studies.classifiers.forest_rules import ForestRules
from itemcurve_studies.classifiers.rule_lists import Condition, Rule, leaf_rules, predict_codes
from itemcurve_studies.classifiers.tree_rules import TreeRules

RULES = [CoveringRules(random_state=0), TreeRules(random_state=0)]


@pytest.mark.parametrize(
    "estimator", [*RULES, ConditionalTree(), ForestRules(random_state=0)], ids=type
)
def test_iris_is_learnt(estimator):
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(estimator, X, y, cv=5).mean() > 0.88


# Not the conditional tree: as in R, its test sees means, which a band in the middle leaves equal.
@pytest.mark.parametrize("estimator", RULES, ids=type)
def test_a_band_is_found_by_two_thresholds(estimator):
    X = np.random.default_rng(0).uniform(size=(400, 3))
    y = np.where((X[:, 1] > 0.3) & (X[:, 1] < 0.7), "in", "out")
    assert (estimator.fit(X, y).predict(X) == y).mean() > 0.95


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


def test_association_is_that_of_a_permutation_test():
    rng = np.random.default_rng(3)
    x, codes = rng.normal(size=60), np.repeat([0, 1, 2], 20)
    x[codes == 2] += 0.6
    (found,) = measure_association(x[:, np.newaxis], np.eye(3)[codes])

    def between(values):
        return sum((values[codes == code].sum() ** 2) / 20 for code in range(3))

    drawn = permutation_test(
        (x - x.mean(),),
        between,
        permutation_type="pairings",
        n_resamples=20_000,
        alternative="greater",
        rng=np.random.default_rng(0),
    )
    assert found == pytest.approx(drawn.pvalue, abs=0.01)


def test_the_cut_has_the_largest_chi_square_of_all():
    rng = np.random.default_rng(1)
    x, codes = np.round(rng.normal(size=80), 1), rng.integers(0, 3, size=80)
    labels = np.eye(3)[codes]

    def strength(threshold):
        table = np.array([labels[x <= threshold].sum(axis=0), labels[x > threshold].sum(axis=0)])
        return chi2_contingency(table, correction=False).statistic

    values = np.unique(x)
    allowed = [t for t in values[:-1] if min((x <= t).sum(), (x > t).sum()) >= 7]
    found = find_cut(x, labels, 7)
    assert strength(found) == pytest.approx(max(map(strength, allowed)))
    assert find_cut(x, labels, 41) is None


def test_a_tree_of_noise_has_no_split_and_a_lax_one_has():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(300, 10)), rng.integers(0, 2, size=300)
    assert ConditionalTree(0.01).fit(X, y).root_.below is None
    assert ConditionalTree(10.0).fit(X, y).root_.below is not None


def test_a_feature_that_cannot_be_cut_gives_way_to_the_next():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    rare = np.zeros(100)
    rare[95:] = 50.0
    X = np.column_stack([rare, y + rng.normal(scale=3.0, size=100)])
    tree = ConditionalTree(0.95).fit(X, y)
    assert tree.root_.feature == 1


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


def test_rules_of_a_forest_end_where_the_default_is_as_good():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 4))
    y = (X[:, 2] > 0.6).astype(int)
    found = ForestRules(trees=20, random_state=0).fit(X, y)
    assert 1 <= len(found.rules_) <= 3
    assert (found.predict(X) == y).mean() > 0.97
