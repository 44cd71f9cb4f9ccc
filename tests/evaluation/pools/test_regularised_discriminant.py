import numpy as np
import pytest
import sklearn
from packaging.version import Version
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.pools.regularised_discriminant import RegularisedDiscriminant
from itemcurve.evaluation.pools.standard_pools import standard_classifiers


@pytest.mark.skipif(
    Version(sklearn.__version__) < Version("1.9.1"),
    reason="scikit-learn divided by n − 1, not by n, before 1.9.1",
)
def test_with_enough_rows_it_is_that_of_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    expected = QuadraticDiscriminantAnalysis(reg_param=1e-3).fit(X, y).predict_proba(X)
    found = RegularisedDiscriminant().fit(X, y).predict_proba(X)
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_fewer_rows_than_features_have_the_density_of_the_full_covariance():
    from scipy.stats import multivariate_normal

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(14, 10)), np.repeat([0, 1], [6, 8])
    fitted = RegularisedDiscriminant(reg_param=0.1).fit(X, y)
    heights = []
    for label in (0, 1):
        own = X[y == label]
        covariance = 0.9 * np.cov(own.T, bias=True) + 0.1 * np.eye(10)
        heights.append(multivariate_normal(own.mean(axis=0), covariance).logpdf(X))
    odds = heights[1] - heights[0] + np.log(8 / 6)
    chances = fitted.predict_proba(X)
    np.testing.assert_allclose(chances[:, 1], 1 / (1 + np.exp(-odds)), atol=1e-12)


@pytest.mark.parametrize("rows", [30, 60])
def test_the_twelve_classifiers_serve_data_with_more_features_than_rows(rows):
    X, y = make_classification(120, 200, n_informative=20, random_state=0)
    evaluation = evaluate_classifiers(
        standard_classifiers(), X[:rows], y[:rows], X[rows:], y[rows:], method="joint"
    )
    assert not evaluation.failures
    assert len(evaluation.predictions.respondents) == 12


def test_one_row_of_a_class_is_enough():
    X, y = np.array([[0.0, 0.0], [0.1, 0.2], [3.0, 3.0]]), np.array(["a", "a", "b"])
    assert RegularisedDiscriminant().fit(X, y).predict([[2.9, 3.1]]) == ["b"]
