"""Profiles against values computed by hand."""

import numpy as np
import pytest
from tests.analysis.robustness.conftest import make_curves

import itemcurve as ic
from itemcurve.errors import EvaluationError


def test_profiles_are_the_differences_of_equations_5_to_7(two_by_two):
    across_noise = [[-0.1, -0.1, -0.3, -0.2], [-0.2, -0.4, -0.1, 0.0]]
    across_bins = [[0.0, -0.2, -0.3], [0.0, 0.1, 0.5]]
    dan = ic.robustness.kappa_profiles(two_by_two, "dan")
    np.testing.assert_allclose(dan.values, across_noise, atol=1e-15)
    np.testing.assert_allclose(
        ic.robustness.kappa_profiles(two_by_two, "dad").values, across_bins, atol=1e-15
    )
    both = ic.robustness.kappa_profiles([two_by_two])
    np.testing.assert_allclose(both.values, np.hstack([across_noise, across_bins]), atol=1e-15)
    assert both.frame().columns[1] == "bin 1, share 0→0.1"
    assert len(both.steps) == both.values.shape[1]


def test_profiles_average_over_the_data_sets_that_have_a_model(two_by_two):
    flat = make_curves(np.ones((1, 2, 3)), "two", ["m1"])
    found = ic.robustness.kappa_profiles([two_by_two, flat], "dad").values
    np.testing.assert_allclose(found, [[0, -0.2, -0.3], [0, 0.05, 0.25]], atol=1e-15)


def test_profiles_of_unlike_curves_are_refused(two_by_two):
    with pytest.raises(EvaluationError):
        ic.robustness.kappa_profiles([two_by_two, make_curves(np.ones((2, 3, 3)))])
    with pytest.raises(EvaluationError):
        ic.robustness.kappa_profiles(two_by_two, "dna")
