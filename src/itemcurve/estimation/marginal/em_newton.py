"""Maximise a problem's penalised marginal log-likelihood: EM to get near, Newton to arrive.

Every iteration integrates the units out once. Few parameters: after EM has come near, Newton
steps on the exact observed information, damped towards EM where the surface is not concave.
Many parameters: EM accelerated by Anderson mixing. For scales that items can absorb, EM is
parameter-expanded: after each step abilities are standardised again (Liu, Rubin and Wu 1998),
which removes the direction along which plain EM crawls.
"""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.marginal.e_step import Expectation, expect
from itemcurve.estimation.marginal.em_steps import (
    Look,
    Looker,
    ScaleMove,
    WholeSteps,
    is_one_program,
)
from itemcurve.estimation.marginal.learnt_curvature import Learnt, OwnScores
from itemcurve.estimation.marginal.m_step import clipped, complete_gradient, score
from itemcurve.estimation.marginal.observed_information import (
    full_information,
    own_score_covariance,
)
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.optimisation.crawl import Crawl
from itemcurve.estimation.optimisation.damped_newton import (
    SADDLE_STEPS,
    damped_step,
    diagonal_scale,
    held_at_bounds,
    way_off_saddle,
    without_held,
)
from itemcurve.estimation.optimisation.iterate import UNWATCHED, Optimum, Watch, iterate
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.acceleration import Trail
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    Estimated,
    EstimatedMatrix,
    State,
)

# Products of one Newton step that still beat several EM steps.
_NEWTON_FLOPS = 6e8
_NEWTON_PARAMETERS = 800
_LONGEST_STEP = 2.0
_LEAST_DAMPING = 1e-7
_MOST_TRIALS = 14
_NEGLIGIBLE_GAIN = 1e-5
# Of an objective that weights make large, so much of itself is rounding.
_ROUNDING = 1e-11
# In units of log-likelihood: where so much is promised, a maximum is not reached.
_WORTH_TAKING = 0.05
# Squared distance per parameter at which two grids agree about the maximum.
_AGREEING = 1e-3
# Share of the tolerance below which not even the step that was just found is worth taking.
_ARRIVED = 1e-3
# Objective and gradient come from quadrature and agree to so much, in squared standard errors: a
# step that promises less and fails has met their noise, not a flat maximum.
_NOISE = 1e-3
# A curvature that is mended from step to step serves while each promises less than the last.
_SLOW = 0.9
_MOST_IDLE_STEPS = 10
# How far to look whether the objective is smooth, and what it may differ by; a share of all of it,
# since the grids' errors of many responses add up.
_NEARBY, _ROUGH, _ROUGH_SHARE = 1e-4, 5e-3, 2e-6
# In units of log-likelihood, what a step of EM may not lose, and how many may nevertheless.
_NOTABLE_LOSS, _MOST_LOSSES = 1.0, 20


@dataclass(frozen=True)
class Point:
    """Where the search stands."""

    x: EntityCoordinates
    state: State
    expectation: Expectation
    objective: float
    look: Look | None = None
    """The same as a whole step saw it, where that goes on from here."""


def maximise(
    problem: MarginalProblem,
    x: EntityCoordinates,
    state: State,
    *,
    standardise: ScaleMove | None,
    tolerance: float,
    max_iterations: int,
    done: int = 0,
    known: Point | None = None,
    watch: Watch = UNWATCHED,
    learnt: Learnt | None = None,
    is_rough: bool = False,
) -> Optimum[Point]:
    """Search from the entities' coordinates `x` and the population's `state`.

    Parameters
    ----------
    standardise : moves coordinates and state along the scale of abilities, which the likelihood
        leaves open, to where the objective is highest; None where there is no such freedom.
    tolerance : the squared distance to the maximum, in standard errors, averaged over parameters.
    max_iterations : in all, of which `done` were spent by an earlier search.
    known : the start as an earlier search of the same problem evaluated it.
    learnt : what earlier searches have left; this one leaves there what it finds.
    is_rough : whether it is enough to come near, where Newton steps would begin.
    """
    allowed = tolerance * (x.size + problem.population.size)
    budget = {"max_iterations": max_iterations, "done": done}
    if is_one_program(problem) and not can_newton(problem):
        steps = WholeSteps(problem, standardise, allowed)
        seen = (
            None
            if known is None
            else known.look or steps.seen(known.x, known.state, known.expectation, known.objective)
        )
        best = iterate(steps, (x, state), **budget, known=seen, watch=watch)
        return Optimum(point_of(best.point), best.status, best.iterations)
    stepper = EMNewton(problem, standardise, allowed, is_rough=is_rough)
    learnt = learnt or Learnt()
    stepper.recall(learnt)
    optimum = iterate(stepper, (x, state), **budget, known=known, watch=watch)
    stepper.leave(learnt)
    return optimum


