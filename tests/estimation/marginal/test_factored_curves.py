"""Curves as products of two thin matrices: every step gives what it gives with full columns."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import coo_array
from tests.seam.partial_credit import partial_credit

import itemcurve as ic
from itemcurve.estimation.identification.population import Coordinate, Design, Population
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.marginal.e_step import expect, log_densities
from itemcurve.estimation.marginal.factored_curves import compressed
from itemcurve.estimation.marginal.m_step import complete_gradient, score, scoring_step
from itemcurve.estimation.marginal.observed_information import complete_curvature
from itemcurve.estimation.marginal.over_items.item_problem import ItemProblem
from itemcurve.estimation.marginal.over_respondents import respondent_problem
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Normal
from itemcurve.numerics.chebyshev import chebyshev_grid
from itemcurve.numerics.engine import get_engine

MODELS = {"2pl": "2pl", "1pl": "1pl", "partial credit": partial_credit(3)}
# Many items make posteriors narrow, which asks for points of each respondent's own.
SHAPES = {"few items": (150, 12), "many items": (60, 400)}


def without_factors(curves):
    """The same curves, of which nothing is said."""
    kind = type(curves)
    return type(kind.__name__, (kind,), {"factors": lambda self, engine, at: []})(curves.likelihood)


@pytest.fixture(params=["numpy", "jax"])
def engine(request):
    machine = get_engine(request.param)
    with machine.double_precision():
        yield machine


def observed(model, shape, is_complete):
    responses = ic.simulate(model, respondents=shape[0], items=shape[1], seed=3).responses
    if is_complete:
        return responses
    table = responses.array().astype(float)
    table[np.random.default_rng(2).random(table.shape) < 0.2] = np.nan
    return ic.Responses.from_array(table)


def assert_close(given, expected):
    given, expected = np.asarray(given), np.asarray(expected)
    np.testing.assert_allclose(given, expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max())


def compare(problem, x, state):
    plain = replace(problem, curves=without_factors(problem.curves))
    assert problem.curves.factors(problem.engine, problem.at_nodes(x))
    given, expected = expect(problem, x, state), expect(plain, x, state)
    assert given.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-12)
    assert given.extent == pytest.approx(expected.extent, rel=1e-10)
    assert_close(given.mass, expected.mass)
    assert_close(complete_gradient(problem, x, given), complete_gradient(plain, x, expected))
    for own, other in zip(score(problem, x, given), score(plain, x, expected), strict=True):
        assert_close(own, other)
    direction = 0.1 * np.ones_like(x)
    assert_close(
        scoring_step(problem, x, given, direction), scoring_step(plain, x, expected, direction)
    )
    # Differences over steps of 1e-5 leave five digits less.
    np.testing.assert_allclose(
        complete_curvature(problem, x, given),
        complete_curvature(plain, x, expected),
        atol=1e-7 * np.abs(complete_curvature(plain, x, expected)).max(),
    )
    for own, other in zip(
        log_densities(problem, x, state), log_densities(plain, x, state), strict=True
    ):
        assert_close(own, other)


@pytest.mark.parametrize("is_complete", [True, False], ids=["complete", "missing cells"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("model", MODELS)
def test_respondents_are_integrated_as_with_full_columns(model, shape, is_complete, engine):
    if engine.name == "jax" and (model == "1pl" or (shape == "many items") != is_complete):
        pytest.skip("Compiling takes seconds, and this differs in nothing from what is compiled.")
    model = ic.get_model(MODELS[model])
    responses = observed(model, SHAPES[shape], is_complete)
    start = start_values(model, responses)
    problem = RespondentProblem.build(Likelihood(model), responses, start, engine).marginal
    compare(problem, coordinates_of(model, start) + 0.1, problem.population.start())


def test_groups_are_integrated_as_with_full_columns(engine):
    model = ic.get_model("2pl")
    responses = observed(model, (150, 12), is_complete=True)
    start = start_values(model, responses)
    built = RespondentProblem.build(Likelihood(model), responses, start, engine).marginal
    design = Design(mean=np.eye(2), log_sd=np.eye(2))
    population = Population((Coordinate(Normal(0.0, 1.0), True, True, design=design),))
    units = replace(built.units, groups=(engine.place(np.arange(150) % 2),))
    problem = replace(built, population=population, units=units)
    state = population.start() + np.array([0.0, 0.5, 0.0, 0.2])
    compare(problem, coordinates_of(model, start), state)


@pytest.mark.parametrize("is_complete", [True, False], ids=["complete", "missing cells"])
@pytest.mark.parametrize("model", ["2pl", "1pl"])
def test_items_are_integrated_as_with_full_columns(model, is_complete, engine):
    model = ic.get_model(model).population_form()
    responses = observed(model, (12, 90), is_complete)
    built = ItemProblem.build(Likelihood(model), responses, engine)
    problem = built.marginal
    compare(problem, built.start(responses), problem.population.start())


def test_a_curve_with_an_asymptote_has_no_factors():
    model = ic.get_model("3pl")
    responses = observed(model, (50, 10), is_complete=True)
    start = start_values(model, responses)
    problem = RespondentProblem.build(
        Likelihood(model), responses, start, get_engine("numpy")
    ).marginal
    x = coordinates_of(model, start)
    assert problem.curves.factors(problem.engine, problem.at_nodes(x)) == []


def test_smooth_curves_are_made_up_of_few_functions():
    rng, points = np.random.default_rng(1), chebyshev_grid(-5.0, 5.0, 96).nodes
    slope, place = np.exp(0.4 * rng.normal(size=(3000, 1))), rng.normal(size=(3000, 1))
    eta = slope * (points - place)
    curve, slopes = np.logaddexp(0.0, eta), [1 / (1 + np.exp(-eta))]
    found = compressed(curve, slopes)
    assert len(found.functions) < 40
    np.testing.assert_allclose(found.weights @ found.functions, curve, atol=1e-4)
    left = slopes[0] - slopes[0] @ found.functions.T @ found.functions
    assert np.sqrt(np.mean(left**2)) < 1e-5
    assert compressed(rng.normal(size=(300, 96)), []) is None


@pytest.mark.parametrize("model", ["2pl", "3pl"])
def test_a_sparse_fit_does_not_depend_on_whether_curves_are_compressed(model, monkeypatch):
    responses = ic.simulate(model, respondents=3000, items=100, seed=3).responses
    chosen = np.random.default_rng(2).random(responses.shape) < 0.2
    chosen[:, 0] = True
    rows, columns = np.nonzero(chosen)
    table = responses.array()[rows, columns]
    sparse = ic.Responses.from_array(coo_array((table, (rows, columns)), shape=responses.shape))
    plain = ic.fit(sparse, model)
    monkeypatch.setattr(respondent_problem, "_MANY_UNITS", 1000)
    found = ic.fit(sparse, model)
    for name in ("discrimination", "difficulty", "discrimination_se", "difficulty_se"):
        np.testing.assert_allclose(found.items[name], plain.items[name], atol=1e-4, err_msg=name)
