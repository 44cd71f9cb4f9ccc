"""Marginal estimation with the items integrated out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.identification.flat_direction import flat_direction
from itemcurve.estimation.identification.integrated_side import (
    check_items,
    needs_own_nodes,
    refuse_weights_apart,
)
from itemcurve.estimation.identification.latent_population import item_population
from itemcurve.estimation.identification.population import Population
from itemcurve.estimation.identification.reported_errors import inverse_information
from itemcurve.estimation.identification.starting_values import (
    can_turn,
    runs_against,
    typical_abilities,
)
from itemcurve.estimation.marginal.em_newton import Point
from itemcurve.estimation.marginal.grid_refinement import maximise_refined
from itemcurve.estimation.marginal.observed_information import full_information
from itemcurve.estimation.marginal.over_items.item_posteriors import ItemPosteriors
from itemcurve.estimation.marginal.over_items.item_problem import (
    ItemProblem,
)
from itemcurve.estimation.marginal.over_items.per_item_newton import is_definite, maximise_per_item
from itemcurve.estimation.marginal.over_items.per_item_posteriors import PerItemPosteriors
from itemcurve.estimation.marginal.over_items.per_item_quadrature import (
    PerItemPoint,
    PerItemProblem,
)
from itemcurve.estimation.marginal.over_items.posterior_mean import (
    MOST_PARAMETERS,
    mean_along_leading,
    mean_of_scale,
    posterior_mean,
)
from itemcurve.estimation.marginal.over_items.shared_grid_posteriors import GridPosteriors
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.optimisation.iterate import Optimum, Watch
from itemcurve.estimation.status import FitStatus
from itemcurve.models.contract import ItemModel
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import EntityCoordinates, EstimatedMatrix, PerRespondent, State, axes
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    from itemcurve.estimation.marginal.settings import Marginal

_MOST_REFINEMENTS = 3


@dataclass(frozen=True)
class Solution:
    """Abilities and population where they are reported, and what follows from them.

    Attributes
    ----------
    x : abilities (respondents).
    covariance : of the abilities.
    log_likelihood, objective : at the mode.
    posteriors : of the items, where abilities are reported as (θ − location)/unit.
    information : observed, of abilities and state, where the search ended.
    """

    x: PerRespondent
    state: State
    covariance: Annotated[Array, axes("respondents respondents")]
    population: Population
    log_likelihood: float
    objective: float
    status: FitStatus
    iterations: int
    posteriors: Callable[[float, float], ItemPosteriors]
    information: EstimatedMatrix


def fit_over_items(
    settings: "Marginal",
    responses: Responses,
    model: ItemModel,
    engine: Engine,
    watch: Watch,
) -> Estimates:
    """Fit abilities, then read item parameters off the items' posteriors."""
    likelihood = Likelihood(model.population_form())
    check_items(likelihood)
    if needs_own_nodes(likelihood):
        solution = _solve_on_own_nodes(settings, responses, likelihood, watch)
    else:
        solution = _solve_on_grid(settings, responses, likelihood, engine, watch)
    base = likelihood.log_base(responses)
    form, x = likelihood.model, solution.x
    location, unit = _scale(form, x)
    posteriors = solution.posteriors(location, unit)
    # Curves need one value per parameter that belong together: the posterior means of the
    # parameters themselves, not of functions of them.
    values = posteriors.means()
    at_nodes = posteriors.reported()
    means = {name: posteriors.average(column) for name, column in at_nodes.items()}
    columns = {**form.report(values), **{n: means[n] for n in _own(form) if n in means}}
    errors = {
        name: posteriors.error(name, column, means[name]) for name, column in at_nodes.items()
    }
    return Estimates(
        model=form,
        values=values,
        covariance=posteriors.covariances(),
        item_columns=columns,
        item_errors=errors,
        ability_points=((x - location) / unit)[:, None],
        ability_point_errors=_standardised_errors(x, solution.covariance, form, unit)[:, None],
        log_likelihood=solution.log_likelihood + base,
        objective="marginal log-likelihood over items + log prior of abilities and population",
        objective_value=solution.objective + base,
        n_parameters=x.size + solution.state.size,
        status=solution.status,
        iterations=solution.iterations,
        over="items",
        standard_errors=f"{posteriors.basis}; {_ability_basis(likelihood)}",
        population=_population(likelihood, solution, location, unit),
        at_bound=np.zeros(len(values), dtype=bool),
        item_extras=posteriors.extras(),
        diagnostics=_undetermined(likelihood, responses, solution),
    )