def point_of(look: Look) -> Point:
    """What was seen at a point, as everyone else takes it: all that is read of it."""
    x, state = map(np.asarray, look.place)
    mass = np.asarray(look.mass)
    expectation = Expectation(look.log_likelihood, look.sums, mass, look.extent)
    return Point(x, state, expectation, look.objective, look)


def can_newton(problem: MarginalProblem) -> bool:
    """Whether Newton steps on the full information are affordable."""
    size = problem.held.shape[0] * len(problem.bounds) + problem.population.size
    work = problem.units.count * size**2 * problem.polynomials
    return size <= _NEWTON_PARAMETERS and work <= _NEWTON_FLOPS


def evaluate(problem: MarginalProblem, x: EntityCoordinates, state: State) -> Point:
    """Integrate the units out and give the penalised objective."""
    expectation = expect(problem, x, state)
    penalty = problem.log_height(x) + problem.population.penalty(state)[0]
    return Point(x, state, expectation, expectation.log_likelihood + penalty)


class EMNewton:
    """Chooses and controls steps; holds what one step needs to know of the steps before."""

    def __init__(
        self,
        problem: MarginalProblem,
        standardise: ScaleMove | None,
        tolerance: float,
        *,
        is_rough: bool = False,
    ) -> None:
        self.problem = problem
        self.tolerance = tolerance
        self._is_rough = is_rough
        self._matrix: Array | None = None
        self._scale: Array = np.ones(0)
        self._own: OwnScores | None = None
        self._is_fresh = False
        self._left: tuple[Array, Array] | None = None
        self._decrement = np.inf
        self._trail: Trail | None = None
        self._is_near = False
        self._damping = 0.0
        self._idle = self._losses = 0
        self._crawl = Crawl()
        self._is_foreign = False
        self._can_newton = can_newton(problem)
        self._looker = Looker(problem, standardise, is_mixed=not self._can_newton)

    def recall(self, learnt: Learnt) -> None:
        """Begin with what an earlier search has left."""
        self._is_near, self._own = learnt.is_near, learnt.own
        if learnt.matrix is not None and learnt.scale is not None:
            self._matrix, self._scale = learnt.matrix, learnt.scale
            self._is_foreign = not learnt.is_trusted

    def leave(self, learnt: Learnt) -> None:
        """Leave to the next search what this one knows."""
        learnt.matrix, learnt.scale, learnt.is_near = self._matrix, self._scale, self._is_near
        learnt.is_trusted, learnt.own = False, self._own

    def at(self, x: EntityCoordinates, state: State) -> Point:
        """Integrate the units out at coordinates within their bounds."""
        return evaluate(self.problem, clipped(self.problem, x), state)

    def coordinates(self, point: Point) -> tuple[EntityCoordinates, State]:
        """Entities and population."""
        return point.x, point.state

    def objective(self, point: Point) -> float:
        """The penalised marginal log-likelihood."""
        return point.objective

    def step(self, point: Point) -> tuple[Point, FitStatus | None]:
        """EM until near, then Newton where it is affordable."""
        if self._can_newton and self._is_near:
            return (point, FitStatus.CONVERGED) if self._is_rough else self._newton(point)
        return self._em(point)

    def _em(self, point: Point) -> tuple[Point, FitStatus | None]:
        problem = self.problem
        onward = self._looker.onward(point.x, point.state, point.expectation, self._trail)
        self._is_near = float(onward.move) < 0.25
        if float(onward.decrement) <= self.tolerance and not self._can_newton:
            return point, FitStatus.CONVERGED
        self._trail = onward.trail
        found = evaluate(problem, *map(np.asarray, onward.bold))
        if found.objective >= point.objective:
            return found, None
        # The step moved along the scale and mixed with others did not help: the plain one does.
        self._trail = None
        found = evaluate(problem, *map(np.asarray, onward.plain))
        # Plain steps lose nothing but what the grid does not see. Where it misses the mass, without
        # priors or bounds to keep that in sight, they go round in circles.
        self._losses += found.objective < point.objective - _NOTABLE_LOSS
        return found, FitStatus.STALLED if self._losses >= _MOST_LOSSES else None

    def _newton(self, point: Point) -> tuple[Point, FitStatus | None]:
        """A Newton step; the curvature is kept from step to step while it still serves."""
        problem, copies = self.problem, self.problem.copies
        uphill = marginal_gradient(problem, point)
        gradient = copies.added(uphill)
        self._learn(point, gradient)
        is_retried = False
        for _ in range(_MOST_TRIALS):
            matrix = self._measure(point) if self._matrix is None else self._matrix
            scale = self._scale
            held = copies.chosen(held_at_bounds(problem, point.x, point.state, uphill))
            step, is_definite = damped_step(
                *without_held(gradient, matrix, held, scale), scale, self._damping
            )
            decrement = float(np.where(held, 0.0, gradient) @ step)
            if self._is_foreign and decrement > _AGREEING * len(gradient):
                # Grids that disagree about the maximum may do so about the curvature.
                self._matrix, self._is_foreign = None, False
                return self._em(point)
            self._is_foreign = False
            is_sharp = is_definite and self._damping == 0
            if decrement <= _ARRIVED * self.tolerance:
                if is_sharp or is_retried or (self._is_fresh and self._damping == 0):
                    return (point, FitStatus.CONVERGED) if is_sharp else self._off(point, held)
                # Damping shortens any step: without it, does a flat direction remain?
                self._matrix, self._damping, is_retried = None, 0.0, True
                continue
            found = evaluate(problem, *_moved(problem, point, copies.copied(step)))
            gain = found.objective - point.objective
            if gain >= -_ROUNDING * abs(point.objective):
                self._settle(decrement, gain)
                # Near enough by the tolerance; the step itself has brought the digits beyond it.
                is_near = is_sharp and decrement <= self.tolerance
                return found, FitStatus.CONVERGED if is_near else self._judged(found, gain)
            if is_sharp and decrement <= _NOISE:
                return point, FitStatus.CONVERGED
            if self._is_fresh:
                self._damping = max(10 * self._damping, _LEAST_DAMPING)
            else:
                self._matrix = None
        return point, self._ended(point, is_flat=is_retried)

    def _off(self, point: Point, held: Estimated) -> tuple[Point, FitStatus | None]:
        """Go on from a saddle; a place without gradient that is none is a flat maximum."""
        matrix = self._measure(point) if self._matrix is None else self._matrix
        way = way_off_saddle(matrix, held, self._scale)
        if way is not None:
            for length in SADDLE_STEPS:
                step = self.problem.copies.copied(length * way)
                found = evaluate(self.problem, *_moved(self.problem, point, step))
                if found.objective > point.objective + _negligible(point):
                    self._matrix, self._idle = None, 0
                    return found, None
        return point, FitStatus.STALLED if _is_rough(self.problem, point) else FitStatus.FLAT

    def _learn(self, point: Point, gradient: Estimated) -> None:
        """Correct the curvature by what the last step has shown of it (BFGS).

        Over items the curvature is measured with a few functions of many coordinates and is good to
        some per cent: steps by it alone gain less than a digit each.
        """
        here = self.problem.copies.chosen(np.concatenate([point.x.ravel(), point.state]))
        if self._left is not None and self._matrix is not None:
            step, change = here - self._left[0], self._left[1] - gradient
            expected = self._matrix @ step
            bend, known = float(change @ step), float(step @ expected)
            if bend > 0.1 * known > 0:
                correction = np.outer(change / bend, change) - np.outer(expected / known, expected)
                self._matrix = self._matrix + correction
        self._left = here, gradient

    def _measure(self, point: Point) -> EstimatedMatrix:
        """Find the curvature, and the unit of damping, where the search stands."""
        found = measured(self.problem, point)
        assert found.matrix is not None
        assert found.scale is not None
        self._matrix, self._scale, self._own = found.matrix, found.scale, found.own
        self._is_fresh = True
        return found.matrix

    def _settle(self, decrement: float, gain: float) -> None:
        """After a step that helped: less damping, and a new curvature if the old one slows down."""
        is_slow = decrement > _SLOW * self._decrement or gain < 0.1 * decrement or self._damping > 0
        self._damping = self._damping / 10 if self._damping > _LEAST_DAMPING else 0.0
        self._decrement = decrement
        self._is_fresh = False
        self._matrix = None if is_slow else self._matrix

    def _judged(self, point: Point, gain: float) -> FitStatus | None:
        """End when many steps in a row gain next to nothing without arriving."""
        self._idle = self._idle + 1 if gain < _negligible(point) else 0
        is_crawling = self._crawl.goes_on(gain, self._decrement, point.objective)
        return self._ended(point) if is_crawling or self._idle >= _MOST_IDLE_STEPS else None

    def _ended(self, point: Point, *, is_flat: bool = True) -> FitStatus:
        """Say whether no step helps because nothing is left to gain, or in spite of it.

        Where posteriors are of a shape that no grid resolves, the objective does not rise where its
        gradient says so. Unless steps without damping have shown that it `is_flat`, no more than
        the grids' errors of many responses is an excuse.
        """
        problem, copies = self.problem, self.problem.copies
        uphill = marginal_gradient(problem, point)
        matrix = self._measure(point) if self._matrix is None else self._matrix
        held = copies.chosen(held_at_bounds(problem, point.x, point.state, uphill))
        gradient, matrix = without_held(copies.added(uphill), matrix, held, self._scale)
        step, is_definite = damped_step(gradient, matrix, self._scale, 0.0)
        worth_taking = _WORTH_TAKING if is_flat else _ROUGH_SHARE * abs(point.objective)
        is_promising = 0.5 * gradient @ step > worth_taking if is_definite else not is_flat
        return FitStatus.STALLED if is_promising or _is_rough(problem, point) else FitStatus.FLAT


