"""Pools: the papers' and random ones."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris, make_moons

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.fixed_classifiers import FixedClassifier
from itemcurve.evaluation.pools.smoothed_tree import SmoothedTree


def test_fixed_answers_do_not_depend_on_the_features():
    X, y = [[0], [1], [2]], ["a", "b", "c"]
    undecided = FixedClassifier("undecided").fit(X, y)
    np.testing.assert_allclose(undecided.predict_proba([[7], [8]]), 1 / 3)
    assert FixedClassifier("positive").fit(X, y).predict([[7]]).tolist() == ["c"]
    assert FixedClassifier("negative").fit(X, y).predict([[7]]).tolist() == ["a"]
    with pytest.raises(EvaluationError, match="undecided"):
        FixedClassifier("maybe").fit(X, y)


def test_leaves_of_a_smoothed_tree_are_never_certain():
    X, y = make_moons(200, noise=0.3, random_state=0)
    tree = SmoothedTree(random_state=0).fit(X, y)
    probabilities = tree.predict_proba(X)
    assert ((probabilities > 0) & (probabilities < 1)).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    leaf = tree.apply(X)[0]
    members = y[tree.apply(X) == leaf]
    expected = (np.bincount(members, minlength=2) + 1) / (len(members) + 2)
    np.testing.assert_allclose(probabilities[0], expected)
    assert (tree.predict(X) == y).mean() == 1.0


def test_the_standard_pools_are_those_of_the_papers():
    classifiers, regressors = ic.pools.standard_classifiers(), ic.pools.standard_regressors()
    assert len(classifiers) == 12
    assert len(regressors) == 10
    assert regressors.references == ("Optimal", "Average", "Worst")
    assert dict(classifiers)["Neural network"].hidden_layer_sizes == (256, 64)
    assert dict(regressors)["RBF support vectors"].C == 5


@pytest.mark.slow
def test_all_standard_classifiers_answer_with_two_and_three_classes():
    X, y = load_iris(return_X_y=True)
    constants = {
        2: ("Constant 0.5", "Always positive", "Always negative"),
        3: ("Constant 1/3", "Always '2'", "Always '0'"),
    }
    for count, names in constants.items():
        kept = y < count
        evaluation = ic.evaluate_classifiers(
            ic.pools.standard_classifiers(), X[kept], y[kept], cv=2
        )
        assert not evaluation.failures
        assert evaluation.predictions.probabilities.shape[0] == 12
        assert evaluation.references == names


@pytest.mark.slow
def test_all_standard_regressors_answer():
    X, y = load_diabetes(return_X_y=True)
    evaluation = ic.evaluate_regressors(
        ic.pools.standard_regressors(), X[:200], y[:200], X[200:260], y[200:260]
    )
    assert not evaluation.failures
    assert evaluation.predictions.values.shape == (13, 60)
    assert evaluation.responses.shape == (10, 60)


def test_a_random_pool_repeats_with_its_seed_and_differs_with_another():
    first, again, other = (
        ic.pools.random_pool(40, 1),
        ic.pools.random_pool(40, 1),
        ic.pools.random_pool(40, 2),
    )
    assert [repr(e) for _, e in first] == [repr(e) for _, e in again]
    assert [repr(e) for _, e in first] != [repr(e) for _, e in other]
    assert len(set(first.names)) == 40


def test_a_random_pool_takes_ten_algorithms_in_turn():
    pool = ic.pools.random_pool(200)
    kinds = [type(estimator).__name__ for _, estimator in pool]
    assert len(set(kinds)) == 10
    assert kinds[:10] == kinds[190:]
    assert all(repr(clone(estimator)) == repr(estimator) for _, estimator in pool)


@pytest.mark.slow
def test_every_random_classifier_can_be_trained():
    X, y = make_moons(120, noise=0.3, random_state=0)
    evaluation = ic.evaluate_classifiers(
        ic.pools.random_pool(100), X[:80], y[:80], X[80:], y[80:], response="correct"
    )
    assert not evaluation.failures


@pytest.mark.parametrize("n", [0, -1, 2.5])
def test_a_pool_of_none_is_refused(n):
    with pytest.raises(EvaluationError, match="at least one classifier"):
        ic.pools.random_pool(n)
