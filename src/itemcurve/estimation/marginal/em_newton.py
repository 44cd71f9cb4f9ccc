"""Maximise a side's penalised marginal log-likelihood: EM to get near, Newton to arrive.

Every iteration integrates the units out once. Few parameters: after EM has come near, Newton
steps on the exact observed information, damped towards EM where the surface is not concave.
Many parameters: EM accelerated by Anderson mixing. For scales that items can absorb, EM is
parameter-expanded: after each step abilities are standardised again (Liu, Rubin and Wu 1998),
which removes the direction along which plain EM crawls.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.checkpoint import begin_climb, remember_climb
from itemcurve.estimation.identification.population import penalise
from itemcurve.estimation.marginal.e_step import Expectation, expect
from itemcurve.estimation.marginal.m_step import (
    clipped,
    complete_gradient,
    score,
    scoring_direction,
    scoring_step,
)
from itemcurve.estimation.marginal.observed_information import full_information
from itemcurve.estimation.marginal.problem import Side
from itemcurve.estimation.optimisation.damped_newton import (
    damped_step,
    diagonal_scale,
    held_at_bounds,
    without_held,
)
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.acceleration import AndersonMixer
from itemcurve.numerics.engine import Array

# Products of one Newton step that still beat several EM steps.
_NEWTON_FLOPS = 6e8
_NEWTON_PARAMETERS = 800
_LONGEST_STEP = 2.0
# Tolerance of a first climb that only shows which grid to finish on.
SCOUTING_TOLERANCE = 1e-2
_LEAST_DAMPING = 1e-7
_MOST_TRIALS = 14
_NEGLIGIBLE_GAIN = 1e-5
_MOST_IDLE_STEPS = 10


@dataclass(frozen=True)
class Point:
    """Where the climb stands."""

    x: Array
    state: Array
    expectation: Expectation
    objective: float


@dataclass(frozen=True)
class Summit:
    """Where the climb ended, and how."""

    point: Point
    status: FitStatus
    iterations: int


Standardise = Callable[[Array, Array, Expectation], tuple[Array, Array]]
Report = Callable[[int, float], None]


def climb(
    side: Side,
    x: Array,
    state: Array,
    *,
    standardise: Standardise | None,
    tolerance: float,
    max_iterations: int,
    done: int = 0,
    known: Point | None = None,
    report: Report | None = None,
) -> Summit:
    """Climb from the entities' coordinates `x` and the population's `state`.

    Parameters
    ----------
    standardise : moves coordinates and state along the scale of abilities, which the likelihood
        leaves open, to where the objective is highest; None where there is no such freedom.
    tolerance : the squared distance to the maximum, in standard errors, averaged over parameters.
    max_iterations : in all, of which `done` were spent by an earlier climb.
    known : the start as an earlier climb on the same side evaluated it.
    report : called with the number of the iteration and the objective.

    Returns
    -------
    The summit, with the number of iterations in all.
    """
    walker = _Walker(side, standardise, tolerance * (x.size + side.population.size))
    first, first_state = begin_climb(report, x, state)
    if known is None or first is not x:
        known = evaluate(side, clipped(side, first), first_state)
    point = known
    last = max(max_iterations, done + 1)
    for iteration in range(done + 1, last + 1):
        point, status = walker.advance(point)
        remember_climb(report, point.x, point.state)
        if report is not None:
            report(iteration, point.objective)
        if status is not None:
            return Summit(point, status, iteration)
    return Summit(point, FitStatus.MAX_ITERATIONS, last)


def evaluate(side: Side, x: Array, state: Array) -> Point:
    """Integrate the units out and give the penalised objective."""
    expectation = expect(side, x, state)
    penalty = penalise(side.priors, x)[0] + side.population.penalty(state)[0]
    return Point(x, state, expectation, expectation.log_likelihood + penalty)


class _Walker:
    """Chooses and controls steps; holds what one step needs to know of the steps before."""

    def __init__(self, side: Side, standardise: Standardise | None, tolerance: float) -> None:
        self.side = side
        self.standardise = standardise
        self.tolerance = tolerance
        self._matrix: Array | None = None
        self._scale: Array = np.ones(0)
        self._is_fresh = False
        self._left: tuple[Array, Array] | None = None
        self._decrement = np.inf
        self._mixer = AndersonMixer()
        self._is_near = False
        self._damping = 0.0
        self._idle = 0
        units = sum(block[0].shape[0] for block in side.blocks if block[0] is not None)
        size = side.held.shape[0] * len(side.bounds) + side.population.size
        self._can_newton = (
            size <= _NEWTON_PARAMETERS and units * size**2 * side.polynomials <= _NEWTON_FLOPS
        )

    def advance(self, point: Point) -> tuple[Point, FitStatus | None]:
        if self._can_newton and self._is_near:
            return self._newton(point)
        return self._em(point)

    def _em(self, point: Point) -> tuple[Point, FitStatus | None]:
        side = self.side
        gradient, information = score(side, point.x, point.expectation)
        direction = scoring_direction(gradient, information)
        proposal = scoring_step(side, point.x, point.expectation, direction)
        state = side.population.updated(point.state, side.grid.coordinates, point.expectation.mass)
        move = np.abs(proposal - point.x).max()
        state_move = np.abs(state - point.state).max(initial=0.0)
        self._is_near = max(move, state_move) < 0.25
        # What the step promises by the gradient of the objective itself, the population's own prior
        # included, and at least what a move of its size is worth.
        promise = abs(float(_state_gradient(side, point) @ (state - point.state)))
        units = point.expectation.mass.sum()
        decrement = np.sum(gradient * direction) + max(promise, units * state_move**2)
        if decrement <= self.tolerance and not self._can_newton:
            return point, FitStatus.CONVERGED
        return self._best(point, proposal, state), None

    def _best(self, point: Point, proposal: Array, state: Array) -> Point:
        """The standardised and accelerated proposal if it helps, else the plain one."""
        side = self.side
        bold, bold_state = proposal, state
        if self.standardise is not None:
            bold, bold_state = self.standardise(proposal, state, point.expectation)
        if not self._can_newton:
            bold, bold_state = self._mixed(point, bold, bold_state)
        found = evaluate(side, clipped(side, bold), bold_state)
        if found.objective >= point.objective or bold is proposal:
            return found
        self._mixer.forget()
        return evaluate(side, proposal, state)

    def _mixed(self, point: Point, x: Array, state: Array) -> tuple[Array, Array]:
        before = np.concatenate([point.x.ravel(), point.state])
        mixed = self._mixer.propose(before, np.concatenate([x.ravel(), state]))
        state = np.clip(mixed[x.size :], *self.side.population.bounds())
        return mixed[: x.size].reshape(x.shape), state

    def _newton(self, point: Point) -> tuple[Point, FitStatus | None]:
        """A Newton step; the curvature is kept from step to step while it still serves."""
        side = self.side
        gradient = marginal_gradient(side, point)
        self._learn(point, gradient)
        for _ in range(_MOST_TRIALS):
            if self._matrix is None:
                self._measure(point)
            scale = self._scale
            held = held_at_bounds(side, point.x, point.state, gradient)
            step, is_definite = damped_step(
                *without_held(gradient, self._matrix, held, scale), scale, self._damping
            )
            decrement = float(np.where(held, 0.0, gradient) @ step)
            # Newton steps gain digits fast, so one more costs little and buys much.
            if decrement <= 1e-3 * self.tolerance:
                is_sharp = is_definite and self._damping == 0
                return point, FitStatus.CONVERGED if is_sharp else FitStatus.FLAT
            found = evaluate(side, *_moved(side, point, step))
            gain = found.objective - point.objective
            if gain >= -1e-11 * abs(point.objective):
                self._settle(decrement)
                return found, self._judged(gain)
            if self._is_fresh:
                self._damping = max(10 * self._damping, _LEAST_DAMPING)
            else:
                self._matrix = None
        return point, FitStatus.STALLED

    def _learn(self, point: Point, gradient: Array) -> None:
        """Correct the curvature by what the last step has shown of it (BFGS).

        Over items the curvature is measured with a few functions of many coordinates and is good to
        some per cent: steps by it alone gain less than a digit each.
        """
        here = np.concatenate([point.x.ravel(), point.state])
        if self._left is not None and self._matrix is not None:
            step, change = here - self._left[0], self._left[1] - gradient
            expected = self._matrix @ step
            bend, known = float(change @ step), float(step @ expected)
            if bend > 0.1 * known > 0:
                correction = np.outer(change, change) / bend - np.outer(expected, expected) / known
                self._matrix = self._matrix + correction
        self._left = here, gradient

    def _measure(self, point: Point) -> None:
        """Find the curvature, and the unit of damping, where the climb stands."""
        side = self.side
        self._matrix = full_information(side, point.x, point.state, point.expectation)
        information = score(side, point.x, point.expectation)[1]
        self._scale = diagonal_scale(information, side.population.size, point.expectation)
        self._is_fresh = True

    def _settle(self, decrement: float) -> None:
        """After a step that helped: less damping, and a new curvature if the old one slows down."""
        is_fast = self._damping == 0 and decrement < 0.3 * self._decrement
        self._damping = self._damping / 10 if self._damping > _LEAST_DAMPING else 0.0
        self._decrement = decrement
        self._is_fresh = False
        if not is_fast:
            self._matrix = None

    def _judged(self, gain: float) -> FitStatus | None:
        """Call the maximum flat when ten steps in a row gain next to nothing without arriving."""
        self._idle = self._idle + 1 if gain < _NEGLIGIBLE_GAIN else 0
        return FitStatus.FLAT if self._idle >= _MOST_IDLE_STEPS else None


def marginal_gradient(side: Side, point: Point) -> Array:
    """Gradient of the objective in all parameters.

    By Fisher's identity the expected complete-data score is the score of the marginal likelihood.
    """
    gradient = complete_gradient(side, point.x, point.expectation)
    return np.concatenate([gradient.ravel(), _state_gradient(side, point)])


def _state_gradient(side: Side, point: Point) -> Array:
    """Gradient in the population's state, the log density of the state itself included."""
    slopes = side.population.slopes(point.state, side.grid.coordinates)
    return slopes @ point.expectation.mass + side.population.penalty(point.state)[1]


def _moved(side: Side, point: Point, step: Array) -> tuple[Array, Array]:
    # Each coordinate is limited by itself: one without information (a guessing level that has
    # reached zero) asks for huge steps and must not shorten those of the others.
    step = np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
    n = point.x.size
    x = clipped(side, point.x + step[:n].reshape(point.x.shape))
    return x, np.clip(point.state + step[n:], *side.population.bounds())
