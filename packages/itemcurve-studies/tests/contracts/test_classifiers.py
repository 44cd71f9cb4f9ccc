"""What every classifier of our own keeps: the rules of scikit-learn, and what it learns."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from itemcurve_studies.classifiers.conditional_tree import (
    ConditionalTree,
)
from itemcurve_studies.classifiers.covering_rules import CoveringRules
from itemcurve_studies.classifiers.flexible_discriminant import FlexibleDiscriminant
from itemcurve_studies.classifiers.forest_rules import ForestRules
from itemcurve_studies.classifiers.partial_least_squares import PartialLeastSquares
from itemcurve_studies.classifiers.radial_network import RadialNetwork
from itemcurve_studies.classifiers.shrunken_discriminant import ShrunkenDiscriminant
from itemcurve_studies.classifiers.tree_rules import TreeRules
from itemcurve_studies.classifiers.vector_quantisation import VectorQuantisation

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
