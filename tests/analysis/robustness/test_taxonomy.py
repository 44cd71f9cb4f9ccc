"""Clusters of models with like profiles."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.robustness.kappa_profiles import KappaProfiles
from itemcurve.errors import EvaluationError


def make_profiles(points):
    points = np.asarray(points, dtype=float)
    names = tuple(f"m{n}" for n in range(len(points)))
    return KappaProfiles("dand", names, ("x", "y")[: points.shape[1]], points, ())


def test_groups_far_apart_are_found_with_their_medoids():
    tree = ic.robustness.taxonomy(make_profiles([[0], [1], [3], [10], [11], [13]]), 2)
    assert len(set(tree.clusters[:3])) == 1
    assert len(set(tree.clusters[3:])) == 1
    assert set(tree.prototypes) == {"m1", "m4"}
    assert tree.elbow == 2
    assert tree.frame()["is_prototype"].sum() == 2
    # Pairs between: 10 11 13, 9 10 12, 7 8 10, whose mean is 10.
    assert tree.quality["avg_bc"].iloc[0] == pytest.approx(10)
    # Squares within: 2·(16/9 + 1/9 + 25/9) = 28/3.
    assert tree.quality["within"].iloc[0] == pytest.approx(28 / 3)


def test_equal_profiles_still_give_the_number_of_clusters_asked_for():
    tree = ic.robustness.taxonomy(make_profiles(np.zeros((5, 2))), 3)
    assert len(set(tree.clusters)) == 3
    with pytest.raises(EvaluationError):
        ic.robustness.taxonomy(make_profiles(np.zeros((2, 2))))
