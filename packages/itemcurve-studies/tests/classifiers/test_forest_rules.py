"""Rules of a forest."""

import numpy as np

from itemcurve_studies.classifiers.forest_rules import ForestRules


def test_rules_of_a_forest_end_where_the_default_is_as_good():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 4))
    y = (X[:, 2] > 0.6).astype(int)
    found = ForestRules(trees=20, random_state=0).fit(X, y)
    assert 1 <= len(found.rules_) <= 3
    assert (found.predict(X) == y).mean() > 0.97
