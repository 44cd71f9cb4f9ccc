"""Errors through β³."""

import numpy as np
import pytest
from scipy.stats import spearmanr

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.gamma_link import errors_to_scores
from itemcurve.models.catalogue import get_model
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("gamma-normalised", respondents=40, items=30, seed=2)


@pytest.fixture(scope="module")
def linked(truth):
    return ic.fit_gamma_by_beta3(truth.responses, method="joint")


def test_the_curves_turned_back_are_those_of_the_gamma_model(linked):
    """Moraes et al., section III-C: 1/(1 + E[ē]) is the curve of β³."""
    abilities = np.linspace(-2, 2, 5)
    model = get_model("gamma-normalised")
    eta = Likelihood(model).natural(NUMPY, abilities, linked.gamma_values())
    expected = model.family.mean(NUMPY, eta).T
    np.testing.assert_allclose(linked.expected_error(abilities), expected, rtol=1e-6)


def test_the_order_of_abilities_is_recovered_through_the_link(truth, linked):
    assert spearmanr(linked.fit.estimates.abilities, truth.abilities)[0] > 0.95


def test_errors_become_scores_in_units_of_their_size():
    errors = ic.Responses.from_array([[0.0, 2.0], [1.0, np.nan], [3.0, 6.0]])
    scores = errors_to_scores(errors, np.array([1.0, 2.0]))
    np.testing.assert_allclose(scores.array(), [[1.0, 0.5], [0.5, np.nan], [0.25, 0.25]])
    assert scores.items == errors.items


def test_a_unit_of_the_errors_changes_nothing_when_it_is_named(truth, linked):
    thousand = ic.Responses.from_array(1000 * truth.responses.array())
    other = ic.fit_gamma_by_beta3(thousand, error_size=1000.0, method="joint")
    np.testing.assert_allclose(
        other.expected_error([0.3]), 1000 * linked.expected_error([0.3]), rtol=1e-3
    )


def test_negative_errors_and_sizes_are_refused(truth):
    with pytest.raises(ResponsesError, match="0 or more"):
        ic.fit_gamma_by_beta3(ic.Responses.from_array([[-1.0, 1.0], [1.0, 2.0]]))
    for size in (0.0, -1.0, [1.0, 2.0]):
        with pytest.raises(ModelError, match="error_size must be"):
            ic.fit_gamma_by_beta3(truth.responses, error_size=size)
