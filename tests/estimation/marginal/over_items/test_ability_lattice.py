from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.marginal.em_newton import evaluate, marginal_gradient
from itemcurve.estimation.marginal.observed_information import full_information
from itemcurve.estimation.marginal.over_items.ability_lattice import InterpolatedCurves
from itemcurve.estimation.marginal.over_items.item_problem import AbilityCurves, ItemProblem
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, get_engine


@pytest.fixture
def problem() -> ItemProblem:
    truth = ic.simulate("beta3", respondents=15, items=60, seed=1)
    likelihood = Likelihood(ic.get_model("beta3").population_form())
    return ItemProblem.build(likelihood, truth.responses, NUMPY)


def test_interpolated_curves_give_the_objective_and_its_derivatives_of_exact_ones(problem):
    near = problem.marginal
    exact = replace(near, curves=AbilityCurves(problem.likelihood))
    x = np.random.default_rng(2).uniform(-4, 4, size=(15, 1))
    state = near.population.start()
    one, other = evaluate(near, x, state), evaluate(exact, x, state)
    assert one.objective == pytest.approx(other.objective, abs=1e-5)
    np.testing.assert_allclose(
        marginal_gradient(near, one), marginal_gradient(exact, other), atol=1e-4
    )
    informations = [
        full_information(side, x, state, point.expectation)
        for side, point in ((near, one), (exact, other))
    ]
    np.testing.assert_allclose(*informations, atol=1e-4 * np.abs(informations[1]).max())


def test_abilities_that_move_little_need_no_special_functions_again(problem, monkeypatch):
    marginal, state = problem.marginal, problem.marginal.population.start()
    # Each in the middle of a cell of the lattice.
    x = (0.15 * (np.arange(15) - 7 + 0.5))[:, None]
    evaluate(marginal, x, state)
    asked = []
    known = Likelihood.curves_and_slopes

    def counted(self, engine, abilities, values):
        asked.append(len(abilities))
        return known(self, engine, abilities, values)

    monkeypatch.setattr(Likelihood, "curves_and_slopes", counted)
    marginal_gradient(marginal, evaluate(marginal, x + 0.05, state))
    assert asked == []
    evaluate(marginal, x + 0.15, state)
    assert asked == [1]


def test_only_slow_curves_are_interpolated_and_not_in_compiled_code():
    responses = ic.simulate("2pl", respondents=5, items=20, seed=1).responses
    likelihood = Likelihood(ic.get_model("2pl").population_form())
    curves = ItemProblem.build(likelihood, responses, NUMPY).marginal.curves
    assert isinstance(curves, AbilityCurves)
    scores = ic.simulate("beta3", respondents=5, items=20, seed=1).responses
    likelihood = Likelihood(ic.get_model("beta3").population_form())
    assert isinstance(
        ItemProblem.build(likelihood, scores, NUMPY).marginal.curves, InterpolatedCurves
    )
    jax = get_engine("jax")
    with jax.double_precision():
        assert isinstance(ItemProblem.build(likelihood, scores, jax).marginal.curves, AbilityCurves)
