"""Maximise over abilities and items together: damped Fisher scoring on the whole system.

Each step solves the full information matrix (an arrow), so that the scale of ability, along which
alternating between items and abilities crawls, is found at once. Where both sides are too large
for a corner, items and abilities take turns, mixed after Anderson.
"""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.optimisation.entity_steps import scoring_direction
from itemcurve.estimation.optimisation.iterate import UNWATCHED, Optimum, Watch, iterate
from itemcurve.estimation.posterior_mode.arrowhead_information import as_arrow
from itemcurve.estimation.posterior_mode.log_posterior import ABILITY_BOUNDS, JointProblem, Slopes
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.acceleration import AndersonMixer
from itemcurve.numerics.shapes import ItemCoordinates, PerRespondent, SameShape

_LONGEST_STEP = 2.0
_NEAR = 0.05
_ITEM_STEPS = 5
_NOTABLE_GAIN = 1e-4
# Beyond it the observed information has no say against the expected one.
_ENOUGH_DAMPING = 3.0
_FIRST_DAMPING, _LEAST_DAMPING, _MOST_DAMPING = 1e-2, 1e-9, 1e8


@dataclass(frozen=True)
class JointPoint:
    """Where the search stands."""

    x: ItemCoordinates
    t: PerRespondent
    slopes: Slopes


def find_mode(
    problem: JointProblem,
    x: ItemCoordinates,
    t: PerRespondent,
    *,
    tolerance: float,
    max_iterations: int,
    watch: Watch = UNWATCHED,
) -> Optimum[JointPoint]:
    """Search from a start for where the gradient vanishes.

    Parameters
    ----------
    tolerance : squared distance to the maximum, in standard errors, averaged over parameters.
    """
    stepper = FisherScoring(problem, tolerance)
    return iterate(stepper, (x, t), max_iterations=max_iterations, watch=watch)


class FisherScoring:
    """Steps of everything at once, or of items and abilities in turn where both are many."""

    def __init__(self, problem: JointProblem, tolerance: float) -> None:
        self.problem = problem
        self.tolerance = tolerance
        self._way = _Coupled() if problem.is_coupled else _Alternating()

    def at(self, x: ItemCoordinates, t: PerRespondent) -> JointPoint:
        """Evaluate the log posterior within the bounds."""
        x, t = _inside(self.problem, x, t)
        return JointPoint(x, t, self.problem.evaluate(x, t))

    def coordinates(self, point: JointPoint) -> tuple[ItemCoordinates, PerRespondent]:
        """Items and abilities."""
        return point.x, point.t

    def objective(self, point: JointPoint) -> float:
        """The log posterior."""
        return point.slopes.value

    def step(self, point: JointPoint) -> tuple[JointPoint, FitStatus | None]:
        """A step uphill, unless the maximum is near enough or no step leads there."""
        # Rounding, where weights are many decades apart, can make a matrix of squares indefinite
        # and this number as negative as it likes: no sign of having arrived.
        distance = abs(_decrement(point, self.problem)) / (point.x.size + point.t.size)
        if distance < self.tolerance:
            return point, FitStatus.CONVERGED
        better = self._way.improve(self.problem, point, distance)
        return (point, FitStatus.STALLED) if better is None else (better, None)


class _Coupled:
    """Steps of everything at once, damped until the objective rises.

    Fisher scoring comes near from anywhere; near the maximum the observed information takes over,
    without which models far from the data (or with few responses per item) crawl.
    """

    def __init__(self) -> None:
        self._dampings = {"expected": _FIRST_DAMPING, "observed": _FIRST_DAMPING}

    def improve(
        self, problem: JointProblem, point: JointPoint, distance: float
    ) -> JointPoint | None:
        if distance < _NEAR:
            observed = problem.observed(point.x, point.t)
            matrices = replace(
                point.slopes,
                item_matrix=observed.item_matrix,
                ability_matrix=observed.ability_matrix,
                cross=observed.cross,
            )
            found = self._try(problem, point, matrices, "observed", _ENOUGH_DAMPING)
            if found is not None:
                return found
        return self._try(problem, point, point.slopes, "expected", _MOST_DAMPING)

    def _try(
        self, problem: JointProblem, point: JointPoint, matrices: Slopes, kind: str, most: float
    ) -> JointPoint | None:
        slopes = without_held(problem, replace(point, slopes=matrices))
        scale = point.slopes
        damping = min(self._dampings[kind], most)
        while damping <= most:
            arrow = as_arrow(slopes, damping, scale=scale)
            step_x, step_t = arrow.solve(slopes.item_slope, slopes.ability_slope)
            found = moved(problem, point, _shortened(step_x), _shortened(step_t))
            if found.slopes.value >= point.slopes.value - 1e-13 * abs(point.slopes.value):
                self._dampings[kind] = max(damping / 10, _LEAST_DAMPING)
                return found
            damping *= 10
        return None


