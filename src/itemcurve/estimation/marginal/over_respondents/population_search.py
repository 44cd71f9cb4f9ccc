"""Items and the population they come from, in turn, until neither moves the other."""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.marginal.em_newton import Learnt, Point
from itemcurve.estimation.marginal.grid_refinement import maximise_refined
from itemcurve.estimation.marginal.over_respondents.item_population import (
    ItemLikelihoods,
    ItemPopulation,
)
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.optimisation.iterate import Optimum, Watch
from itemcurve.estimation.status import FitStatus
from itemcurve.models.priors import Normal
from itemcurve.numerics.shapes import ItemCoordinates, State

_MOST_REFINEMENTS = 4
_MOST_ROUNDS = 30
# A population that moves by less, in its own standard deviations, moves no item by more than that.
_SETTLED = 3e-4
_NEAR = 1e-2
# A round that leaves more than this of the way before it goes in a circle.
_CHASED = 0.5
_SAME_UNIT = 0.02
# Fewer are no sample.
_FEWEST_ITEMS = 8
# From the items, in standard deviations of abilities.
_FARTHEST = 4.0
# While the population still moves, items are followed to a tenth of a standard error.
_FOLLOWED = 1e-2


@dataclass(frozen=True)
class Solution:
    """A problem with its optimum, and the items' population where it was estimated.

    `is_unsettled`: the population was to be estimated, and the responses told none.
    """

    problem: RespondentProblem
    optimum: Optimum[Point]
    items: ItemPopulation | None = None
    is_unsettled: bool = False


def search(
    problem: RespondentProblem,
    x: ItemCoordinates,
    state: State,
    *,
    tolerance: float,
    max_iterations: int,
    watch: Watch,
    with_population: bool,
) -> Solution:
    """Find the maximum, and with it the population of the items unless their priors are known."""
    is_sample = with_population and len(x) >= _FEWEST_ITEMS
    items = ItemPopulation.start(problem.likelihood.model) if is_sample else None
    found = _in_turns(problem, items, x, state, tolerance, max_iterations, watch)
    if items is None or (found.optimum.status.is_converged and not _is_beyond_items(found)):
        return found
    # Responses that tell next to nothing of the items have no population to settle on.
    known = _in_turns(problem, None, x, state, tolerance, max_iterations, watch)
    spent = found.optimum.iterations + known.optimum.iterations
    return replace(known, optimum=replace(known.optimum, iterations=spent), is_unsettled=True)


def _is_beyond_items(found: Solution) -> bool:
    """Whether abilities lie where no item does.

    Responses that tell nothing of ability leave slopes open. They then take up easiness, seen from
    an origin so far away that intercepts hardly differ: a population of items, but none of slopes.
    """
    ability = found.problem.marginal.population.at(found.optimum.point.state)[0]
    assert isinstance(ability, Normal)
    return abs(ability.mean) > _FARTHEST * ability.sd


def _in_turns(
    problem: RespondentProblem,
    items: ItemPopulation | None,
    x: ItemCoordinates,
    state: State,
    tolerance: float,
    max_iterations: int,
    watch: Watch,
) -> Solution:
    """Items, then their population, then items again; items alone where they have none."""
    done, is_near, is_settled, learnt = 0, items is None, items is None, Learnt()
    distance, share, is_first = 0.0 if items is None else np.inf, 1.0, True
    for _ in range(_MOST_ROUNDS):
        problem, optimum = maximise_refined(
            problem,
            x,
            state,
            refine=RespondentProblem.refined,
            most_refinements=_MOST_REFINEMENTS,
            tolerance=tolerance if is_near else max(tolerance, _FOLLOWED),
            max_iterations=max_iterations,
            watch=watch,
            done=done,
            learnt=learnt,
        )
        done = optimum.iterations
        if items is None or done >= max_iterations:
            break
        moved, pull, factor = _drawn(problem, optimum.point, items, share)
        before, distance = distance, _distance(items, moved, problem.marginal.pull, pull)
        # Where items and population chase one another, half the way arrives.
        share = 1.0 if is_first or distance < _CHASED * before else 0.5
        is_same = distance < (_SETTLED if is_near else _NEAR)
        # Settled is what does not move where items have arrived, too.
        is_first = is_same and not is_near
        is_settled, is_near = is_near and is_same, is_near or is_same
        if is_settled:
            break
        x, state = problem.rescaled(optimum.point.x, optimum.point.state, 0.0, 1.0 / factor)
        # The curvature in another unit is another one.
        learnt = learnt if abs(np.log(factor)) < _SAME_UNIT else Learnt(is_near=True)
        priors = moved.priors(problem.marginal.priors)
        problem, items = problem.with_items(priors, pull).in_unit(factor, state), moved
    if not (is_settled or (is_near and distance < _NEAR)) and optimum.status.is_converged:
        optimum = replace(optimum, status=FitStatus.MAX_ITERATIONS)
    return Solution(problem, optimum, items)


def _drawn(
    problem: RespondentProblem, point: Point, items: ItemPopulation, share: float
) -> tuple[ItemPopulation, ItemCoordinates | None, float]:
    """The population of the items at a point, the pull on their slopes, and what to divide them by.

    Population and pull are given in the unit that follows.

    Parameters
    ----------
    share : how much of the way from the present population is gone.
    """
    ability = problem.marginal.population.at(point.state)[0]
    assert isinstance(ability, Normal)
    likelihoods = ItemLikelihoods.around(problem.marginal, point, items)
    moved = items.towards(items.updated(likelihoods), share)
    pull = moved.pull(likelihoods, ability.sd)
    moved, factor = moved.in_own_unit()
    return moved, None if pull is None else pull * factor, factor


def _distance(
    items: ItemPopulation,
    moved: ItemPopulation,
    pull: ItemCoordinates | None,
    other: ItemCoordinates | None,
) -> float:
    """How far the population moved, in its own standard deviations."""
    changes = [np.abs((moved.mean - items.mean) / items.sd), np.abs(np.log(moved.sd / items.sd))]
    if other is not None:
        shift = other if pull is None else other - pull
        changes.append(np.sqrt((shift**2).mean(axis=0)) * moved.sd)
    return float(np.max(changes))