def _ability_basis(likelihood: Likelihood) -> str:
    """Where the errors of abilities are from, and what they leave out."""
    basis = "abilities from the full observed information"
    if not needs_own_nodes(likelihood):
        return basis
    # Simulated, 90 % intervals held .4 to 1 of all abilities, from one data set to the next.
    return f"{basis}, which may understate the unit they share: they can all err together"


def _solve_on_grid(
    settings: "Marginal",
    responses: Responses,
    likelihood: Likelihood,
    engine: Engine,
    watch: Watch,
) -> Solution:
    problem, optimum = solve_over_items(settings, responses, likelihood, engine, watch)
    if can_turn(likelihood.model) and runs_against(
        optimum.point.x[:, 0], responses, likelihood.model
    ):
        start = _turned(problem, optimum)
        other, turned = solve_over_items(settings, responses, likelihood, engine, watch, start)
        # The mirror image fits as well and lies nearer to the priors; it is still to be finished.
        if turned.point.objective >= optimum.point.objective:
            problem, optimum = other, turned
    information = parameter_information(problem.marginal, optimum.point)
    point, covariance = _centre(
        problem.marginal, optimum, information, likelihood.model.latent.is_absolute
    )
    return Solution(
        point.x[:, 0],
        point.state,
        covariance,
        problem.marginal.population,
        optimum.point.expectation.log_likelihood,
        optimum.point.objective,
        optimum.status,
        optimum.iterations,
        partial(GridPosteriors.at, problem, point.x, point.state),
        information,
    )


def _solve_on_own_nodes(
    settings: "Marginal", responses: Responses, likelihood: Likelihood, watch: Watch
) -> Solution:
    refuse_weights_apart(responses)
    population = Population(item_population(likelihood.model))
    problem = PerItemProblem.build(likelihood, responses, population)
    search_from = partial(
        maximise_per_item,
        problem,
        tolerance=settings.tolerance,
        max_iterations=settings.max_iterations,
        watch=watch,
    )
    typical = typical_abilities(likelihood.model, responses)
    optimum = search_from(typical, population.start())
    x, state = problem.split(optimum.point.parameters)
    if _are_opposed(x, typical):
        # No symmetry, but near to one: errors of real systems often fit a little better when large
        # ones stand for high ability. That is not what anyone calls ability.
        turned = search_from(-x, population.mirrored(state), is_near=True)
        if not _are_opposed(problem.split(turned.point.parameters)[0], typical):
            optimum = turned
    point, covariance = _mean_on_own_nodes(problem, optimum)
    x, state = problem.split(point.parameters)
    return Solution(
        x,
        state,
        covariance[: len(x), : len(x)],
        problem.population,
        optimum.point.log_likelihood,
        optimum.point.objective,
        optimum.status,
        optimum.iterations,
        partial(PerItemPosteriors.at, problem, point, covariance),
        optimum.point.information,
    )


def _mean_on_own_nodes(
    problem: PerItemProblem, optimum: Optimum[PerItemPoint]
) -> tuple[PerItemPoint, EstimatedMatrix]:
    """Where abilities and population are reported, and their covariance there."""
    point = optimum.point
    covariance = inverse_information(point.information)
    if optimum.status is not FitStatus.CONVERGED:
        return point, covariance
    mean = mean_along_leading(
        lambda at: problem.evaluate_carefully(at, point.ridge).information,
        point.parameters,
        covariance,
    )
    found = problem.evaluate_carefully(mean, point.ridge)
    if is_definite(found.information):
        covariance = inverse_information(found.information)
    return found, covariance


def solve_over_items(
    settings: "Marginal",
    responses: Responses,
    likelihood: Likelihood,
    engine: Engine,
    watch: Watch,
    start: tuple[EntityCoordinates, State] | None = None,
) -> tuple[ItemProblem, Optimum[Point]]:
    """Find the mode of abilities and population, on a grid that fits the items found."""
    problem = ItemProblem.build(likelihood, responses, engine)
    x, state = start or (problem.start(responses), problem.marginal.population.start())
    return maximise_refined(
        problem,
        x,
        state,
        refine=_refined,
        most_refinements=_MOST_REFINEMENTS,
        tolerance=settings.tolerance,
        max_iterations=settings.max_iterations,
        watch=watch,
    )


