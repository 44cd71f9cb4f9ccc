"""The conditional tree, against what can be known beforehand."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, permutation_test

from itemcurve_studies.classifiers.conditional_tree import (
    ConditionalTree,
    find_cut,
    measure_association,
)


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
