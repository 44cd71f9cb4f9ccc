"""Items and the population they come from, in turn, until neither moves the other."""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.marginal.em_newton import Point, can_newton, measured
from itemcurve.estimation.marginal.grid_refinement import maximise_refined
from itemcurve.estimation.marginal.learnt_curvature import Learnt, OwnScores
from itemcurve.estimation.marginal.m_step import placed_score
from itemcurve.estimation.marginal.observed_information import (
    own_score_covariance,
)
from itemcurve.estimation.marginal.over_respondents.item_likelihoods import (
    ItemLikelihoods,
)
from itemcurve.estimation.marginal.over_respondents.item_population import (
    ItemPopulation,
)
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.marginal.over_respondents.unit_changes import UnitChange
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.optimisation.iterate import Optimum, Watch
from itemcurve.estimation.status import FitStatus
from itemcurve.models.priors import Normal
from itemcurve.numerics.shapes import ItemCoordinates, State

_MOST_REFINEMENTS = 4
_MOST_ROUNDS = 30
# A population that moves by less, in its own standard deviations, moves no item by more than that.
_SETTLED = 1e-4
_NEAR = 1e-2
# Rounds that go all the way; where items and population chase one another, half the way arrives:
# they do where the unit of ability still changes by as much.
_BOLD_ROUNDS = 4
_SAME_UNIT = 2e-3
# A covariance of scores serves elsewhere while it tells the items' information to such a share.
_KNOWN = 1e-3
# Items that have not arrived tell a population this near; one farther off, in its own standard
# deviations, is that of their slopes where no curvature holds them. Those of real data move by 1.4.
_TOLD = 3.0
# Products from which on a curvature of all items together takes longer than a step without it.
_MUCH_WORK = 2e7
# Fewer are no sample.
_FEWEST_ITEMS = 8
# From so many on, starting values tell a population, where slopes are so many errors large.
_ENOUGH_RESPONDENTS = 100
_CLEAR = 4.0
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
    if items is None:
        begin, place = problem, (x, state)
    else:
        begin, items, place = _begun(problem, items, x, state)
    found = _in_turns(begin, items, *place, tolerance, max_iterations, watch)
    if items is None or (found.optimum.status.is_converged and not _is_beyond_items(found)):
        return found
    # Responses that tell next to nothing of the items have no population to settle on.
    known = _in_turns(problem, None, x, state, tolerance, max_iterations, watch)
    spent = found.optimum.iterations + known.optimum.iterations
    return replace(known, optimum=replace(known.optimum, iterations=spent), is_unsettled=True)


def _begun(
    problem: RespondentProblem, items: ItemPopulation, x: ItemCoordinates, state: State
) -> tuple[RespondentProblem, ItemPopulation, tuple[ItemCoordinates, State]]:
    """Begin in the population of the starting values, where these tell one.

    Else the first search is one in the population that the priors describe, whose unit of ability
    may be far from the items'.
    """
    marginal = problem.marginal
    found, factor = items.told_by(x, marginal.free_cells).in_own_unit()
    respondents = marginal.units.count
    # Of noise, correlations of items with the rest would tell slopes of about two errors.
    if respondents < _ENOUGH_RESPONDENTS or factor < _CLEAR / np.sqrt(respondents):
        return problem, items, (x, state)
    place = problem.rescaled(x, state, 0.0, 1.0 / factor)
    pull = found.first_pull(place[0], marginal.free_cells, factor)
    begun = problem.with_items(found.priors(marginal.priors), pull).around(*place)
    return begun, found, place


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
    distance, known, shrinks = 0.0 if items is None else np.inf, None, np.inf
    unit, share, trusted, is_rough = 0.0, 1.0, _KNOWN, items is not None
    for attempt in range(_MOST_ROUNDS):
        # A population that has nearly settled, unit and all, stays on the grid it was found on.
        stays = is_near and known is not None and abs(unit) < _SAME_UNIT
        problem, optimum = maximise_refined(
            problem,
            x,
            state,
            refine=_as_it_is if stays or is_rough else RespondentProblem.refined,
            most_refinements=_MOST_REFINEMENTS,
            tolerance=tolerance if is_near else max(tolerance, _FOLLOWED),
            max_iterations=max_iterations,
            watch=watch,
            done=done,
            learnt=learnt,
            known=known,
            scouts=attempt == 0,
            is_rough=is_rough,
        )
        done = optimum.iterations
        if items is None or done >= max_iterations:
            break
        if attempt == _BOLD_ROUNDS and abs(unit) > _SAME_UNIT:
            share = 0.5
        turn = _Turn(problem, optimum.point, items, share)
        # Who will have arrived, if turns shrink as they did, is looked at closely at once.
        is_last = is_near and shrinks * distance < 0.5 * _SETTLED
        drawn, trusted = turn.settled(learnt, trusted, is_near, is_last)
        if is_rough and not drawn.distance < _TOLD:
            (x, state), is_rough = (optimum.point.x, optimum.point.state), False
            continue
        is_settled, is_rough = is_near and drawn.distance < _SETTLED, False
        # The first turn starts from items that had not arrived.
        shrinks = drawn.distance / distance if attempt > 1 else np.inf
        distance, unit = drawn.distance, float(np.log(drawn.factor))
        if is_settled or not np.isfinite(distance):
            break
        is_near = is_near or distance < _NEAR
        problem, change = turn.onward(drawn)
        (x, state), items = change.place, drawn.items
        known, learnt = change.seen(), change.learnt(learnt)
    if not (is_settled or (is_near and distance < _NEAR)) and optimum.status.is_converged:
        optimum = replace(optimum, status=FitStatus.MAX_ITERATIONS)
    return Solution(problem, optimum, items)