def _refined(problem: ItemProblem, point: Point) -> ItemProblem | None:
    found = GridPosteriors.at(problem, point.x, point.state).coordinate_moments()
    return problem.refined(point.state, *found)


def _are_opposed(x: PerRespondent, typical: PerRespondent) -> bool:
    return bool((x - x.mean()) @ (typical - typical.mean()) < 0)


def _centre(
    marginal: MarginalProblem,
    optimum: Optimum[Point],
    information: EstimatedMatrix,
    is_absolute: bool,
) -> tuple[Point, Annotated[Array, axes("respondents respondents")]]:
    """Where abilities and population are reported, and the covariance of the abilities there.

    At their posterior mean; with many respondents at the mode, which is cheaper, but for the unit
    of an absolute scale: the mode of many abilities together makes that too small. A population at
    the edge of what it may be, as two or three respondents bring it there, has no curvature to
    expand: abilities are then reported at the mode, given the population.
    """
    point, size = optimum.point, len(optimum.point.x)
    abilities = information[:size, :size]
    if not is_definite(information) and is_definite(abilities):
        return point, inverse_information(abilities)
    covariance = inverse_information(information)
    if optimum.status is FitStatus.CONVERGED:
        moved = point
        if len(covariance) <= MOST_PARAMETERS:
            moved = posterior_mean(marginal, point, covariance)
        elif is_absolute:
            moved = mean_of_scale(marginal, point, covariance)
        if moved is not point:
            there = parameter_information(marginal, moved)
            if is_definite(there):
                point, covariance = moved, inverse_information(there)
    return point, covariance[:size, :size]


def parameter_information(marginal: MarginalProblem, point: Point) -> EstimatedMatrix:
    """Minus the curvature of the objective by all abilities, then by the population's state."""
    return full_information(marginal, point.x, point.state, point.expectation)


def _undetermined(
    likelihood: Likelihood, responses: Responses, solution: Solution
) -> dict[str, float]:
    """What a flat maximum leaves open, by name; nothing of any other."""
    if solution.status is not FitStatus.FLAT:
        return {}
    items = [likelihood.model.parameters[i].name for i in likelihood.free]
    abilities = [f"ability of {name}" for name in responses.respondents]
    names = abilities + solution.population.state_names(items)
    return flat_direction(solution.information, names)


def _turned(problem: ItemProblem, optimum: Optimum[Point]) -> tuple[EntityCoordinates, State]:
    """The mirror image of a solution: (−θ, −a, −b) has the same likelihood as (θ, a, b)."""
    return -optimum.point.x, problem.marginal.population.mirrored(optimum.point.state)


def _scale(model: ItemModel, abilities: PerRespondent) -> tuple[float, float]:
    """Location and unit that give these abilities mean 0 and standard deviation 1."""
    location = float(abilities.mean()) if model.latent.shifts else 0.0
    unit = float(abilities.std()) if model.latent.stretches else 1.0
    return location, max(unit, 1e-6)


def _standardised_errors(
    abilities: PerRespondent,
    covariance: Annotated[Array, axes("respondents respondents")],
    model: ItemModel,
    unit: float,
) -> PerRespondent:
    """Errors of (θ − mean)/sd, in which what all abilities share in error drops out.

    Mean and sd are the sample's own, which takes two of n directions away; the factor n/(n − 2)
    gives their uncertainty back on average. With fewer than five respondents it is not taken away.
    """
    n = len(abilities)
    z = (abilities - abilities.mean()) / unit
    jacobian = np.eye(n)
    if n >= 5:
        jacobian -= model.latent.shifts / n + model.latent.stretches * np.outer(z, z) / n
        lost = model.latent.shifts + model.latent.stretches
        jacobian *= np.sqrt(n / (n - lost))
    variance = np.einsum("ij,jk,ik->i", jacobian, covariance, jacobian)
    return np.sqrt(np.maximum(variance, 0.0)) / unit


def _own(model: ItemModel) -> list[str]:
    return [spec.name for spec in model.parameters]


def _population(
    likelihood: Likelihood, solution: Solution, location: float, unit: float
) -> dict[str, float]:
    priors = solution.population.at(solution.state)
    names = [likelihood.model.parameters[i].name for i in likelihood.free]
    found = {"ability_location": location, "ability_unit": unit}
    for name, prior in zip(names, priors, strict=True):
        if isinstance(prior, Normal):
            found[f"{name}_mean"], found[f"{name}_sd"] = prior.mean, prior.sd
    return found
