"""Marginal estimation with the respondents integrated out."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.identification.integrated_side import needs_own_nodes, refuse_dimensions
from itemcurve.estimation.identification.latent_population import has_priors
from itemcurve.estimation.identification.reported_errors import (
    covariance_blocks,
    free_covariance,
)
from itemcurve.estimation.identification.starting_values import reflection, start_values
from itemcurve.estimation.marginal.e_step import posterior_moments
from itemcurve.estimation.marginal.em_newton import (
    Point,
    marginal_gradient,
)
from itemcurve.estimation.marginal.gradient_covariance import latent_covariances
from itemcurve.estimation.marginal.observed_information import block_covariance, full_information
from itemcurve.estimation.marginal.over_respondents.ability_scale import AbilityScale
from itemcurve.estimation.marginal.over_respondents.population_search import Solution, search
from itemcurve.estimation.marginal.over_respondents.reported_items import (
    report_items,
    reported_point,
)
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.optimisation.damped_newton import held_at_bounds
from itemcurve.estimation.optimisation.iterate import Watch
from itemcurve.models.capabilities import extended, simpler_model
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.mixed_likelihood import likelihood_of
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import (
    EstimatedMatrix,
    ItemValues,
    PerItem,
    PerRespondent,
    axes,
)
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    from itemcurve.estimation.marginal.settings import Marginal

# Beyond these, the full information costs more than the fit itself.
_FULL_PARAMETERS = 2000
_FULL_FLOPS = 4e9
_STEP = 1e-5
# Iterations that a search from a simpler model's solution has in any case.
_LEAST_LEFT = 50


def fit_over_respondents(
    settings: "Marginal",
    responses: Responses,
    model: ItemModel,
    engine: Engine,
    watch: Watch,
) -> Estimates:
    """Fit items, then read abilities off the respondents' posteriors."""
    refuse_dimensions(model, "Marginal estimation")
    _refuse_unsound_errors(settings, model)
    engine = engine.shared(responses.shape[0] * responses.shape[1])
    if engine.compiles and engine.mesh is None:
        # Once, so that starting values are found there too.
        responses = responses.placed(engine.place_matrix)
    solution = _solve(settings, responses, model, engine, watch)
    problem = solution.problem
    base = sum(problem.likelihood.log_base(block) for block in responses.blocks())
    scale = AbilityScale(problem)
    covariance, together, kind, at_bound = _covariance(settings, solution)
    found = reported_point(solution, scale, covariance)
    point = found.point
    abilities, ability_errors = _abilities(problem, point, scale, together)
    sign = reflection(abilities, responses, model)

    items = report_items(solution, found, scale, sign, covariance)
    return Estimates(
        model=model,
        values=items.values,
        covariance=items.covariance,
        item_columns=items.columns,
        item_errors=items.errors,
        ability_points=(sign * abilities)[:, None],
        ability_point_errors=ability_errors[:, None],
        log_likelihood=point.expectation.log_likelihood + base,
        objective=_objective_name(model, solution),
        objective_value=point.objective + base,
        n_parameters=problem.marginal.n_free + model.latent.is_mean_free + model.latent.is_sd_free,
        status=solution.optimum.status,
        iterations=solution.optimum.iterations,
        over="respondents",
        standard_errors=kind,
        population={
            "ability_mean": scale.centre(point.state),
            "ability_sd": scale.spread(point.state),
            **items.population,
        },
        at_bound=at_bound,
        item_extras=items.extras,
    )


def _refuse_unsound_errors(settings: "Marginal", model: ItemModel) -> None:
    if settings.ability_errors == "total" and needs_own_nodes(likelihood_of(model)):
        # What is known of the scale of all abilities together differs from engine to engine.
        raise ModelError(
            "Total errors of abilities need items that the grid of abilities resolves.",
            f"Items of {model.name} can be sharper, because its errors have no upper end.",
            "Use ability_errors='given items', or over='items' for few respondents.",
        )


def _solve(
    settings: "Marginal",
    responses: Responses,
    model: ItemModel,
    engine: Engine,
    watch: Watch,
) -> Solution:
    """Search from data-driven values; without priors, also from the simpler model's solution.

    Without priors the surface of the larger model is flat in places. Starting it from the
    smaller one's maximum as well keeps nested models nested.
    """
    likelihood = likelihood_of(model)
    start = start_values(model, responses)
    best = _search(settings, responses, likelihood, start, engine, watch)
    simpler = simpler_model(model)
    if simpler is None or has_priors(model):
        return best
    # What would take the iterations of several searches has none to spare.
    spent = best.optimum.iterations
    settings = replace(settings, max_iterations=_left(settings.max_iterations, spent))
    nested = _solve(settings, responses, simpler, engine, watch)
    inner = nested.problem.values(nested.optimum.point.x)
    for near in (0.03, 1e-9):
        if near < 1e-6 and best.optimum.point.objective >= nested.optimum.point.objective:
            break
        values = extended(model, inner, near)
        other = _search(settings, responses, likelihood, values, engine, watch)
        spent = other.optimum.iterations
        settings = replace(settings, max_iterations=_left(settings.max_iterations, spent))
        if other.optimum.point.objective > best.optimum.point.objective:
            best = other
    return best


