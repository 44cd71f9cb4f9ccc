"""Errors of abilities over respondents: those given the items, and the doubt about the items."""

import numpy as np
import pytest
from benchmarks.faults.odd_sets import draw_odd_set

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.marginal.e_step import posterior_moments
from itemcurve.estimation.marginal.gradient_covariance import latent_covariances
from itemcurve.estimation.marginal.over_respondents.fit_over_respondents import _solve
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.optimisation.iterate import UNWATCHED
from itemcurve.numerics.engine import NUMPY

TOTAL = Marginal(over="respondents", ability_errors="total")


@pytest.mark.parametrize("name", ["1pl", "2pl", "beta3", "logit-normal"])
def test_abilities_move_with_items_and_population_as_their_covariance_with_scores_says(name):
    """∂m/∂ω = Cov(θ, ∂log f/∂ω | y), against differences of the posterior means."""
    responses = ic.simulate(name, respondents=30, items=8, seed=3, missing=0.1).responses
    solution = _solve(Marginal(), responses, ic.get_model(name), NUMPY, UNWATCHED)
    problem, point = solution.problem, solution.optimum.point
    _, sds = posterior_moments(problem.marginal, point.x, point.state).T
    slopes = sds[:, None] * latent_covariances(problem.marginal, point.x, point.state)
    rng, step = np.random.default_rng(1), 1e-4
    in_x, in_state = rng.normal(size=point.x.shape), rng.normal(size=point.state.shape)
    above, below = (
        posterior_moments(
            problem.marginal, point.x + s * step * in_x, point.state + s * step * in_state
        ).T[0]
        for s in (1, -1)
    )
    found = slopes @ np.concatenate([in_x.ravel(), in_state])
    np.testing.assert_allclose(found, (above - below) / (2 * step), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("name", "respondents", "items"), [("2pl", 40, 100), ("beta3", 60, 20)])
def test_intervals_cover_although_the_items_are_not_known(name, respondents, items):
    covered, given_items = [], []
    for seed in range(24):
        truth = ic.simulate(name, respondents=respondents, items=items, seed=seed)
        fit = ic.fit(truth.responses, name, method=TOTAL)
        gap = np.abs(fit.estimates.abilities - truth.abilities)
        covered.append(np.mean(gap < 1.645 * fit.estimates.ability_errors))
        given_items.append(np.mean(gap < 1.645 * ic.score(fit.bank, truth.responses).ability_se))
    assert 0.87 <= np.mean(covered) <= 0.93
    more = np.subtract(covered, given_items)
    assert np.mean(more) > 2 * np.std(more, ddof=1) / np.sqrt(len(more))


def test_nothing_is_less_certain_than_the_population():
    """Five answers, no priors: items that could be anything must not make abilities infinite."""
    rng = np.random.default_rng(3)
    responses = ic.Responses.from_array(rng.integers(0, 2, size=(30, 5)))
    fit = ic.fit(responses, "2pl", prior=None, on_failure="ignore", method=TOTAL)
    errors = fit.estimates.ability_errors
    assert np.isfinite(errors).all()
    assert (errors <= 1.0 + 1e-9).all()


def test_items_sharper_than_the_grid_are_refused():
    responses = ic.simulate("gamma", respondents=30, items=5, seed=1).responses
    with pytest.raises(ModelError, match="Total errors of abilities need"):
        ic.fit(responses, "gamma", method=TOTAL)


def test_errors_given_the_items_are_the_default():
    responses = ic.simulate("2pl", respondents=60, items=12, seed=1).responses
    usual, total = (
        ic.fit(responses, "2pl", method=m) for m in (Marginal(over="respondents"), TOTAL)
    )
    np.testing.assert_array_equal(usual.estimates.abilities, total.estimates.abilities)
    assert (usual.estimates.ability_errors < total.estimates.ability_errors).all()
    with pytest.raises(ModelError, match="ability_errors must"):
        Marginal(ability_errors="all")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_numbers_that_cannot_be_squared_are_refused_in_words():
    odd = draw_odd_set(1, 1481)
    huge = ic.Responses.from_array(odd.values, weights=odd.weights)
    with pytest.raises(ModelError, match="squared and added up"):
        ic.fit(huge, odd.model, prior=None, method=odd.settings, on_failure="ignore")
