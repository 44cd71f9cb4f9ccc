"""Climb the bound of a linked posterior: means and precision step together.

A step of the natural gradient takes the precision towards −E[∇²] and the means by the new
precision's inverse times E[∇], which is Newton's step where the posterior is narrow. A share of the
step is taken where all of it would let the bound fall or the precision lose its positivity. Steps
that answer each other (a wider posterior that asks for a narrower one, and back) are combined by
Anderson's method, without which some data take hundreds of them.
"""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.checkpoint import begin_climb, remember_climb
from itemcurve.estimation.marginal.em_newton import Report
from itemcurve.estimation.posterior_mode.fisher_scoring import JointPoint, without_held
from itemcurve.estimation.posterior_mode.log_posterior import ABILITY_BOUNDS, Slopes
from itemcurve.estimation.status import FitStatus
from itemcurve.estimation.variational.full_rank_elbo import LinkedField, LinkedPosterior
from itemcurve.numerics.acceleration import AndersonMixer
from itemcurve.numerics.engine import Array

_LONGEST_STEP = 1.0
_LEAST_SHARE = 1e-4
# Squared distance to the maximum, in standard deviations and per parameter, below which steps are
# combined; farther away they have little in common.
_NEAR = 1.0
_STEPS_COMBINED = 10
# So many combined steps without a fall make a longer share worth a try.
_PATIENCE = 5
# The cubature of the bound and that of its second derivatives differ in the last digits: a fall of
# this size, in units of log-likelihood, is none if the step also comes closer to the maximum.
_NOISE = 1e-3


@dataclass(frozen=True, eq=False)
class LinkedPoint:
    """Where the climb stands or ended.

    Attributes
    ----------
    bound : the bound there, its slopes and the precision that it asks for.
    distance : squared distance to the maximum that these foresee, in standard deviations.
    """

    posterior: LinkedPosterior
    bound: Slopes
    distance: float
    status: FitStatus = FitStatus.MAX_ITERATIONS
    iterations: int = 0


def climb_linked(
    field: LinkedField,
    start: LinkedPosterior,
    *,
    tolerance: float,
    max_iterations: int,
    report: Report | None,
) -> LinkedPoint:
    """Climb from a start until means and precision no longer move.

    Parameters
    ----------
    tolerance : squared distance to the maximum, in standard deviations, averaged over parameters.
    """
    here, pace = _look(field, _resumed(report, start)), _Pace()
    size = start.x.size + start.t.size
    unit, mixer = _Unit.of(here.posterior), AndersonMixer(depth=_STEPS_COMBINED)
    for iteration in range(1, max_iterations + 1):
        if here.distance < tolerance * size:
            return replace(here, status=FitStatus.CONVERGED, iterations=iteration - 1)
        higher = None
        if here.distance < _NEAR * size:
            image = _stepped(here, pace.share)
            mixed = mixer.propose(unit.flat(here.posterior), unit.flat(image))
            higher = _risen(field, here, unit.posterior(mixed, image))
        if higher is None:
            mixer.forget()
            unit = _Unit.of(here.posterior)
        while higher is None:
            higher = _risen(field, here, _stepped(here, pace.share))
            if higher is None:
                pace.slow_down()
            if pace.share < _LEAST_SHARE:
                return replace(here, status=FitStatus.STALLED, iterations=iteration - 1)
        here = higher
        if pace.is_raised(is_near=here.distance < _NEAR * size):
            mixer.forget()
        remember_climb(report, *_arrays(here.posterior))
        if report is not None:
            report(iteration, here.bound.value)
    return replace(here, iterations=max_iterations)


class _Pace:
    """The share of a step to take: halved after a fall, doubled after a rise, near after a few."""

    def __init__(self) -> None:
        self.share = 1.0
        self._steps = 0

    def slow_down(self) -> None:
        self.share, self._steps = self.share / 2, 0

    def is_raised(self, is_near: bool) -> bool:
        """Count a step that led uphill, and say whether the next is to be longer."""
        self._steps += 1
        if self.share == 1.0 or (is_near and self._steps < _PATIENCE):
            return False
        self.share, self._steps = min(2 * self.share, 1.0), 0
        return True


