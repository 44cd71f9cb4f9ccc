"""What is carried to another unit of ability is what would be found there."""

from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.marginal.em_newton import evaluate, measured
from itemcurve.estimation.marginal.m_step import plain_score, score
from itemcurve.estimation.marginal.observed_information import (
    complete_curvature,
    full_information,
    own_score_covariance,
)
from itemcurve.estimation.marginal.over_respondents.item_population import ItemPopulation
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.marginal.over_respondents.unit_changes import UnitChange
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

FACTOR = 0.7


@pytest.fixture(params=["2pl", "3pl", "grm"])
def begun(request):
    """A problem with a point of it, and the same in another unit with other priors."""
    model = ic.get_model(request.param)
    responses = ic.simulate(model, respondents=150, items=12, seed=4).responses
    fit = ic.fit(responses, model)
    model = fit.estimates.model
    start = start_values(model, responses)
    problem = RespondentProblem.build(Likelihood(model), responses, start, NUMPY)
    state = problem.marginal.population.start() + np.array([0.2, 0.1])
    point = evaluate(problem.marginal, coordinates_of(model, start), state)
    items = ItemPopulation.start(model)
    place = problem.rescaled(point.x, point.state, 0.0, 1.0 / FACTOR)
    priors = replace(items, sd=1.3 * items.sd).priors(problem.marginal.priors)
    pull = np.linspace(0.0, 1.0, point.x.size).reshape(point.x.shape)
    other = problem.with_items(priors, pull).in_unit(FACTOR, place[1])
    return problem, point, other, UnitChange(problem, other, point, place, FACTOR)


def test_a_point_is_seen_as_if_it_were_looked_at_again(begun):
    problem, point, other, change = begun
    plain_score(problem.marginal, point.x, point.expectation)
    seen, looked = change.seen(), evaluate(other.marginal, *change.place)
    assert seen.objective == pytest.approx(looked.objective, abs=1e-7)
    np.testing.assert_allclose(seen.expectation.mass, looked.expectation.mass, atol=1e-8)
    assert seen.expectation.extent == pytest.approx(looked.expectation.extent, rel=1e-9)
    known, found = (score(other.marginal, p.x, p.expectation) for p in (seen, looked))
    for one, two in zip(known, found, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-5 * np.abs(two).max())


def test_curvature_is_carried_as_if_it_were_measured_again(begun):
    problem, point, other, change = begun
    carried = change.learnt(measured(problem.marginal, point))
    looked = evaluate(other.marginal, *change.place)
    found = full_information(other.marginal, *change.place, looked.expectation)
    # Fisher's information changes with coordinates as a matrix does; where these are bent, that
    # which is observed has the gradient in it, too.
    tolerance = 1e-4 if problem.marginal.curves.is_linear else 0.02
    np.testing.assert_allclose(carried.matrix, found, atol=tolerance * np.abs(found).max())
    own = own_score_covariance(other.marginal, *change.place, looked.expectation)
    np.testing.assert_allclose(carried.own.covariance, own, atol=1e-6 * np.abs(own).max())
    np.testing.assert_allclose(carried.own.place, change.place[0], atol=1e-9)
    assert carried.is_near
    assert carried.is_trusted


@pytest.mark.parametrize(("model", "is_linear"), [("2pl", True), ("gpcm", True), ("3pl", False)])
def test_of_linear_curves_the_curvature_is_that_which_is_expected(model, is_linear):
    model = ic.get_model(model)
    responses = ic.simulate(model, respondents=80, items=9, seed=2).responses
    model = ic.fit(responses, model).estimates.model
    start = start_values(model, responses)
    problem = RespondentProblem.build(Likelihood(model), responses, start, NUMPY).marginal
    assert problem.curves.is_linear is is_linear
    x = coordinates_of(model, start)
    expectation = evaluate(problem, x, problem.population.start()).expectation
    bent = replace(problem, curves=replace(problem.curves, is_linear=False))
    expected = complete_curvature(bent, x, expectation)
    found = complete_curvature(problem, x, expectation)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())
