"""Each item's covariance of scores: what integrating every respondent by hand gives."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import coo_array

import itemcurve as ic
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.marginal import observed_information
from itemcurve.estimation.marginal.e_step import expect, log_densities
from itemcurve.estimation.marginal.observed_information import complete_curvature
from itemcurve.estimation.marginal.over_respondents.ability_grid import GridPlan
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.marginal.own_covariance import own_covariance
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, as_dense, get_engine
from itemcurve.numerics.integration import AroundPeak

RESPONDENTS, ITEMS = 90, 70


@pytest.fixture(params=["numpy", "jax"])
def engine(request):
    machine = get_engine(request.param)
    with machine.double_precision():
        yield machine


def observed(model, share, repeats=0):
    rng = np.random.default_rng(4)
    table = ic.simulate(model, respondents=RESPONDENTS, items=ITEMS, seed=3).responses.array()
    is_there = rng.random(table.shape) < share
    is_there[np.arange(ITEMS), np.arange(ITEMS)] = True
    is_there[:, 0] = True
    rows, columns = np.nonzero(is_there)
    again = rng.integers(0, rows.size, repeats)
    rows, columns = np.append(rows, rows[again]), np.append(columns, columns[again])
    values = table[rows, columns]
    return ic.Responses.from_array(coo_array((values, (rows, columns)), shape=table.shape))


def by_hand(problem, responses, x, state):
    """Σ_units E[s sᵀ] − E[s] E[s]ᵀ at the nodes, unit by unit and item by item."""
    nodes, quadrature = problem.grid.points, problem.grid.log_quadrature
    slopes = problem.curves.slopes(NUMPY, problem.at_nodes(x))
    channels = [as_dense(c) for c in problem.curves.likelihood.channels(responses)]
    log_values = np.concatenate(list(log_densities(problem, x, state))) + quadrature
    mass = np.exp(log_values - log_values.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    found = np.zeros((len(x), len(slopes), len(slopes)))
    for unit, share in enumerate(mass):
        for item in range(len(x)):
            scores = [
                sum(
                    channel[unit, item] * np.broadcast_to(part, (len(x), nodes.size))[item]
                    for channel, part in zip(channels, parts, strict=True)
                )
                for parts in slopes
            ]
            found[item] += np.cov(np.broadcast_arrays(*scores), aweights=share, ddof=0)
    return found


def built(model, responses, engine):
    start = start_values(model, responses)
    problem = RespondentProblem.build(Likelihood(model), responses, start, engine).marginal
    return problem, coordinates_of(model, start) + 0.1, problem.population.start()


@pytest.mark.parametrize(("name", "repeats"), [("2pl", 0), ("2pl", 60), ("3pl", 0)])
def test_it_is_what_integrating_by_hand_gives(name, repeats):
    model = ic.get_model(name)
    responses = observed(model, 0.1, repeats)
    problem, x, state = built(model, responses, NUMPY)
    assert problem.units.is_sparse
    found = own_covariance(problem, x, state, expect(problem, x, state).mass)
    expected = by_hand(problem, responses, x, state)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5 * np.abs(expected).max())


def test_both_engines_give_the_same(engine):
    model = ic.get_model("2pl")
    responses = observed(model, 0.005)
    problem, x, state = built(model, responses, engine)
    other, *_ = built(model, responses, NUMPY)
    assert problem.units.is_sparse
    given, expected = expect(problem, x, state), expect(other, x, state)
    assert given.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-12)
    np.testing.assert_allclose(
        own_covariance(problem, x, state, given.mass),
        own_covariance(other, x, state, expected.mass),
        atol=1e-9,
    )


def test_narrow_posteriors_have_points_of_their_own():
    model = ic.get_model("2pl")
    table = ic.simulate(model, respondents=30, items=900, seed=3).responses.array()
    rng = np.random.default_rng(1)
    table[rng.random(table.shape) < 0.1] = np.nan
    rows, columns = np.nonzero(~np.isnan(table))
    sparse = coo_array((table[rows, columns], (rows, columns)), shape=table.shape)
    responses = ic.Responses.from_array(sparse)
    problem, x, state = built(model, responses, NUMPY)
    assert isinstance(problem.grid.rule, AroundPeak)
    exact = replace(problem, grid=GridPlan(7.5, 1024, 0, 4).grid())
    expectation = expect(exact, x, state)
    complete = complete_curvature(exact, x, expectation)
    expected = complete - by_hand(exact, responses, x, state)
    found = complete - own_covariance(problem, x, state, expect(problem, x, state).mass)
    errors, expected_errors = (
        np.sqrt(np.linalg.inv(own)[:, [0, 1], [0, 1]]) for own in (found, expected)
    )
    np.testing.assert_allclose(errors, expected_errors, rtol=1e-3)


def test_a_fit_is_that_of_the_full_table_with_gaps():
    model = ic.get_model("2pl")
    sparse = observed(model, 0.4)
    dense = ic.Responses.from_array(sparse.array())
    method = ic.Marginal(over="respondents", standard_errors="blocks")
    found, expected = (ic.fit(own, model, method=method) for own in (sparse, dense))
    for column in ("discrimination", "difficulty"):
        np.testing.assert_allclose(found.items[column], expected.items[column], atol=1e-5)
        np.testing.assert_allclose(
            found.items[f"{column}_se"], expected.items[f"{column}_se"], rtol=5e-3
        )


def test_on_evenly_spaced_nodes_too_nothing_is_computed_where_nothing_was_observed(monkeypatch):
    model = ic.get_model("2pl")
    responses = observed(model, 0.1)
    problem, x, state = built(model, responses, NUMPY)
    problem = replace(problem, grid=GridPlan(7.5, 64, 0, 4, is_even=True).grid())
    found = expect(problem, x, state)
    exact = by_hand(problem, responses, x, state)
    monkeypatch.setattr(observed_information, "_MANY_CELLS", 0)
    monkeypatch.setattr(observed_information, "summed_covariance", None)
    covariance = observed_information.own_score_covariance(problem, x, state, found)
    np.testing.assert_allclose(covariance, exact, rtol=1e-4, atol=1e-5 * np.abs(exact).max())
