"""Scores in [0, 1] under log-loss: the family, and what its models take and refuse."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.families.bernoulli import Bernoulli
from itemcurve.families.fractional import Fractional
from itemcurve.numerics.engine import NUMPY


def test_the_log_likelihood_is_minus_the_log_loss():
    y, eta = np.array([0.0, 0.3, 1.0]), np.array([-0.7, 0.4, 2.0])
    p = 1 / (1 + np.exp(-eta))
    family = Fractional()
    given = family.statistics[0](y) * eta - family.log_partition(NUMPY, [eta])
    np.testing.assert_allclose(given, y * np.log(p) + (1 - y) * np.log(1 - p), rtol=1e-12)


def test_the_ends_are_ordinary_scores_and_what_lies_beyond_is_refused():
    family = Fractional()
    family.check(np.array([0.0, 0.5, 1.0]))
    for wrong in (-0.1, 1.1, np.nan):
        with pytest.raises(ResponsesError, match="between 0 and 1"):
            family.check(np.array([0.5, wrong]))


def test_only_it_calls_itself_a_quasi_likelihood():
    assert Fractional().is_quasi
    assert not Bernoulli().is_quasi


def test_simulated_scores_have_the_right_mean():
    eta = np.full(4000, 0.8)
    drawn = Fractional().sample(np.random.default_rng(1), [eta])
    assert drawn.mean() == pytest.approx(1 / (1 + np.exp(-0.8)), abs=0.01)
    assert ((drawn > 0) & (drawn < 1)).any()


MODELS = ("fractional-2pl", "fractional-beta3")


@pytest.fixture
def scores():
    return ic.simulate("fractional-2pl", respondents=15, items=8, seed=1).responses.array()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("wrong", [-0.2, 1.5])
def test_scores_outside_the_unit_interval_are_refused(model, wrong, scores):
    scores[0, 0] = wrong
    with pytest.raises(ResponsesError, match="between 0 and 1"):
        ic.fit(ic.Responses.from_array(scores), model, method="joint")


@pytest.mark.parametrize("model", MODELS)
def test_missing_cells_are_left_out(model, scores):
    scores[0, :3] = np.nan
    fit = ic.fit(ic.Responses.from_array(scores), model, method="joint")
    assert fit.respondents["responses"][0] == 5
    assert fit.status.is_converged


@pytest.mark.parametrize("model", MODELS)
def test_right_and_wrong_as_integers_are_scores_too(model):
    responses = ic.simulate("2pl", respondents=40, items=12, seed=2).responses
    assert responses.observed_values().dtype.kind == "i"
    assert ic.fit(responses, model, method="joint").status.is_converged


@pytest.mark.parametrize("model", MODELS)
def test_constant_items_and_respondents_stay_finite_and_are_flagged(model, scores):
    scores[:, 0] = 1.0
    scores[0, :] = 0.0
    scores[0, 0] = 1.0
    fit = ic.fit(ic.Responses.from_array(scores), model, method="joint")
    assert "constant" in fit.items["flags"][0]
    assert np.isfinite(fit.estimates.abilities).all()
    assert np.isfinite(fit.estimates.values).all()


@pytest.mark.parametrize("model", MODELS)
def test_a_boundary_is_refused_because_the_ends_are_ordinary(model, scores):
    with pytest.raises(ModelError, match="ends as ordinary responses"):
        ic.fit(ic.Responses.from_array(scores), model, boundary="censor")


def test_the_2pl_refuses_scores_and_names_the_model_for_them(scores):
    with pytest.raises(ResponsesError, match="fractional-2pl"):
        ic.fit(ic.Responses.from_array(scores), "2pl")
