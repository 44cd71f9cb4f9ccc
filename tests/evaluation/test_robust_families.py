"""The eighteen families: all train, and the estimators of our own keep scikit-learn's rules."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import itemcurve as ic
from itemcurve.evaluation.conditional_tree import ConditionalTree
from itemcurve.evaluation.covering_rules import CoveringRules
from itemcurve.evaluation.flexible_discriminant import FlexibleDiscriminant
from itemcurve.evaluation.forest_rules import ForestRules
from itemcurve.evaluation.partial_least_squares import PartialLeastSquares
from itemcurve.evaluation.radial_network import RadialNetwork
from itemcurve.evaluation.robust_families import family_table
from itemcurve.evaluation.shrunken_discriminant import ShrunkenDiscriminant
from itemcurve.evaluation.tree_rules import TreeRules
from itemcurve.evaluation.vector_quantisation import VectorQuantisation

OWN = [
    VectorQuantisation(random_state=0),
    RadialNetwork(random_state=0),
    PartialLeastSquares(),
    FlexibleDiscriminant(),
    ShrunkenDiscriminant(),
    ConditionalTree(),
    CoveringRules(random_state=0),
    TreeRules(random_state=0),
    ForestRules(trees=10, random_state=0),
]


@pytest.mark.slow
@pytest.mark.parametrize("estimator", OWN, ids=lambda one: type(one).__name__)
def test_own_estimators_pass_the_checks_of_scikit_learn(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(estimator)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "GBM" else ())
        for name in ic.pools.robust_families().names
    ],
)
def test_every_family_learns_iris(name):
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    order = np.random.default_rng(0).permutation(150)
    pool = dict(ic.pools.robust_families())
    with warnings.catch_warnings():
        # Unfinished optimisation is part of what a cheap setting is.
        warnings.simplefilter("ignore")
        fitted = pool[name].fit(X[order[:100]], y[order[:100]])
    # Three latent directions of 0/1 targets hide the middle class: SIMPLS knows less.
    assert (fitted.predict(X[order[100:]]) == y[order[100:]]).mean() > 0.75


def test_every_family_says_what_differs_from_the_paper():
    table = family_table()
    assert table["name"].tolist() == list(ic.pools.robust_families().names)
    assert (table["differs"] != "").all()
    assert len(ic.pools.robust_families(quick=True)) == 8


def test_regularised_discriminants_are_quadratic_and_linear_at_their_ends():
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    quadratic = QuadraticDiscriminantAnalysis().fit(X, y).predict(X)
    linear = LinearDiscriminantAnalysis().fit(X, y).predict(X)
    assert (ShrunkenDiscriminant(0.0, 0.0).fit(X, y).predict(X) == quadratic).mean() > 0.99
    assert (ShrunkenDiscriminant(1.0, 0.0).fit(X, y).predict(X) == linear).mean() > 0.99


def test_regularised_discriminants_take_more_features_than_instances():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 80)), np.repeat([0, 1, 2], 10)
    X[:, 0] += 6 * y
    assert (ShrunkenDiscriminant(0.0, 0.0).fit(X, y).predict(X) == y).all()
    assert (ShrunkenDiscriminant(1.0, 1.0).fit(X, y).predict(X) == y).mean() > 0.9
