import numpy as np
from scipy.stats import multivariate_normal

from itemcurve_studies.classifiers.former_discriminant import FormerDiscriminant


def test_with_enough_rows_it_is_bayes_rule_with_normal_classes():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    X = rng.normal(size=(120, 3)) * (1 + y[:, np.newaxis]) + y[:, np.newaxis]
    parts = (X[y == label] for label in (0, 1))
    density = [multivariate_normal(own.mean(axis=0), np.cov(own.T)).pdf(X) for own in parts]
    expected = np.transpose(density) / np.sum(density, axis=0)[:, np.newaxis]
    np.testing.assert_allclose(FormerDiscriminant().fit(X, y).predict_proba(X), expected)


def test_with_fewer_rows_than_features_it_still_answers():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 10)
    X = np.column_stack([rng.normal(size=(20, 30)) + y[:, np.newaxis], np.zeros(20)])
    found = FormerDiscriminant().fit(X, y).predict_proba(X)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)
