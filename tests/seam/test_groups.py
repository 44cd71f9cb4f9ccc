"""The population of abilities may depend on the respondent: groups and covariates."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

import itemcurve as ic
from itemcurve.estimation.identification.population import Coordinate, Design, Population
from itemcurve.estimation.marginal.em_newton import maximise
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, get_engine

GROUPS = 3


@pytest.fixture(scope="module")
def setting():
    """The third group is abler by one and twice as varied; items are those of the first two."""
    rng = np.random.default_rng(1)
    items = ic.simulate("2pl", respondents=10, items=15, seed=1).values
    group = np.repeat(np.arange(GROUPS), (300, 200, 250))
    abilities = np.where(group == 2, 1.0 + 2.0 * rng.normal(size=750), rng.normal(size=750))
    chance = 1 / (1 + np.exp(-(abilities[:, None] * items[:, 0] + items[:, 1])))
    observed = (rng.random(chance.shape) < chance).astype(float)
    return group, ic.Responses.from_array(observed)


def problem_of(group, responses, design, engine=NUMPY):
    model = ic.get_model("2pl")
    likelihood = Likelihood(model)
    start = model.start(_summaries(responses))
    built = RespondentProblem.build(likelihood, responses, start, engine).marginal
    ability = Coordinate(Normal(0.0, 1.0), True, True, design=design)
    places = np.cumsum([0, *(block[0].shape[0] for block in built.units.blocks)])
    groups = tuple(engine.place(group[low:high]) for low, high in pairwise(places))
    units = replace(built.units, groups=groups)
    return replace(built, population=Population((ability,)), units=units), start


def _summaries(responses):
    from itemcurve.estimation.identification.starting_values import item_rest_correlations
    from itemcurve.models.item_summaries import ItemSummaries

    return ItemSummaries(responses.means(axis=0), item_rest_correlations(responses))


# The first two groups share one population, from which the third differs.
DIFFERENCE = Design(
    mean=np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
    log_sd=np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
)


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_groups_differ_in_mean_and_spread(setting, engine):
    group, responses = setting
    machine = get_engine(engine)
    with machine.double_precision():
        problem, start = problem_of(group, responses, DIFFERENCE, machine)
        x = coordinates_of(ic.get_model("2pl"), start)
        state = problem.population.start()
        found = maximise(problem, x, state, standardise=None, tolerance=1e-7, max_iterations=300)
    assert found.status.is_converged
    _, difference, log_sd, log_ratio = found.point.state
    spread = np.exp(log_sd)
    assert difference / spread == pytest.approx(1.0, abs=0.35)
    assert np.exp(log_ratio) == pytest.approx(2.0, abs=0.6)


def test_the_gradient_is_that_of_the_objective(setting):
    from itemcurve.estimation.marginal.em_newton import evaluate, marginal_gradient
    from itemcurve.estimation.marginal.observed_information import full_information

    group, responses = setting
    problem, start = problem_of(group, responses, DIFFERENCE)
    x = coordinates_of(ic.get_model("2pl"), start)
    state = np.array([0.1, 0.7, -0.1, 0.4])
    point = evaluate(problem, x, state)
    gradient = marginal_gradient(problem, point)[-4:]
    steps = 1e-5 * np.eye(4)
    differences = [
        (evaluate(problem, x, state + s).objective - evaluate(problem, x, state - s).objective)
        / 2e-5
        for s in steps
    ]
    np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-4)
    bends = (
        np.array(
            [
                marginal_gradient(problem, evaluate(problem, x, state - s))[-4:]
                - marginal_gradient(problem, evaluate(problem, x, state + s))[-4:]
                for s in steps
            ]
        )
        / 2e-5
    )
    information = full_information(problem, x, state, point.expectation)[-4:, -4:]
    np.testing.assert_allclose(information, (bends + bends.T) / 2, rtol=2e-2, atol=0.5)


def test_a_covariate_is_a_regression_of_ability():
    """Newton's update finds the same state as a general search."""
    rng = np.random.default_rng(2)
    covariate = rng.normal(size=6)
    design = Design(np.column_stack([np.ones(6), covariate]), np.ones((6, 1)))
    population = Population((Coordinate(Normal(0.0, 1.0), True, True, design=design),))
    nodes, mass = np.linspace(-4, 4, 60)[None, :], 10 * rng.random((6, 60))

    def loss(state):
        return -(population.log_density(state, nodes) * mass).sum()

    found = population.updated(population.start(), nodes, mass)
    expected = minimize(loss, population.start(), tol=1e-12)
    np.testing.assert_allclose(found, expected.x, atol=1e-5)