@dataclass(frozen=True, eq=False)
class _Unit:
    """Posteriors as flat arrays in which a step of one counts the same everywhere."""

    items: Array
    abilities: Array

    @classmethod
    def of(cls, q: LinkedPosterior) -> "_Unit":
        """Measure in the conditional standard deviations of a posterior."""
        diagonal = np.diagonal(q.precision.item_matrix, axis1=1, axis2=2)
        return cls(np.sqrt(diagonal), np.sqrt(q.precision.ability_matrix))

    def flat(self, q: LinkedPosterior) -> Array:
        """Means and precision of a posterior."""
        pairs = zip(_arrays(q), self._factors(), strict=True)
        return np.concatenate([(part * factor).ravel() for part, factor in pairs])

    def posterior(self, flat: Array, like: LinkedPosterior) -> LinkedPosterior:
        """Give the posterior back; `like` has its shape."""
        shapes = [part.shape for part in _arrays(like)]
        ends = np.cumsum([np.prod(shape, dtype=int) for shape in shapes])[:-1]
        parts = zip(np.split(flat, ends), shapes, self._factors(), strict=True)
        return _with_arrays(like, [part.reshape(shape) / factor for part, shape, factor in parts])

    def _factors(self) -> tuple[Array, ...]:
        items, abilities = self.items, self.abilities
        return (
            items,
            abilities,
            1 / (items[:, :, None] * items[:, None, :]),
            1 / abilities**2,
            1 / (items[:, :, None] * abilities),
        )


def _look(field: LinkedField, q: LinkedPosterior) -> LinkedPoint:
    """Evaluate the bound at a posterior, without the slopes that lead out of the bounds."""
    bound = field.bound(q)
    point = JointPoint(q.x, q.t, bound, FitStatus.MAX_ITERATIONS, 0)
    inner = without_held(field.field.problem, point)
    return LinkedPoint(q, inner, _distance(q, inner))


def _stepped(here: LinkedPoint, share: float) -> LinkedPosterior:
    """Take a share of the natural step."""
    q, bound = here.posterior, here.bound
    now, asked = q.precision, bound
    names = ("item_matrix", "ability_matrix", "cross")
    mixed = [(1 - share) * getattr(now, name) + share * getattr(asked, name) for name in names]
    moved = _with_arrays(q, [q.x, q.t, *mixed])
    steps = moved.arrow.solve(bound.item_slope, bound.ability_slope)
    in_x, in_t = (np.clip(share * step, -_LONGEST_STEP, _LONGEST_STEP) for step in steps)
    return replace(moved, x=q.x + in_x, t=q.t + in_t)


def _risen(field: LinkedField, here: LinkedPoint, q: LinkedPosterior) -> LinkedPoint | None:
    """Look at a posterior; None where it does not lie higher, or is no distribution."""
    try:
        x, t = np.clip(q.x, *field.field.problem.bounds), np.clip(q.t, *ABILITY_BOUNDS)
        there = _look(field, replace(q, x=x, t=t))
    except np.linalg.LinAlgError:
        return None
    rise = there.bound.value - here.bound.value
    is_closer = rise > -_NOISE and there.distance < here.distance
    return there if rise >= -1e-13 * abs(here.bound.value) or is_closer else None


def _distance(q: LinkedPosterior, asked: Slopes) -> float:
    """Squared length of the natural step, the precision's part block by block."""
    steps = q.arrow.solve(asked.item_slope, asked.ability_slope)
    means = np.sum(steps[0] * asked.item_slope) + steps[1] @ asked.ability_slope
    now = q.precision
    inverse = np.linalg.inv(now.item_matrix)
    gap = inverse @ (asked.item_matrix - now.item_matrix)
    blocks = np.einsum("iab,iba->", gap, gap)
    abilities = np.sum((asked.ability_matrix / now.ability_matrix - 1.0) ** 2)
    change = asked.cross - now.cross
    links = np.sum((inverse @ change) * change / now.ability_matrix)
    return float(means + blocks / 2 + abilities / 2 + links)


def _arrays(q: LinkedPosterior) -> tuple[Array, ...]:
    return q.x, q.t, q.precision.item_matrix, q.precision.ability_matrix, q.precision.cross


def _with_arrays(q: LinkedPosterior, arrays: list[Array]) -> LinkedPosterior:
    x, t, items, abilities, cross = arrays
    precision = replace(q.precision, item_matrix=items, ability_matrix=abilities, cross=cross)
    return LinkedPosterior(x, t, precision)


def _resumed(report: Report | None, start: LinkedPosterior) -> LinkedPosterior:
    """Begin at the start, or where an interrupted climb stood."""
    return _with_arrays(start, list(begin_climb(report, *_arrays(start))))