class _Alternating:
    """Abilities, then items, each given the other; a mixture of the last few where it is better."""

    def __init__(self) -> None:
        self._mixer = AndersonMixer()

    def improve(
        self, problem: JointProblem, point: JointPoint, distance: float
    ) -> JointPoint | None:
        best = self._half(problem, self._half(problem, point, "abilities"), "items")
        flat = np.concatenate([point.x.ravel(), point.t])
        image = np.concatenate([best.x.ravel(), best.t])
        mixed = self._mixer.propose(flat, image)
        x, t = _inside(problem, mixed[: point.x.size].reshape(point.x.shape), mixed[point.x.size :])
        found = problem.evaluate(x, t)
        if found.value > best.slopes.value:
            return replace(point, x=x, t=t, slopes=found)
        self._mixer.forget()
        return best if best.slopes.value > point.slopes.value else None

    def _half(self, problem: JointProblem, point: JointPoint, side: str) -> JointPoint:
        slopes = without_held(problem, point)
        share = 1.0
        for _ in range(12):
            x, t = point.x, point.t
            if side == "items":
                step = scoring_direction(slopes.item_slope, slopes.item_matrix)
                x = x + share * np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
            else:
                step = slopes.ability_slope / np.maximum(slopes.ability_matrix, 1e-9)
                t = t + share * np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
            x, t = _inside(problem, x, t)
            found = problem.evaluate(x, t)
            if found.value >= point.slopes.value:
                return replace(point, x=x, t=t, slopes=found)
            share /= 4
        return point


def try_other_items(
    problem: JointProblem, point: JointPoint, starts: list[ItemCoordinates]
) -> JointPoint:
    """Search for each item anew from other starts, abilities held, and keep what is higher.

    The surface of a single item can have one top for each sign of its discrimination; all items
    are tried at once.
    """
    best, heights = point.x, point.slopes.item_values
    for start in starts:
        x, _ = _inside(problem, start, point.t)
        slopes = problem.evaluate(x, point.t)
        for _ in range(_ITEM_STEPS):
            step = scoring_direction(slopes.item_slope, slopes.item_matrix)
            moved, _ = _inside(problem, x + _shortened(step), point.t)
            found = problem.evaluate(moved, point.t)
            is_worse = found.item_values < slopes.item_values
            if is_worse.any():
                moved = np.where(is_worse[:, None], (x + moved) / 2, moved)
                found = problem.evaluate(moved, point.t)
            x, slopes = moved, found
        is_better = slopes.item_values > heights + _NOTABLE_GAIN
        best = np.where(is_better[:, None], x, best)
        heights = np.where(is_better, slopes.item_values, heights)
    return replace(point, x=best, slopes=problem.evaluate(best, point.t))


def held_parts(problem: JointProblem, point: JointPoint) -> tuple[ItemCoordinates, PerRespondent]:
    """Mark parameters that are held, or sit at a bound with the objective rising beyond."""
    lower, upper = problem.bounds
    slopes = point.slopes
    held = ((point.x <= lower) & (slopes.item_slope < 0)) | (
        (point.x >= upper) & (slopes.item_slope > 0)
    )
    if problem.free is not None:
        held |= ~problem.free
    least, most = ABILITY_BOUNDS
    stuck = ((point.t <= least) & (slopes.ability_slope < 0)) | (
        (point.t >= most) & (slopes.ability_slope > 0)
    )
    return held, stuck


def without_held(problem: JointProblem, point: JointPoint) -> Slopes:
    """Take parameters out that are held, or sit at a bound with the objective rising beyond."""
    held, stuck = held_parts(problem, point)
    slopes = point.slopes
    if not held.any() and not stuck.any():
        return slopes
    matrix = slopes.item_matrix * ~(held[:, :, None] | held[:, None, :])
    diagonal = np.arange(point.x.shape[1])
    matrix[:, diagonal, diagonal] = slopes.item_matrix[:, diagonal, diagonal]
    return replace(
        slopes,
        item_slope=np.where(held, 0.0, slopes.item_slope),
        ability_slope=np.where(stuck, 0.0, slopes.ability_slope),
        item_matrix=matrix,
        cross=slopes.cross * ~held[:, :, None] * ~stuck[: slopes.cross.shape[2]],
    )


def moved(
    problem: JointProblem, point: JointPoint, step_x: ItemCoordinates, step_t: PerRespondent
) -> JointPoint:
    """Give the point so far away, within the bounds."""
    x, t = _inside(problem, point.x + step_x, point.t + step_t)
    return replace(point, x=x, t=t, slopes=problem.evaluate(x, t))


def _decrement(point: JointPoint, problem: JointProblem) -> float:
    """Squared length of the gradient in units of the information."""
    slopes = without_held(problem, point)
    if problem.is_coupled:
        step_x, step_t = as_arrow(slopes, 1e-9).solve(slopes.item_slope, slopes.ability_slope)
    else:
        step_x = scoring_direction(slopes.item_slope, slopes.item_matrix)
        step_t = slopes.ability_slope / np.maximum(slopes.ability_matrix, 1e-9)
    return float(np.sum(step_x * slopes.item_slope) + step_t @ slopes.ability_slope)


def _shortened(step: SameShape) -> SameShape:
    """No entity moves too far at once; one that wants to does not slow the others down."""
    size = np.abs(step) if step.ndim == 1 else np.abs(step).max(axis=1, keepdims=True)
    return step * np.minimum(1.0, _LONGEST_STEP / np.maximum(size, 1e-12))


def _inside(
    problem: JointProblem, x: ItemCoordinates, t: PerRespondent
) -> tuple[ItemCoordinates, PerRespondent]:
    return np.clip(x, *problem.bounds), np.clip(t, *ABILITY_BOUNDS)
