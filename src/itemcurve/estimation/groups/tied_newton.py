"""Newton's method where several numbers are copies of one another."""

from dataclasses import replace

import numpy as np

from itemcurve.estimation.groups.ties import Ties
from itemcurve.estimation.identification.latent_population import STANDARD
from itemcurve.estimation.identification.population import Coordinate
from itemcurve.estimation.identification.shaped_population import KnownDensity
from itemcurve.estimation.marginal.em_newton import Point, evaluate, marginal_gradient
from itemcurve.estimation.marginal.m_step import clipped
from itemcurve.estimation.marginal.observed_information import full_information
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.optimisation.crawl import Crawl
from itemcurve.estimation.optimisation.damped_newton import (
    SADDLE_STEPS,
    DampedNewton,
    damped_step,
    held_at_bounds,
    way_off_saddle,
    without_held,
)
from itemcurve.estimation.optimisation.iterate import Optimum
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import Estimated, EstimatedMatrix

_LONGEST_STEP = 1.5
_LEAST_DAMPING = 1e-7
_MOST_TRIALS = 14
# In units of log-likelihood, more than rounding tells.
_WORTH_TAKING = 1e-5
# Squared distance to the maximum: one more step brings it far below what quadrature can tell.
_NOISE = 1e-10
# Of differences of gradients, which are right to 1e-9 of themselves.
_STEP = 1e-5


def maximise_tied(
    problem: MarginalProblem, point: Point, ties: Ties, tolerance: float, max_iterations: int
) -> Optimum[Point]:
    """Climb from a point whose copies agree.

    Parameters
    ----------
    tolerance : squared distance to the maximum, in standard errors, averaged over parameters.
    """
    newton = DampedNewton(0.0, _LEAST_DAMPING, 10.0, _MOST_TRIALS)
    allowed, crawl = tolerance * ties.size, Crawl()

    for iteration in range(max_iterations):
        uphill = marginal_gradient(problem, point)
        gradient = ties.added(uphill)
        matrix = tied_information(problem, point, ties)
        scale = np.maximum(np.abs(np.diag(matrix)), 1e-6)
        held = ties.chosen(held_at_bounds(problem, point.x, point.state, uphill))
        if _decrement(gradient, matrix, held, scale) <= min(allowed, _NOISE):
            status, higher = _settled(matrix, held), None
            if status is FitStatus.FLAT:
                higher = _off_saddle(problem, point, ties, way_off_saddle(matrix, held, scale))
            if higher is None:
                return Optimum(point, status, iteration)
            point = higher
            continue
        here = point

        def attempt(step: Array, here: Point = here) -> Point | None:
            found = _moved(problem, here, ties.copied(step))
            return found if found.objective >= here.objective - 1e-12 else None

        better, decrement = newton.advance(gradient, matrix, scale, held, attempt)
        if better is None:
            is_there = decrement <= max(allowed, 1e-3)
            status = _settled(matrix, held) if is_there else FitStatus.STALLED
            return Optimum(point, status, iteration)
        point = better
        if crawl.goes_on(point.objective - here.objective, decrement, here.objective):
            return Optimum(point, FitStatus.STALLED, iteration + 1)
    return Optimum(point, FitStatus.MAX_ITERATIONS, max_iterations)


def _off_saddle(
    problem: MarginalProblem, point: Point, ties: Ties, way: Array | None
) -> Point | None:
    if way is None:
        return None
    for length in SADDLE_STEPS:
        found = _moved(problem, point, ties.copied(length * way))
        if found.objective > point.objective + _WORTH_TAKING:
            return found
    return None


def tied_information(problem: MarginalProblem, point: Point, ties: Ties) -> Array:
    """Observed information of each different number."""
    if problem.population.has_polynomial_scores:
        own = full_information(problem, point.x, point.state, point.expectation)
    else:
        own = differenced_information(problem, point)
    return ties.added_matrix(own)


def differenced_information(problem: MarginalProblem, point: Point) -> EstimatedMatrix:
    """Observed information where the population's part is told by differences of gradients."""
    size, x, state = point.x.size, point.x, point.state
    known = problem.population.log_density(state, problem.grid.coordinates)[0]
    held = replace(problem, population=KnownDensity((Coordinate(STANDARD),), known))
    matrix = np.zeros((size + len(state), size + len(state)))
    nothing = np.zeros(0)
    expectation = replace(point.expectation, kept={})
    matrix[:size, :size] = full_information(held, x, nothing, expectation)
    for place, step in enumerate(_STEP * np.eye(len(state)), start=size):
        up, down = (evaluate(problem, x, state + sign * step) for sign in (1.0, -1.0))
        slope = (marginal_gradient(problem, down) - marginal_gradient(problem, up)) / (2 * _STEP)
        matrix[:, place] = matrix[place, :] = slope
    corner = matrix[size:, size:]
    matrix[size:, size:] = (corner + corner.T) / 2
    return matrix


def _decrement(gradient: Array, matrix: Array, held: Array, scale: Array) -> float:
    slope, bend = without_held(gradient, matrix, held, scale)
    return float(slope @ damped_step(slope, bend, scale, 0.0)[0])


def _settled(matrix: Array, held: Array) -> FitStatus:
    """Whether the maximum is one of all numbers that are free."""
    free = ~held
    try:
        np.linalg.cholesky(matrix[np.ix_(free, free)])
    except np.linalg.LinAlgError:
        return FitStatus.FLAT
    return FitStatus.CONVERGED


def _moved(problem: MarginalProblem, point: Point, step: Estimated) -> Point:
    step = np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
    size = point.x.size
    x = clipped(problem, point.x + step[:size].reshape(point.x.shape))
    state = np.clip(point.state + step[size:], *problem.population.bounds())
    return evaluate(problem, x, state)
