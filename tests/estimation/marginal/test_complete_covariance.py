"""The information of complete data is how fast the gradient falls, in every pair of parameters."""

from dataclasses import replace

import numpy as np
import pytest
from tests.seam.partial_credit import partial_credit

import itemcurve as ic
from itemcurve.estimation.identification.population import Coordinate, Design, Population
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.marginal.em_newton import evaluate, marginal_gradient
from itemcurve.estimation.marginal.observed_information import block_information, full_information
from itemcurve.estimation.marginal.over_items.item_problem import ItemProblem
from itemcurve.estimation.marginal.over_respondents.ability_grid import GridPlan
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, get_engine
from itemcurve.numerics.integration import AroundPeak, AtNodes

STEP = 1e-4


def over_respondents(model, shape, engine=NUMPY):
    model = ic.get_model(model)
    responses = ic.simulate(model, respondents=shape[0], items=shape[1], seed=3).responses
    start = start_values(model, responses)
    problem = RespondentProblem.build(Likelihood(model), responses, start, engine).marginal
    return problem, coordinates_of(model, start), problem.population.start()


def falls(problem, x, state):
    """Minus the derivative of the gradient, by central differences."""
    at = np.concatenate([x.ravel(), state])

    def gradient(place):
        point = evaluate(problem, place[: x.size].reshape(x.shape), place[x.size :])
        return marginal_gradient(problem, point)

    steps = STEP * np.eye(len(at))
    return np.stack([(gradient(at - s) - gradient(at + s)) / (2 * STEP) for s in steps])


def assert_is_slope_of_gradient(problem, x, state, tolerance):
    expectation = evaluate(problem, x, state).expectation
    full = full_information(problem, x, state, expectation)
    expected = falls(problem, x, state)
    np.testing.assert_allclose(full, expected, atol=tolerance * np.abs(expected).max())
    return full, expectation


@pytest.mark.parametrize(
    ("model", "shape", "rule"),
    [
        ("2pl", (120, 7), AtNodes),
        ("1pl", (120, 60), AtNodes),
        (partial_credit(3), (120, 9), AtNodes),
        ("2pl", (15, 130), AroundPeak),
    ],
    ids=["2pl", "1pl, more items than nodes", "partial credit", "points around peaks"],
)
def test_the_information_of_complete_data_is_exact(model, shape, rule):
    problem, x, state = over_respondents(model, shape)
    if rule is AroundPeak:
        problem = replace(problem, grid=GridPlan(7.5, 64, 15, 4).grid())
    assert isinstance(problem.grid.rule, rule)
    # Rounding of gradients over steps of 1e-4, and points that move with the peaks.
    tolerance = 1e-6 if rule is AtNodes else 1e-5
    full, expectation = assert_is_slope_of_gradient(problem, x, state, tolerance)
    entities, width = x.shape
    index = np.arange(entities)
    own = full[: x.size, : x.size].reshape(entities, width, entities, width)[index, :, index]
    blocks = block_information(problem, x, state, expectation)
    np.testing.assert_allclose(blocks, own, rtol=1e-8, atol=1e-8 * np.abs(own).max())


def test_groups_have_an_exact_information():
    problem, x, _ = over_respondents("2pl", (120, 7))
    design = Design(mean=np.eye(2), log_sd=np.eye(2))
    population = Population((Coordinate(Normal(0.0, 1.0), True, True, design=design),))
    units = replace(problem.units, groups=(np.arange(120) % 2,))
    problem = replace(problem, population=population, units=units)
    state = population.start() + np.array([0.0, 0.5, 0.0, 0.2])
    assert_is_slope_of_gradient(problem, x, state, 1e-6)


def test_items_have_an_exact_information():
    model = ic.get_model("2pl").population_form()
    responses = ic.simulate(model, respondents=6, items=50, seed=3).responses
    built = ItemProblem.build(Likelihood(model), responses, NUMPY)
    problem = built.marginal
    problem = replace(problem, grid=replace(problem.grid, rule=AtNodes()))
    assert_is_slope_of_gradient(problem, built.start(responses), problem.population.start(), 1e-6)


@pytest.mark.parametrize("shape", [(120, 7), (60, 400)], ids=["at nodes", "around peaks"])
def test_both_engines_find_the_same_information(shape):
    found = []
    for name in ("numpy", "jax"):
        engine = get_engine(name)
        with engine.double_precision():
            problem, *at = over_respondents("2pl", shape, engine)
            expectation = evaluate(problem, *at).expectation
            both = full_information, block_information
            found.append([of(problem, *at, expectation) for of in both])
    for given, expected in zip(*found, strict=True):
        np.testing.assert_allclose(given, expected, rtol=1e-7, atol=1e-7 * np.abs(expected).max())
