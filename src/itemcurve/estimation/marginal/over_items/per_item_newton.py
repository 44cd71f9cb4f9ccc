"""Newton's method to the mode of abilities and population, items on nodes of their own."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from itemcurve.estimation.marginal.over_items.per_item_quadrature import (
    PerItemPoint,
    PerItemProblem,
)
from itemcurve.estimation.optimisation.damped_newton import DampedNewton, held_at_bounds
from itemcurve.estimation.optimisation.iterate import Optimum, Watch, iterate
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.shapes import Estimated, EstimatedMatrix, PerRespondent, State

# Far from the solution a sharp likelihood is a landscape of spikes. Raised to a low power it is
# blunt: all responses to an item weigh like so many at first, and each optimum lies well within
# reach of the next.
_FIRST_WEIGHT = 0.5
_RISE = 4.0
# Tolerance of searches that only lead to the next.
_SCOUTING_TOLERANCE = 0.1
_FIRST_DAMPING, _LEAST_DAMPING = 1e-3, 1e-6
_LONGEST_STEP = 0.7
# Log-likelihood by which the nodes of all items together may mislead: no reason to turn back.
_NOISE = 0.05
_LITTLE = 0.01
# An item whose mass lies elsewhere than it was followed to costs more than this, other nodes for
# all items less.
_ELSEWHERE = 0.3
# Twice the gain that a last step foresees: a thirtieth of a standard error of all parameters
# together, of which the step itself takes most away.
_NEAR = 1e-3
_MOST_TRIALS = 8
_LEAST_SHARE = 0.1
_MOST_IDLE_STEPS = 4
# Logarithms of the factors by which abilities are stretched at once: items are followed on the way.
_FIRST_STRETCH, _LONGEST_STRETCH = 0.02, 0.08
# Abilities that are all alike have no spread to give back.
_LEAST_SPREAD = 1e-6


def maximise_per_item(
    problem: PerItemProblem,
    x: PerRespondent,
    state: State,
    *,
    tolerance: float,
    max_iterations: int,
    watch: Watch,
    is_near: bool = False,
) -> Optimum[PerItemPoint]:
    """Search from these abilities and this population.

    Parameters
    ----------
    tolerance : the squared distance to the maximum, in standard errors, averaged over parameters.
    is_near : whether the start is good enough to do without a blunt likelihood.
    """
    iterations, spread = 0, float(x.std())
    last: PerItemPoint | None = None
    for power in () if is_near else _powers(len(x)):
        blunt = problem.blunted(power)
        aim = max(tolerance, _SCOUTING_TOLERANCE)
        known = None if last is None else _entry(blunt, last, spread)
        optimum = _search(blunt, x, state, aim, max_iterations, iterations, watch, known)
        iterations, last = optimum.iterations, optimum.point
    known = None if last is None else _entry(problem, last, spread)
    highest = -np.inf
    while True:
        optimum = _search(problem, x, state, tolerance, max_iterations, iterations, watch, known)
        point, iterations = optimum.point, optimum.iterations
        # Posteriors were followed from where they lay before: look for them everywhere once.
        anew = problem.evaluate(point.parameters, with_information=False)
        is_found = anew.objective - point.objective < _ELSEWHERE
        better = _stretched(problem, point if is_found else anew)
        is_settled = better is point.parameters or point.objective < highest + _NOISE
        highest = max(highest, point.objective)
        if is_found and is_settled:
            return _settled(problem, optimum)
        if iterations >= max_iterations:
            return replace(optimum, status=FitStatus.MAX_ITERATIONS)
        (x, state), known = problem.split(better), None


def _settled(problem: PerItemProblem, optimum: Optimum[PerItemPoint]) -> Optimum[PerItemPoint]:
    """Give an optimum with the information about it on nodes laid for that, and judge by it."""
    point = optimum.point
    careful = problem.evaluate_carefully(point.parameters, point.ridge)
    # Sharp items may spoil the information; the search has mended it.
    best = careful if is_definite(careful.information) else point
    return replace(optimum, point=best, status=_judged(best, optimum.status))


def _entry(problem: PerItemProblem, last: PerItemPoint, spread: float) -> PerItemPoint:
    """Enter a sharper problem at the last optimum, or at that with the spread of the start.

    Blunt likelihoods put abilities in order but too close together: they weigh little beside the
    population, which has its say on the scale.
    """
    own = float(problem.split(last.parameters)[0].std())
    here = problem.evaluate(problem.clipped(last.parameters), last.ridge)
    if min(spread, own) < _LEAST_SPREAD:
        return here
    wider = problem.stretched(here.parameters, float(np.log(spread / own)))
    there = problem.evaluate(wider, here.ridge)
    return here if here.objective >= there.objective else there


def _stretched(problem: PerItemProblem, point: PerItemPoint) -> Estimated:
    """Stretch or shrink all abilities about 0 as long as the objective rises.

    Among sharp items the way along the scale is narrow and bent: steps there can become so short
    that a search ends far from the top (at 0.6 of the true scale, 500 below it).
    """
    best = point
    for sign in (1.0, -1.0):
        stretch = _FIRST_STRETCH
        while True:
            trial = problem.stretched(best.parameters, sign * stretch)
            found = problem.evaluate(trial, best.ridge, with_information=False)
            if found.objective <= best.objective + _NOISE:
                break
            best, stretch = found, min(2 * stretch, _LONGEST_STRETCH)
        if best is not point:
            break
    return best.parameters


def _powers(respondents: int) -> Iterator[float]:
    power = _FIRST_WEIGHT / respondents
    while power < 2 / _RISE:
        yield power
        power *= _RISE


def _search(
    problem: PerItemProblem,
    x: PerRespondent,
    state: State,
    tolerance: float,
    max_iterations: int,
    done: int,
    watch: Watch,
    known: PerItemPoint | None,
) -> Optimum[PerItemPoint]:
    stepper = PerItemNewton(problem, tolerance * (x.size + state.size))
    start = (x.ravel(), state) if known is None else problem.split(known.parameters)
    return iterate(
        stepper, start, max_iterations=max_iterations, done=done, known=known, watch=watch
    )


class PerItemNewton:
    """Damped Newton steps on an objective that the nodes of items make a little rough."""

    def __init__(self, problem: PerItemProblem, tolerance: float) -> None:
        self.problem = problem
        self.tolerance = tolerance
        self._newton = DampedNewton(_FIRST_DAMPING, _LEAST_DAMPING, 100.0, _MOST_TRIALS)
        self._idle = 0

    def at(self, x: PerRespondent, state: State) -> PerItemPoint:
        """Integrate the items out."""
        return self.problem.evaluate(self.problem.clipped(np.concatenate([x, state])))

    def coordinates(self, point: PerItemPoint) -> tuple[PerRespondent, State]:
        """Abilities and population."""
        return self.problem.split(point.parameters)

    def objective(self, point: PerItemPoint) -> float:
        """The penalised marginal log-likelihood."""
        return point.objective

    def step(self, point: PerItemPoint) -> tuple[PerItemPoint, FitStatus | None]:
        """One step, damped until it loses no more than the nodes may mislead by."""
        found, decrement = self._advance(point)
        if found is None:
            return point, FitStatus.STALLED
        # Steps that gain or lose less than the nodes may mislead by are noise.
        is_idle = abs(found.objective - point.objective) < _LITTLE
        self._idle = self._idle + 1 if is_idle else 0
        found = _learnt(point, found)
        is_near = decrement <= max(self.tolerance, _NEAR) or self._idle >= _MOST_IDLE_STEPS
        return found, _judged(found) if is_near else None

    def _advance(self, point: PerItemPoint) -> tuple[PerItemPoint | None, float]:
        """Where a step leads, and the gain that was left without damping."""
        problem = self.problem
        x, state = problem.split(point.parameters)
        held = held_at_bounds(problem, x[:, None], state, point.gradient)

        def attempt(step: Estimated) -> PerItemPoint | None:
            # Shortened as a whole: sharp items allow abilities to move together, not one by one.
            step = step * min(1.0, _LONGEST_STEP / max(np.abs(step).max(), 1e-12))
            found = problem.evaluate(problem.clipped(point.parameters + step), point.ridge)
            return found if found.objective >= point.objective - _NOISE else None

        return self._newton.advance(point.gradient, point.information, point.scale, held, attempt)


def _learnt(before: PerItemPoint, point: PerItemPoint) -> PerItemPoint:
    """Correct the curvature along the last step by what the gradient did there (BFGS).

    Items that are sharp but not normal, or just not sharp, spoil it: by little of what they are,
    which may be much of what the other items know of the scale.
    """
    step = point.parameters - before.parameters
    expected, change = point.information @ step, before.gradient - point.gradient
    known, bend = float(step @ expected), float(change @ step)
    if abs(known) < _LITTLE:
        # So short a step shows noise.
        return point
    if known > 0 and bend < _LEAST_SHARE * known:
        # The curvature falls, or has turned: lengthen the next step along this one, no more.
        change, bend = _LEAST_SHARE * expected, _LEAST_SHARE * known
    if bend <= 0:
        return point
    correction = np.outer(change, change) / bend - np.outer(expected, expected) / known
    return replace(point, information=point.information + correction)


def _judged(point: PerItemPoint, status: FitStatus = FitStatus.CONVERGED) -> FitStatus:
    """Call a maximum flat where the information about it is not positive definite."""
    if status.is_converged:
        return FitStatus.CONVERGED if is_definite(point.information) else FitStatus.FLAT
    return status


def is_definite(matrix: EstimatedMatrix) -> bool:
    """Whether a symmetric matrix is positive definite."""
    try:
        # Only a positive definite matrix has a Cholesky factor.
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True