def _is_rough(problem: MarginalProblem, point: Point) -> bool:
    """Whether the objective between places close by is another than its gradient tells.

    Posteriors that are steps rather than bells, at other places for every weight, no grid resolves.
    """
    uphill = marginal_gradient(problem, point)
    held = held_at_bounds(problem, point.x, point.state, uphill)
    move = np.where(held, 0.0, _NEARBY)
    ends = [evaluate(problem, *_moved(problem, point, sign * move)) for sign in (1, -1)]
    high, low = (np.concatenate([end.x.ravel(), end.state]) for end in ends)
    gap = ends[0].objective - ends[1].objective - uphill @ (high - low)
    return abs(gap) > max(_ROUGH, _ROUGH_SHARE * abs(point.objective))


def _negligible(point: Point) -> float:
    return max(_NEGLIGIBLE_GAIN, _ROUNDING * abs(point.objective))


def measured(problem: MarginalProblem, point: Point) -> Learnt:
    """The curvature at a point as a search takes it."""
    copies, (x, state, expectation) = problem.copies, (point.x, point.state, point.expectation)
    matrix = full_information(problem, x, state, expectation)
    information = score(problem, x, expectation)[1]
    scale = diagonal_scale(information, problem.population.size, float(expectation.mass.sum()))
    return Learnt(
        copies.added_matrix(matrix),
        copies.added(scale),
        own=OwnScores(own_score_covariance(problem, x, state, expectation), x),
    )


def marginal_gradient(problem: MarginalProblem, point: Point) -> Estimated:
    """Gradient of the objective in all parameters.

    By Fisher's identity the expected complete-data score is the score of the marginal likelihood.
    """
    gradient = complete_gradient(problem, point.x, point.expectation)
    return np.concatenate([gradient.ravel(), _state_gradient(problem, point)])


def _state_gradient(problem: MarginalProblem, point: Point) -> State:
    """Gradient in the population's state, the log density of the state itself included."""
    population, nodes = problem.population, problem.grid.coordinates
    own = population.gradient(point.state, nodes, point.expectation.mass)
    return own + population.penalty(point.state)[1]


def _moved(
    problem: MarginalProblem, point: Point, step: Estimated
) -> tuple[EntityCoordinates, State]:
    # Each coordinate is limited by itself: one without information (a guessing level that has
    # reached zero) asks for huge steps and must not shorten those of the others.
    step = np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
    n = point.x.size
    x = clipped(problem, point.x + step[:n].reshape(point.x.shape))
    return x, np.clip(point.state + step[n:], *problem.population.bounds())
