"""AdaBoost as scikit-learn had it."""

import numpy as np

from itemcurve_studies.classifiers.real_boosting import RealAdaBoost


def test_boosting_of_probabilities_separates_three_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 40)
    X = rng.normal(size=(120, 2)) + 4.0 * np.repeat([[0, 0], [1, 0], [0, 1]], 40, axis=0)
    assert (RealAdaBoost(20, random_state=0).fit(X, y).predict(X) == y).mean() > 0.9