def _as_it_is(problem: RespondentProblem, point: Point) -> RespondentProblem | None:
    return None


@dataclass(frozen=True)
class _Drawn:
    """A population of items: how far it has moved, the pull on slopes, and what to divide them by.

    Population and pull are given in the unit that follows, `own` is the population in the unit that
    it was drawn in. It is exact by the curvature of the very place where it was drawn.
    """

    own: ItemPopulation
    items: ItemPopulation
    pull: ItemCoordinates | None
    factor: float
    distance: float
    is_exact: bool


@dataclass(frozen=True)
class _Turn:
    """From items that were found in a population to the population that they are drawn from.

    Attributes
    ----------
    share : how much of the way from the present population is gone.
    """

    problem: RespondentProblem
    point: Point
    items: ItemPopulation
    share: float

    def settled(
        self, learnt: Learnt, trusted: float, is_near: bool, is_last: bool
    ) -> tuple[_Drawn, float]:
        """The population that was drawn, and what is trusted of curvature from then on.

        Settled is what does not move where items have arrived, by the curvature at that place.
        """
        drawn = self.drawn(learnt, 0.0 if is_last else trusted)
        if is_near and drawn.distance < _SETTLED and not drawn.is_exact:
            # Curvature of elsewhere that led astray once does so again.
            return self.drawn(learnt, 0.0, drawn), 0.0
        return drawn, trusted

    def drawn(self, learnt: Learnt, trusted: float, begin: _Drawn | None = None) -> _Drawn:
        """The population by what is known of the curvature, or by that of this very place.

        Parameters
        ----------
        trusted : to what share of the items' information a curvature from elsewhere must tell it.
        begin : what was drawn here before.
        """
        marginal, point, items = self.problem.marginal, self.point, self.items
        ability = marginal.population.at(point.state)[0]
        assert isinstance(ability, Normal)
        is_exact = not self._is_known(learnt, trusted)
        if is_exact:
            _measure_own(marginal, point, learnt, is_last=not trusted)
        likelihoods = self._around(learnt)
        own = items.updated(likelihoods, None if begin is None else begin.own)
        moved = items.towards(own, self.share)
        pull = moved.pull(likelihoods, ability.sd)
        moved, factor = moved.in_own_unit()
        pull = None if pull is None else pull * factor
        distance = _distance(items, moved, marginal.pull, pull)
        return _Drawn(own, moved, pull, factor, distance, is_exact)

    def _is_known(self, learnt: Learnt, trusted: float) -> bool:
        """Whether what was measured near here tells the items' likelihoods; not if too far away."""
        if learnt.own is None or not trusted:
            return False
        complete = placed_score(self.problem.marginal, self.point.x, self.point.expectation)[1]
        taken, known = (
            np.trace(np.asarray(part), axis1=1, axis2=2).sum()
            for part in (learnt.own.covariance, complete)
        )
        move = np.sqrt(np.square(self.point.x - learnt.own.place).mean())
        return bool(move * taken < trusted * known)

    def _around(self, learnt: Learnt) -> ItemLikelihoods:
        own = None if learnt.own is None else learnt.own.covariance
        return ItemLikelihoods.around(self.problem.marginal, self.point, self.items, own)

    def onward(self, drawn: _Drawn) -> tuple[RespondentProblem, UnitChange]:
        """The problem in the population that was drawn, and what leads there."""
        problem, point, factor = self.problem, self.point, drawn.factor
        place = problem.rescaled(point.x, point.state, 0.0, 1.0 / factor)
        priors = drawn.items.priors(problem.marginal.priors)
        other = problem.with_items(priors, drawn.pull).in_unit(factor, place[1])
        return other, UnitChange(problem, other, point, place, factor)


def _measure_own(problem: MarginalProblem, point: Point, learnt: Learnt, *, is_last: bool) -> None:
    """Find the covariance of each item's scores at a point.

    Where the curvature of all items together is affordable, that tells it too; the search asks for
    it at first, the standard errors at last. Between these, steps mend what they have where that
    saves more than it costs them.
    """
    work = problem.units.count * point.x.size**2
    if can_newton(problem) and (is_last or learnt.matrix is None or work < _MUCH_WORK):
        found = measured(problem, point)
        learnt.matrix, learnt.scale, learnt.own = found.matrix, found.scale, found.own
    elif problem.polynomials > 1:
        own = own_score_covariance(problem, point.x, point.state, point.expectation)
        learnt.own = OwnScores(own, point.x)


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