def _left(iterations: int, spent: int) -> int:
    """What a search leaves to those that follow: enough for one that begins close by."""
    return max(iterations - spent, min(iterations, _LEAST_LEFT))


def _search(
    settings: "Marginal",
    responses: Responses,
    likelihood: Likelihood,
    values: ItemValues,
    engine: Engine,
    watch: Watch,
) -> Solution:
    problem = RespondentProblem.build(likelihood, responses, values, engine)
    return search(
        problem,
        coordinates_of(likelihood.model, values),
        problem.marginal.population.start(),
        tolerance=settings.tolerance,
        max_iterations=settings.max_iterations,
        watch=watch,
        with_population=settings.item_priors == "estimated",
    )


def _abilities(
    problem: RespondentProblem,
    point: Point,
    scale: AbilityScale,
    together: EstimatedMatrix | None,
) -> tuple[PerRespondent, PerRespondent]:
    """Posterior means with their errors, those of items and population too where they are known."""
    raw, sds = posterior_moments(problem.marginal, point.x, point.state).T
    abilities = scale.abilities(raw, point.state)
    errors = sds / scale.unit(point.state)
    if together is None:
        return abilities, errors
    added = _calibration_variance(problem, point, scale, raw, sds, together)
    most = np.maximum(errors, scale.spread(point.state) / scale.unit(point.state))
    # Less than nothing is known of nobody: the population's spread is the most.
    return abilities, np.minimum(np.sqrt(errors**2 + added), most)


def _calibration_variance(
    problem: RespondentProblem,
    point: Point,
    scale: AbilityScale,
    raw: PerRespondent,
    sds: PerRespondent,
    covariance: EstimatedMatrix,
) -> PerRespondent:
    """Variance that the uncertainty of items and population adds to each reported ability.

    Law of total variance: the posterior mean m moves with a parameter ω by the posterior covariance
    of ability and the score of ω, ∂m/∂ω = Cov(θ, ∂log f/∂ω | y). Where origin and unit are a matter
    of convention, what moves all abilities together is no error.
    """
    x, state = point.x, point.state
    covariances = latent_covariances(problem.marginal, x, state)
    slopes = sds[:, None] * covariances / scale.unit(state)
    for index in range(len(state)):
        step = np.zeros(len(state))
        step[index] = _STEP
        ends = (scale.abilities(raw, state + sign * step) for sign in (1.0, -1.0))
        slopes[:, x.size + index] += np.subtract(*ends) / (2 * _STEP)
    latent, heights = problem.likelihood.model.latent, raw - raw.mean()
    if latent.shifts:
        slopes -= slopes.mean(axis=0)
    if latent.stretches:
        slopes -= np.outer(heights, heights @ slopes) / max(float(heights @ heights), 1e-12)
    return np.maximum(np.vecdot(slopes @ np.nan_to_num(covariance), slopes), 0.0)


def _covariance(
    settings: "Marginal", solution: Solution
) -> tuple[Annotated[Array, axes("items own own")], EstimatedMatrix | None, str, PerItem]:
    """Covariance of each item's coordinates and the state; of all together, if wanted.

    Then where they are from, and which items are at a bound.
    """
    marginal, point = solution.problem.marginal, solution.optimum.point
    entities, width = point.x.shape
    size = point.x.size + marginal.population.size
    units = float(point.expectation.mass.sum())
    is_affordable = (
        size <= _FULL_PARAMETERS and units * size**2 * marginal.polynomials <= _FULL_FLOPS
    )
    wanted, is_total = settings.standard_errors, settings.ability_errors == "total"
    if wanted == "full" or is_total or (wanted == "auto" and is_affordable):
        copies = marginal.copies
        information = full_information(marginal, point.x, point.state, point.expectation)
        held = held_at_bounds(marginal, point.x, point.state, marginal_gradient(marginal, point))
        own = free_covariance(copies.added_matrix(information), copies.chosen(held))
        together = marginal.without_held_cells(copies.copied_matrix(own))
        return (
            covariance_blocks(together, entities, width),
            together if is_total else None,
            "full observed information",
            np.any(held[: point.x.size].reshape(entities, width) & marginal.free_cells, axis=1),
        )
    own = block_covariance(marginal, point.x, point.state, point.expectation)
    rest = marginal.population.size
    blocks = marginal.engine.xp.pad(own, ((0, 0), (0, rest), (0, rest)))
    return blocks, None, "observed information, item by item", np.zeros(entities, dtype=bool)


def _objective_name(model: ItemModel, solution: Solution) -> str:
    name = "marginal log-likelihood over respondents"
    if solution.items is not None:
        return f"{name} + log density of the items in their estimated population"
    why = " (they tell no population)" if solution.is_unsettled else ""
    return f"{name} + log prior of the items{why}" if has_priors(model) else name
