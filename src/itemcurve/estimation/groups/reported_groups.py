"""From where the likelihood is highest to what people read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.groups.covariate_table import Covariates
from itemcurve.estimation.groups.group_problem import GroupSolution
from itemcurve.estimation.groups.population_fit import GroupMoments, Slopes
from itemcurve.estimation.groups.tied_newton import tied_information
from itemcurve.estimation.identification.latent_population import has_priors
from itemcurve.estimation.identification.reported_errors import covariance_blocks, free_covariance
from itemcurve.estimation.identification.shaped_population import KnownDensity
from itemcurve.estimation.identification.starting_values import reflection
from itemcurve.estimation.marginal.e_step import posterior_moments
from itemcurve.estimation.marginal.em_newton import marginal_gradient
from itemcurve.estimation.marginal.over_respondents.ability_scale import AbilityScale
from itemcurve.estimation.marginal.over_respondents.population_search import Solution
from itemcurve.estimation.marginal.over_respondents.reported_items import (
    report_items,
    reported_point,
)
from itemcurve.estimation.optimisation.damped_newton import held_at_bounds
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import EstimatedMatrix

_STEP = 1e-5


@dataclass(frozen=True, eq=False)
class ReportedGroups:
    """Estimates of items and respondents, and what is known of the populations.

    Attributes
    ----------
    location, unit : abilities θ of the search are reported as (θ − location) / unit.
    """

    estimates: Estimates
    moments: GroupMoments
    slopes: Slopes
    location: float
    unit: float


def solution_covariance(solution: GroupSolution) -> tuple[EstimatedMatrix, Array]:
    """Covariance of all coordinates, copies included, and which are held at a bound."""
    marginal, point, ties = solution.problem.marginal, solution.point, solution.ties
    matrix = tied_information(marginal, point, ties)
    uphill = marginal_gradient(marginal, point)
    held = held_at_bounds(marginal, point.x, point.state, uphill)
    once = free_covariance(matrix, ties.chosen(held))
    return marginal.without_held_cells(ties.copied_matrix(once)), held


def report_groups(solution: GroupSolution, covariates: Covariates) -> ReportedGroups:
    """Report a fit on the scale of the reference group."""
    problem, point = solution.problem, solution.point
    model, marginal = problem.likelihood.model, problem.marginal
    together, held = solution_covariance(solution)
    entities, width = point.x.shape
    blocks = covariance_blocks(together, entities, width)
    scale = AbilityScale(problem)
    whole = Solution(problem, solution.optimum)
    found = reported_point(whole, scale, blocks)
    raw, sds = posterior_moments(marginal, found.point.x, point.state).T
    abilities = scale.abilities(raw, point.state)
    sign = reflection(abilities, solution.responses, model)
    items = report_items(whole, found, scale, sign, blocks)
    base = sum(problem.likelihood.log_base(block) for block in solution.responses.blocks())
    name = "marginal log-likelihood over respondents"
    at_bound = held[: point.x.size].reshape(entities, width) & marginal.free_cells
    estimates = Estimates(
        model=model,
        values=items.values,
        covariance=items.covariance,
        item_columns=items.columns,
        item_errors=items.errors,
        ability_points=(sign * abilities)[:, None],
        ability_point_errors=(sds / scale.unit(point.state))[:, None],
        log_likelihood=float(point.expectation.log_likelihood + base),
        objective=f"{name} + log prior of the items" if has_priors(model) else name,
        objective_value=float(point.objective + base),
        n_parameters=solution.n_parameters,
        status=solution.optimum.status,
        iterations=solution.optimum.iterations,
        over="respondents",
        standard_errors=_words(solution),
        population={
            "ability_mean": scale.centre(point.state),
            "ability_sd": scale.spread(point.state),
        },
        at_bound=np.any(at_bound, axis=1),
        item_extras=items.extras,
    )
    size = point.x.size
    of_state = np.nan_to_num(together[size:, size:])
    moments = _moments(solution, scale, sign, of_state)
    slopes = _slopes(solution, scale, sign, of_state, covariates)
    location, unit = scale.location(point.state), sign * scale.unit(point.state)
    return ReportedGroups(estimates, moments, slopes, location, unit)


def _words(solution: GroupSolution) -> str:
    is_known = isinstance(solution.terms.population, KnownDensity)
    return "full observed information" + ", abilities' histogram taken as known" * is_known


def _moments(
    solution: GroupSolution, scale: AbilityScale, sign: float, covariance: Array
) -> GroupMoments:
    state, moments = solution.point.state, solution.terms.group_moments

    def means(at: Array) -> Array:
        return np.asarray(sign * (moments(at)[0] - scale.location(at)) / scale.unit(at))

    def sds(at: Array) -> Array:
        return np.asarray(moments(at)[1] / scale.unit(at))

    return GroupMoments(
        means(state),
        _errors(means, state, covariance),
        sds(state),
        _errors(sds, state, covariance),
    )


def _slopes(
    solution: GroupSolution,
    scale: AbilityScale,
    sign: float,
    covariance: Array,
    covariates: Covariates,
) -> Slopes:
    places = solution.terms.slopes

    def slopes(at: Array) -> Array:
        return np.asarray(sign * at[places] / covariates.units / scale.unit(at))

    state = solution.point.state
    return Slopes(slopes(state), _errors(slopes, state, covariance))


def _errors(function: Callable[[Any], Array], state: Array, covariance: Array) -> Array:
    """Standard errors of a function of the state, by the delta method."""
    value = function(state)
    jacobian = np.zeros((len(value), len(state)))
    for index, step in enumerate(_STEP * np.eye(len(state))):
        jacobian[:, index] = (function(state + step) - function(state - step)) / (2 * _STEP)
    return np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", jacobian, covariance, jacobian), 0.0))
