"""Joint estimation: maxima, errors, starts, refusals."""

import numpy as np
import pytest
from benchmarks.faults.odd_sets import draw_odd_set
from scipy.optimize import minimize
from scipy.special import expit

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.posterior_mode import log_posterior
from itemcurve.estimation.posterior_mode.log_posterior import JointProblem
from itemcurve.models.catalogue import get_model
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("fractional-2pl", respondents=30, items=12, seed=3, missing=0.1)


@pytest.fixture(scope="module")
def fitted(truth):
    return ic.fit(truth.responses, "fractional-2pl", method="joint")


def log_loss(array, t, a, e):
    """Sum of y log p + (1−y) log(1−p) over observed cells."""
    z = t[:, None] * a + e
    cells = np.where(np.isnan(array), 0.0, np.nan_to_num(array) * z - np.logaddexp(0, z))
    return cells[~np.isnan(array)].sum()


def test_the_maximum_is_that_of_a_general_optimiser(truth, fitted):
    array = truth.responses.array()
    n, m = array.shape

    def loss(z):
        t, a, e = np.split(z, [n, n + m])
        prior = -0.5 * ((a - 1) ** 2).sum() - 0.5 * (e**2 / 9).sum() - 0.5 * (t**2 / 9).sum()
        return -log_loss(array, t, a, e) - prior

    start = np.concatenate([np.zeros(n), np.ones(m), np.zeros(m)])
    best = minimize(loss, start, method="L-BFGS-B", options={"maxiter": 5000, "ftol": 1e-14})
    t, a, e = np.split(best.x, [n, n + m])
    expected = expit(t[:, None] * a + e)
    np.testing.assert_allclose(
        fitted.expected_response(fitted.estimates.abilities), expected, atol=2e-4
    )


def test_the_gradient_vanishes_at_the_maximum(truth):
    model = get_model("2pl")
    responses = ic.simulate("2pl", respondents=60, items=20, seed=5).responses
    fit = ic.fit(responses, model, method="joint")
    population = fit.estimates.population
    values = model.rescale(
        fit.estimates.values,
        -population["ability_location"] / population["ability_unit"],
        1 / population["ability_unit"],
    )
    t = fit.estimates.abilities * population["ability_unit"] + population["ability_location"]
    likelihood = Likelihood(model)
    problem = JointProblem.build(likelihood, responses, values, NUMPY, has_priors=True)
    slopes = problem.evaluate(coordinates_of(likelihood.model, values), t)
    assert np.abs(slopes.item_slope).max() < 1e-4
    assert np.abs(slopes.ability_slope).max() < 1e-4


def test_sandwich_errors_do_not_depend_on_how_often_a_score_is_counted(truth, fitted):
    """Weights say nothing about the scatter of scores; the curvature alone would halve errors."""
    array = truth.responses.array()
    weights = np.where(np.isnan(array), 0.0, 400.0)
    once, often = (
        ic.fit(
            ic.Responses.from_array(array, weights=w),
            "fractional-2pl",
            method=ic.Joint(objective="ml"),
        )
        for w in (weights / 400.0, weights)
    )
    np.testing.assert_allclose(once.estimates.abilities, often.estimates.abilities, atol=1e-4)
    np.testing.assert_allclose(
        once.estimates.ability_errors, often.estimates.ability_errors, rtol=1e-2
    )
    assert "sandwich" in fitted.estimates.standard_errors


def test_sandwich_errors_match_the_scatter_over_simulations():
    errors, found = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        ability = np.linspace(-1.5, 1.5, 25)
        slope, intercept = np.linspace(0.6, 1.6, 40), np.linspace(-1, 1, 40)
        p = expit(ability[:, None] * slope + intercept)
        scores = rng.binomial(20, p) / 20
        fit = ic.fit(ic.Responses.from_array(scores), "fractional-2pl", method=ic.Joint("ml"))
        found.append(fit.estimates.abilities)
        errors.append(fit.estimates.ability_errors)
    scatter = np.std(found, axis=0).mean()
    assert np.mean(errors) == pytest.approx(scatter, rel=0.12)


def test_large_problems_take_turns_and_reach_the_same_maximum(monkeypatch, truth, fitted):
    monkeypatch.setattr(log_posterior, "MOST_IN_CORNER", 3)
    other = ic.fit(truth.responses, "fractional-2pl", method="joint")
    assert other.estimates.objective_value == pytest.approx(
        fitted.estimates.objective_value, abs=1e-4
    )
    np.testing.assert_allclose(other.estimates.abilities, fitted.estimates.abilities, atol=2e-3)
    assert "one by one" in other.estimates.standard_errors


