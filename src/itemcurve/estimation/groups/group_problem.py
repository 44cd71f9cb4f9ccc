"""The marginal likelihood of several populations, and where it is highest."""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.groups.ability_terms import AbilityTerms
from itemcurve.estimation.groups.split_items import SplitItems
from itemcurve.estimation.groups.tied_newton import maximise_tied
from itemcurve.estimation.groups.ties import Ties
from itemcurve.estimation.marginal.em_newton import Point, evaluate
from itemcurve.estimation.marginal.over_respondents.ability_grid import GridPlan
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.marginal.units import UnitsInMemory
from itemcurve.estimation.optimisation.iterate import Optimum
from itemcurve.estimation.status import FitStatus
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import values_at
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.mixed_likelihood import likelihood_of
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import ItemCoordinates, State
from itemcurve.responses.matrix import Responses

_FEWEST_NODES, _MOST_NODES = 96, 1024
_NODES_PER_SD = 4.0
# In standard deviations of a group: what lies beyond adds less than 1e-9 to a probability.
_REACH, _SPARE = 6.0, 6.6
_MOST_GRIDS = 5
# Many where posteriors are wide: the covariance of scores is then right to all digits that count.
# On the way there, fewer tell the direction.
_POLYNOMIALS, _FEW_POLYNOMIALS = 20, 7


@dataclass(frozen=True, eq=False)
class GroupSolution:
    """Where the likelihood is highest.

    Attributes
    ----------
    problem : of the copies of items, on the last grid.
    split : the copies.
    ties : which of their numbers are one and the same.
    terms : the population.
    responses : to the copies.
    """

    problem: RespondentProblem
    optimum: Optimum[Point]
    split: SplitItems
    ties: Ties
    terms: AbilityTerms
    responses: Responses

    @property
    def point(self) -> Point:
        """Where the search ended."""
        return self.optimum.point

    @property
    def n_parameters(self) -> int:
        """How many parameters were estimated."""
        marginal = self.problem.marginal
        is_free = np.concatenate([marginal.free_cells.ravel(), np.zeros(len(self.point.state))])
        owners = np.unique(self.ties.owner[is_free.astype(bool)])
        return len(owners) + self.terms.n_counted


def solve(
    responses: Responses,
    model: ItemModel,
    split: SplitItems,
    terms: AbilityTerms,
    start: tuple[ItemCoordinates, State],
    tolerance: float,
    max_iterations: int,
) -> GroupSolution:
    """Climb from a start.

    Parameters
    ----------
    responses, model : of the copies.
    start : coordinates of the copies, and the population's state.
    """
    x, state = start
    ties = split.ties(model, terms.population.size)
    problem = problem_of(responses, model, terms, x, state)
    problem = replace(problem, marginal=replace(problem.marginal, polynomials=_FEW_POLYNOMIALS))
    likelihood, done = problem.likelihood, 0
    for left in reversed(range(_MOST_GRIDS)):
        at = evaluate(problem.marginal, x, state)
        optimum = maximise_tied(problem.marginal, at, ties, tolerance, max_iterations - done)
        done += optimum.iterations
        x, state = optimum.point.x, optimum.point.state
        is_enough = _suffices(problem, likelihood, terms, optimum.point)
        if is_enough or not left:
            break
        extent = optimum.point.expectation.extent
        problem = _on_grid(problem, likelihood, terms, x, state, extent)
    # Abilities that run away from every grid have not arrived anywhere.
    is_there = is_enough or not optimum.status.is_converged
    status = optimum.status if is_there else FitStatus.MAX_ITERATIONS
    optimum = Optimum(optimum.point, status, done)
    problem = replace(problem, marginal=replace(problem.marginal, polynomials=_POLYNOMIALS))
    return GroupSolution(problem, optimum, split, ties, terms, responses)


def problem_of(
    responses: Responses, model: ItemModel, terms: AbilityTerms, x: ItemCoordinates, state: State
) -> RespondentProblem:
    """The problem of copies of items, on a grid for where `x` and `state` stand."""
    likelihood = likelihood_of(model)
    held = np.stack([spec.held(len(x)) for spec in model.parameters], axis=1)
    values = values_at(NUMPY, model, x, held)
    problem = RespondentProblem.build(likelihood, responses, values, NUMPY)
    units = _grouped(problem.marginal.units, terms.codes)
    marginal = replace(problem.marginal, units=units, population=terms.population, common=())
    problem = replace(problem, marginal=replace(marginal, polynomials=_POLYNOMIALS))
    return _on_grid(problem, likelihood, terms, x, state, 0.0)


def _grouped(units: object, codes: Array) -> UnitsInMemory:
    if not isinstance(units, UnitsInMemory):
        raise ModelError(
            "Groups, covariates and anchors need responses in memory.",
            "These are read in blocks.",
            "Load them with Responses.read, or fit a sample of the respondents.",
        )
    own = codes if units.order is None else codes[units.order]
    sizes = [next(part.shape[0] for part in block if part is not None) for block in units.blocks]
    places = np.cumsum([0, *sizes])
    return replace(units, groups=tuple(own[low:high] for low, high in pairwise(places)))


def _reach(terms: AbilityTerms, state: State, extent: float, factor: float) -> float:
    means, sds = terms.population.moments(state)
    return max(float((np.abs(means) + factor * sds).max()), 1.25 * extent, factor)


def _size(
    problem: RespondentProblem,
    likelihood: Likelihood,
    terms: AbilityTerms,
    x: ItemCoordinates,
    state: State,
    half_width: float,
) -> int:
    """Nodes that resolve the narrowest posterior of anybody."""
    values = values_at(NUMPY, likelihood.model, x, problem.marginal.held)
    abilities = np.linspace(-half_width, half_width, 33)
    information = likelihood.ability_information(NUMPY, abilities, values).sum(axis=0).max()
    most = problem.weights[1] * float(information)
    sd = float(terms.population.moments(state)[1].min())
    narrowest = 1.0 / np.sqrt(most + sd**-2)
    return int(np.clip(ceil(_NODES_PER_SD * half_width / narrowest), _FEWEST_NODES, _MOST_NODES))


def _on_grid(
    problem: RespondentProblem,
    likelihood: Likelihood,
    terms: AbilityTerms,
    x: ItemCoordinates,
    state: State,
    extent: float,
) -> RespondentProblem:
    half_width = _reach(terms, state, extent, _SPARE)
    size = _size(problem, likelihood, terms, x, state, half_width)
    plan = GridPlan(half_width, size, 0, _POLYNOMIALS)
    marginal = replace(problem.marginal, grid=plan.grid())
    return replace(problem, marginal=marginal, plan=plan, bands=())


def _suffices(
    problem: RespondentProblem, likelihood: Likelihood, terms: AbilityTerms, point: Point
) -> bool:
    plan = problem.plan
    if _reach(terms, point.state, 0.0, _REACH) > plan.half_width:
        return False
    if point.expectation.extent > 0.9 * plan.half_width:
        return False
    needed = _size(problem, likelihood, terms, point.x, point.state, plan.half_width)
    return plan.size >= 0.9 * needed
