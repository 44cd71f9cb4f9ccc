"""Newton's method to the mode of abilities and population, items on nodes of their own."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.climb import Report
from itemcurve.estimation.course import begin_climb, remember_climb
from itemcurve.estimation.nested_items import NestedItems, NestedPoint
from itemcurve.estimation.newton_step import damped_step, held_at_bounds, without_held
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.engine import Array

# Far from the solution a sharp likelihood is a landscape of spikes. Raised to a low power it is
# blunt: all responses to an item weigh like so many at first, and each summit lies well within
# reach of the next.
_FIRST_WEIGHT = 0.5
_RISE = 4.0
# Tolerance of climbs that only lead to the next.
_SCOUTING_TOLERANCE = 0.1
_FIRST_DAMPING, _LEAST_DAMPING = 1e-3, 1e-6
_LONGEST_STEP = 0.7
# Log-likelihood by which the nodes of all items together may mislead: no reason to turn back.
_NOISE = 0.05
_MOST_TRIALS = 8
_MOST_IDLE_STEPS = 3


@dataclass(frozen=True)
class NestedSummit:
    """Where the climb ended, and how."""

    point: NestedPoint
    status: FitStatus
    iterations: int


def climb_nested(
    problem: NestedItems,
    x: Array,
    state: Array,
    *,
    tolerance: float,
    max_iterations: int,
    report: Report | None,
) -> NestedSummit:
    """Climb from these abilities and this population.

    Parameters
    ----------
    tolerance : the squared distance to the maximum, in standard errors, averaged over parameters.
    """
    iterations = 0
    for power in _powers(len(x)):
        blunt = problem.blunted(power)
        aim = max(tolerance, _SCOUTING_TOLERANCE)
        summit = _climb(blunt, x, state, aim, max_iterations, iterations, report)
        iterations = summit.iterations
        x, state = problem.split(summit.point.parameters)
    while True:
        summit = _climb(problem, x, state, tolerance, max_iterations, iterations, report)
        # Posteriors were followed from where they lay before: look for them everywhere once.
        point = problem.evaluate(summit.point.parameters)
        iterations = summit.iterations
        x, state = problem.split(point.parameters)
        if point.objective - summit.point.objective < _NOISE or iterations >= max_iterations:
            return replace(summit, point=point)


def _powers(respondents: int) -> Iterator[float]:
    power = _FIRST_WEIGHT / respondents
    while power < 2 / _RISE:
        yield power
        power *= _RISE


def _climb(
    problem: NestedItems,
    x: Array,
    state: Array,
    tolerance: float,
    max_iterations: int,
    done: int,
    report: Report | None,
) -> NestedSummit:
    x, state = begin_climb(report, x.ravel(), state)
    parameters = problem.clipped(np.concatenate([x, state]))
    point, damping = problem.evaluate(parameters), _FIRST_DAMPING
    last, close = max(max_iterations, done + 1), 0
    for iteration in range(done + 1, last + 1):
        found, damping, decrement = _advance(problem, point, damping)
        # Where nothing more is to be gained than the nodes may mislead by, further steps are noise.
        close = close + 1 if decrement < _NOISE else 0
        if found is None:
            status = _judged(point) if close else FitStatus.STALLED
            return NestedSummit(point, status, iteration)
        point = found
        is_near = decrement <= tolerance * len(parameters) or close > _MOST_IDLE_STEPS
        remember_climb(report, *problem.split(point.parameters))
        if report is not None:
            report(iteration, point.objective)
        if is_near:
            return NestedSummit(point, _judged(point), iteration)
    return NestedSummit(point, FitStatus.MAX_ITERATIONS, last)


def _advance(
    problem: NestedItems, point: NestedPoint, damping: float
) -> tuple[NestedPoint | None, float, float]:
    """Take one step; give where it leads, the damping from then on, and the gain left undamped."""
    x, state = problem.split(point.parameters)
    held = held_at_bounds(problem, x[:, None], state, point.gradient)
    gradient, matrix = without_held(point.gradient, point.information, held, point.scale)
    decrement = float(gradient @ damped_step(gradient, matrix, point.scale, 0.0)[0])
    for _ in range(_MOST_TRIALS):
        step, _ = damped_step(gradient, matrix, point.scale, damping)
        # Shortened as a whole: sharp items allow abilities to move together, not one by one.
        step *= min(1.0, _LONGEST_STEP / np.abs(step).max())
        found = problem.evaluate(problem.clipped(point.parameters + step), point.ridge)
        if found.objective >= point.objective - _NOISE:
            return found, damping / 10 if damping > _LEAST_DAMPING else 0.0, decrement
        damping = max(100 * damping, 10 * _LEAST_DAMPING)
    return None, damping, decrement


def _judged(point: NestedPoint) -> FitStatus:
    try:
        np.linalg.cholesky(point.information)
    except np.linalg.LinAlgError:
        return FitStatus.FLAT
    return FitStatus.CONVERGED
