"""Between quadratic and linear discriminants."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.preprocessing import StandardScaler

from itemcurve_studies.classifiers.shrunken_discriminant import ShrunkenDiscriminant


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