def test_restarts_are_reproducible_and_never_worse():
    responses = ic.simulate("fractional-beta3", respondents=10, items=30, seed=2).responses
    once = ic.fit(responses, "fractional-beta3", method="joint")
    first, second = (
        ic.fit(responses, "fractional-beta3", method=ic.Joint(restarts=2, seed=7)) for _ in range(2)
    )
    np.testing.assert_array_equal(first.estimates.values, second.estimates.values)
    assert first.estimates.objective_value >= once.estimates.objective_value - 1e-9


def test_abilities_rise_with_the_mean_response_whatever_the_signs():
    truth = ic.simulate("2pl", respondents=50, items=30, seed=6)
    turned = ic.Responses.from_array(1 - truth.responses.array())
    for responses in (truth.responses, turned):
        fit = ic.fit(responses, "2pl", method="joint")
        assert np.corrcoef(fit.estimates.abilities, responses.means(axis=1))[0, 1] > 0


def test_log_loss_on_beta3_is_the_fractional_likelihood_on_its_curves():
    truth = ic.simulate("beta3", respondents=20, items=30, seed=1)
    by_loss = ic.fit(truth.responses, "beta3", method=ic.Joint(objective="log-loss"))
    by_model = ic.fit(truth.responses, "fractional-beta3", method="joint")
    np.testing.assert_allclose(by_loss.estimates.values, by_model.estimates.values, atol=1e-6)
    assert by_loss.model == "beta3"
    assert "log-loss" in by_loss.objective


@pytest.mark.parametrize("model", ["gamma", "logit-normal", "2pl-nd"])
def test_log_loss_is_refused_where_it_says_too_little(model):
    responses = ic.simulate(model, respondents=10, items=12, seed=1).responses
    with pytest.raises(ModelError, match="log-loss needs a model"):
        ic.fit(responses, model, method=ic.Joint(objective="log-loss"))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"objective": "best"}, "objective must be"),
        ({"restarts": -1}, "restarts must be"),
        ({"tolerance": 0.0}, "tolerance must"),
        ({"max_iterations": 0}, "max_iterations must"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings, reason):
    with pytest.raises(ModelError, match=reason):
        ic.Joint(**settings)


@pytest.mark.parametrize("model", ["2pl", "fractional-beta3", "beta3"])
def test_a_saved_joint_fit_loads_back(model, tmp_path):
    responses = ic.simulate(model, respondents=20, items=10, seed=4).responses
    fit = ic.fit(responses, model, method=ic.Joint(restarts=1, seed=1))
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert again.estimates.over == "nothing"
    np.testing.assert_array_equal(again.estimates.values, fit.estimates.values)
    assert np.isfinite([again.aic, again.bic]).all()


def test_beta3_curves_with_the_bernoulli_family_are_the_2pl():
    """Identical priors: a ~ N(1, 1), locations flat; the population of abilities free."""
    responses = ic.simulate("2pl", respondents=300, items=15, seed=8).responses
    flat = {"discrimination": ic.priors.Normal(1.0, 1.0)}
    tight = ic.Marginal(over="respondents", tolerance=1e-14)
    ours = ic.fit(responses, "fractional-beta3", prior={**flat, "difficulty": None}, method=tight)
    other = ic.fit(responses, "2pl", prior={**flat, "intercept": None}, method=tight)
    np.testing.assert_allclose(
        ours.expected_response(ours.estimates.abilities),
        other.expected_response(other.estimates.abilities),
        atol=1e-6,
    )


def test_joint_maximum_likelihood_of_both_is_the_same_too():
    scores = ic.simulate("fractional-2pl", respondents=40, items=25, seed=8).responses
    method = ic.Joint(objective="ml", tolerance=1e-14)
    ours = ic.fit(scores, "fractional-beta3", method=method)
    other = ic.fit(scores, "fractional-2pl", method=method)
    np.testing.assert_allclose(
        ours.expected_response(ours.estimates.abilities),
        other.expected_response(other.estimates.abilities),
        atol=1e-6,
    )


def test_two_items_answered_alike_do_not_end_on_the_saddle_between_their_sides():
    # Items that start alike stay alike step by step: only a look at the curvature parts them.
    odd = draw_odd_set(1, 1200)
    responses = ic.Responses.from_array(odd.values)
    found = ic.fit(responses, "3pl", method=odd.settings)
    assert found.status.is_converged
    # 155.3556 on the saddle.
    assert found.estimates.objective_value > -155.32
