"""Newton's method for votes: exact second derivatives, damped where a step leads nowhere."""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.numerics.arrowhead_systems import ArrowheadSystem
from itemcurve.pairs.model.constrained_system import ConstrainedSystem
from itemcurve.pairs.model.pair_problem import PairPoint, PairProblem
from itemcurve.pairs.votes.vote_data import Floats

# Largest gradient, in units of its own standard deviation, of what counts as a maximum.
GRADIENT_TOLERANCE = 1e-6
_STEP_TOLERANCE = 1e-9
_FIRST_DAMPING, _MOST_DAMPING = 1e-4, 1e8
# Of a step, before it is damped: where strengths and discriminations trade off, the way is curved,
# and part of a long step leads further than a short one.
_SHARES = (1.0, 0.5, 0.25, 0.125)


@dataclass(frozen=True, eq=False)
class Maximum:
    """Where a search ended.

    Attributes
    ----------
    gradient : the largest of its entries that constraints leave, in standard deviations.
    """

    point: PairPoint
    system: ConstrainedSystem
    gradient: float
    iterations: int
    is_converged: bool


def maximise(problem: PairProblem, start: Floats, max_iterations: int) -> Maximum:
    """Search from a start until neither the gradient nor a step says that there is more."""
    point = problem.at(start)
    damping = 0.0
    for iteration in range(max_iterations + 1):
        system = ConstrainedSystem(point.hessian(), problem.constraints)
        gradient = scaled_gradient(point, system)
        found, damping = _advance(point, _downward(point, system), damping)
        moved = np.inf if found is None else float(np.abs(found.theta - point.theta).max())
        is_flat = gradient <= GRADIENT_TOLERANCE
        if found is None or (is_flat and moved <= _STEP_TOLERANCE) or iteration == max_iterations:
            return Maximum(point, system, gradient, iteration, is_flat)
        point = found
    raise AssertionError("the loop returns")


def is_curved(best: Maximum) -> bool:
    """Whether the objective falls in every direction that is not held, so that errors exist."""
    try:
        best.system.system.log_determinant()
        return bool(np.isfinite(best.system.core_covariance()).all())
    except np.linalg.LinAlgError:
        return False


def _downward(point: PairPoint, system: ConstrainedSystem) -> ConstrainedSystem:
    """Give expected second derivatives where the exact ones do not curve downwards (scoring).

    Discriminations multiply strengths, so that far from the maximum some directions may not.
    """
    try:
        system.system.log_determinant()
    except np.linalg.LinAlgError:
        return replace(system, system=point.hessian(is_expected=True))
    return system


def scaled_gradient(point: PairPoint, system: ConstrainedSystem) -> float:
    """Give the largest entry of the gradient, less what constraints hold, by its own spread."""
    rows = point.problem.constraints
    held = rows.T @ np.linalg.solve(rows @ rows.T, rows @ point.gradient)
    blocks = np.diagonal(system.system.blocks, axis1=1, axis2=2).ravel()
    scale = np.concatenate([np.diagonal(system.system.corner), blocks])
    return float((np.abs(point.gradient - held) / np.sqrt(np.maximum(scale, 1e-12))).max())


def _advance(
    point: PairPoint, system: ConstrainedSystem, damping: float
) -> tuple[PairPoint | None, float]:
    """Give a better point (None: there is none) and the damping that the next step begins with."""
    # Rounding makes the last steps of a search neither better nor worse.
    least = point.objective - 1e-12 * max(abs(point.objective), 1.0)
    while damping <= _MOST_DAMPING:
        step = _step(point, system, damping)
        for share in () if step is None else _SHARES:
            found = point.problem.at(point.theta + share * step)
            if np.isfinite(found.objective) and found.objective >= least:
                return found, damping / 10 if damping > _FIRST_DAMPING else 0.0
        damping = max(10 * damping, _FIRST_DAMPING)
    return None, damping


def _step(point: PairPoint, system: ConstrainedSystem, damping: float) -> Floats | None:
    """Give the step with this damping, where it goes uphill."""
    damped = replace(system, system=_damp(system.system, damping)) if damping else system
    try:
        damped.system.log_determinant()
        step = damped.step(point.gradient)
    except np.linalg.LinAlgError:
        return None
    return step if np.isfinite(step).all() else None


def _damp(system: ArrowheadSystem, damping: float) -> ArrowheadSystem:
    """Add a share of the diagonal, and of its mean where that is not positive."""
    corner = np.diagonal(system.corner)
    scale = np.maximum(np.abs(corner), np.abs(corner).mean())
    own = np.abs(np.diagonal(system.blocks, axis1=1, axis2=2))
    blocks = system.blocks + damping * own[:, :, np.newaxis] * np.eye(system.blocks.shape[1])
    return ArrowheadSystem(blocks, system.cross, system.corner + damping * np.diag(scale))
