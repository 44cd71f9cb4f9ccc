"""The search for the maximum: how often curvature is measured, and where a search ends."""

from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.marginal import em_newton
from itemcurve.estimation.marginal.em_newton import maximise
from itemcurve.estimation.marginal.learnt_curvature import Learnt
from itemcurve.estimation.marginal.observed_information import full_information
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.status import FitStatus
from itemcurve.models.catalogue import get_model
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY


@pytest.fixture
def problem():
    truth = ic.simulate("2pl", respondents=200, items=40, seed=4)
    model = get_model("2pl")
    values = np.tile([1.0, 0.0, 0.0, 1.0], (40, 1))
    return RespondentProblem.build(Likelihood(model), truth.responses, values, NUMPY), values


def search(problem, values, **settings):
    x = coordinates_of(problem.likelihood.model, values)
    given = {"standardise": problem.standardise, "tolerance": 1e-7, "max_iterations": 100}
    return maximise(
        problem.marginal, x, problem.marginal.population.start(), **{**given, **settings}
    )


def test_curvature_is_measured_once_however_many_grids_a_search_takes(monkeypatch):
    measured = []

    def counted(*arguments):
        measured.append(arguments)
        return full_information(*arguments)

    monkeypatch.setattr(em_newton, "full_information", counted)
    responses = ic.simulate("2pl", respondents=300, items=60, seed=1).responses
    # Without priors there is one search; a population of items takes several.
    fit = ic.fit(responses, "2pl", method=Marginal(over="respondents"), prior=None)
    assert fit.status is FitStatus.CONVERGED
    assert len(measured) == 1


def test_a_search_that_begins_with_what_another_learnt_ends_at_the_same_maximum(problem):
    learnt = Learnt()
    first = search(*problem, learnt=learnt)
    assert learnt.is_near
    assert learnt.matrix is not None
    again = search(*problem, learnt=Learnt(np.eye(82), np.ones(82), True))
    assert first.status is again.status is FitStatus.CONVERGED
    assert again.point.objective == pytest.approx(first.point.objective, abs=1e-6)
    np.testing.assert_allclose(again.point.x, first.point.x, atol=1e-4)


def test_a_step_lost_in_the_noise_of_the_quadrature_is_no_flat_maximum(problem, monkeypatch):
    exact = em_newton.evaluate
    rng = np.random.default_rng(0)

    def noisy(*arguments):
        point = exact(*arguments)
        return replace(point, objective=point.objective + 1e-5 * rng.normal())

    monkeypatch.setattr(em_newton, "evaluate", noisy)
    found = search(*problem, tolerance=1e-12)
    assert found.status is FitStatus.CONVERGED
    assert found.iterations < 30


def test_a_search_does_not_end_on_a_saddle():
    """Two items of slope zero: both may be above or below, and both are higher."""
    answers = ic.Responses.from_array([[0, 0], [1, 0], [0, 1], [1, 1], [0, 1]])
    fit = ic.fit(answers, "2pl", prior=None, on_failure="ignore")
    assert fit.status.is_converged
    assert fit.items["discrimination"].abs().min() > 0.5
    assert fit.log_likelihood == pytest.approx(-6.660895, abs=1e-6)


def test_where_the_objective_does_not_follow_its_gradient_a_search_has_stalled():
    """All responses at one end: half of a normal, whose edge the points around its peak miss."""
    nothing = ic.Responses.from_array(np.zeros((5, 20)))
    settings = Marginal(over="respondents")
    fit = ic.fit(nothing, "logit-normal", method=settings, on_failure="ignore")
    assert fit.status is FitStatus.STALLED


def test_heavy_weights_of_few_responses_do_not_make_a_search_endless():
    """Their objective is so large that its rounding looks like a gain."""
    answers = np.random.default_rng(4).integers(0, 2, (12, 6)).astype(float)
    heavy = ic.Responses.from_array(answers, weights=np.full(answers.shape, 1e6))
    steps = []
    fit = ic.fit(
        heavy,
        "4pl",
        method=Marginal(over="respondents"),
        prior=None,
        on_failure="ignore",
        progress=lambda iteration, height: steps.append(height),
    )
    assert fit.status in FitStatus
    # One search has 500; those from simpler models' solutions share what it leaves.
    assert len(steps) < 1000
