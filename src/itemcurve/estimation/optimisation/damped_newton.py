"""The linear algebra of a Newton step: bounds, damping, negative curvature."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np

from itemcurve.estimation.identification.population import Population
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityMatrices,
    Estimated,
    EstimatedMatrix,
    State,
)
from itemcurve.numerics.symmetric_matrices import decompose, solve_positive

Point = TypeVar("Point")

# Share of the complete-data information from which a curvature upwards is one.
_BENT = 1e-3
# How far from a saddle, in units of the scale, to look for what is higher.
SADDLE_STEPS = (1.0, -1.0, 0.3, -0.3, 0.1, -0.1)


class Bounded(Protocol):
    """What is known of the bounds of a problem: of its entities' coordinates and population."""

    @property
    def bounds(self) -> tuple[tuple[float, float], ...]:
        """Of each coordinate."""

    @property
    def population(self) -> Population:
        """With bounds of its state."""

    @property
    def free(self) -> EntityCoordinates | None:
        """Which coordinates are estimated; None for all."""


def held_at_bounds(
    problem: Bounded, x: EntityCoordinates, state: State, gradient: Estimated
) -> Estimated:
    """Mark parameters that are held, or sit at a bound with the objective rising beyond it."""
    lower, upper = np.transpose(problem.bounds)
    slope = gradient[: x.size].reshape(x.shape)
    held = ((x <= lower) & (slope < 0)) | ((x >= upper) & (slope > 0))
    if problem.free is not None:
        held |= ~problem.free
    least, most = problem.population.bounds()
    pull = gradient[x.size :]
    return np.concatenate(
        [held.ravel(), ((state <= least) & (pull < 0)) | ((state >= most) & (pull > 0))]
    )


def without_held(
    gradient: Estimated, matrix: EstimatedMatrix, held: Estimated, scale: Estimated
) -> tuple[Estimated, EstimatedMatrix]:
    """Take held parameters out of the problem: no gradient, no coupling."""
    if not held.any():
        return gradient, matrix
    matrix = matrix.copy()
    matrix[held, :] = 0.0
    matrix[:, held] = 0.0
    matrix[held, held] = scale[held]
    return np.where(held, 0.0, gradient), matrix


def damped_step(
    gradient: Estimated, matrix: EstimatedMatrix, scale: Estimated, damping: float
) -> tuple[Estimated, bool]:
    """Solve (M + λD) step = gradient; where that is not positive definite, go uphill all the same.

    Along directions of negative curvature the step is as long as positive curvature of the same
    size would make it (saddle-free Newton, Dauphin et al. 2014), so that a single such direction
    does not slow all the others down.
    """
    damped = matrix + np.diag(damping * scale) if damping else matrix
    step = solve_positive(damped, gradient)
    if step is not None:
        return step, True
    root = np.sqrt(scale)
    values, vectors = decompose(matrix / np.outer(root, root))
    size = np.maximum(np.abs(values), 1e-9) + damping
    return vectors @ ((vectors.T @ (gradient / root)) / size) / root, False


def way_off_saddle(matrix: EstimatedMatrix, held: Estimated, scale: Estimated) -> Estimated | None:
    """Give the direction along which the objective bends upwards, one unit of the scale long.

    Where the gradient is zero no step leads off a saddle, such as that of two items whose slopes
    are zero and could both be above or below. None where the objective bends down or is flat.
    """
    root = np.sqrt(scale)
    bent = np.where(held[:, None] | held[None, :], 0.0, matrix / np.outer(root, root))
    values, vectors = decompose(bent)
    lowest = int(np.argmin(values))
    return vectors[:, lowest] / root if values[lowest] < -_BENT else None


def diagonal_scale(information: EntityMatrices, n_state: int, units: float) -> Estimated:
    """Complete-data information of every parameter: the natural unit of its damping."""
    items = np.maximum(np.diagonal(information, axis1=1, axis2=2).ravel(), 1e-6)
    return np.concatenate([items, np.full(n_state, units)])


class DampedNewton:
    """Newton steps that are damped until one leads to a point worth taking.

    Parameters
    ----------
    first, least : damping to begin with, and below which there is none, in shares of the scale.
    rise : factor by which damping grows after a step in vain; it falls tenfold after a good one.
    trials : steps to try before giving up.
    """

    def __init__(self, first: float, least: float, rise: float, trials: int) -> None:
        self._damping = first
        self._least, self._rise, self._trials = least, rise, trials

    def advance(
        self,
        gradient: Estimated,
        matrix: EstimatedMatrix,
        scale: Estimated,
        held: Estimated,
        attempt: Callable[[Estimated], Point | None],
    ) -> tuple[Point | None, float]:
        """Give where a step leads (None: nowhere) and twice the gain that an undamped one foresees.

        Parameters
        ----------
        attempt : the point that a step leads to; None where it is not worth taking.
        """
        gradient, matrix = without_held(gradient, matrix, held, scale)
        decrement = float(gradient @ damped_step(gradient, matrix, scale, 0.0)[0])
        for _ in range(self._trials):
            step, _ = damped_step(gradient, matrix, scale, self._damping)
            found = attempt(step)
            if found is not None:
                is_damped = self._damping > self._least
                self._damping = self._damping / 10 if is_damped else 0.0
                return found, decrement
            self._damping = max(self._rise * self._damping, 10 * self._least)
        return None, decrement
