"""The problem with respondents integrated out, set up where a fit is reported."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from itemcurve.estimation.identification.calibrated_population import ability_population
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.result import FitResult
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.mixed_likelihood import likelihood_of
from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.shapes import ItemCoordinates, State

# As many as make the covariance of scores right to all digits that count.
_POLYNOMIALS = 20


class ReportedProblem(NamedTuple):
    """A problem, and the place in it that a fit reports."""

    marginal: MarginalProblem
    x: ItemCoordinates
    state: State


def reported_problem(fit: FitResult) -> ReportedProblem:
    """Set the problem up at the reported items, with abilities in the population they are of."""
    estimates, model = fit.estimates, fit.estimates.model
    problem = RespondentProblem.build(likelihood_of(model), fit.responses, estimates.values, NUMPY)
    marginal = replace(problem.marginal, polynomials=_POLYNOMIALS)
    state, (ability,) = marginal.population.start(), marginal.population.coordinates
    mean, sd = ability_population(estimates)
    if ability.is_mean_free:
        state[0] = mean
    if ability.is_sd_free:
        state[-1] = np.log(sd)
    return ReportedProblem(marginal, coordinates_of(model, estimates.values), state)
