"""Raise the bound of a full-rank posterior: means and precision step together.

A step of the natural gradient takes the precision towards −E[∇²] and the means by the new
precision's inverse times E[∇], which is Newton's step where the posterior is narrow. A share of the
step is taken where all of it would let the bound fall or the precision lose its positivity. Steps
that answer each other (a wider posterior that asks for a narrower one, and back) are combined by
Anderson's method, without which some data take hundreds of them.
"""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.optimisation.iterate import Coordinates, Optimum, Watch, iterate
from itemcurve.estimation.posterior_mode.fisher_scoring import JointPoint, without_held
from itemcurve.estimation.posterior_mode.log_posterior import ABILITY_BOUNDS, Slopes
from itemcurve.estimation.status import FitStatus
from itemcurve.estimation.variational.full_rank_elbo import FullRankELBO, FullRankPosterior
from itemcurve.numerics.acceleration import AndersonMixer
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import Estimated, ItemCoordinates, PerRespondent

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
class FullRankPoint:
    """Where the search stands.

    Attributes
    ----------
    bound : the bound there, its slopes and the precision that it asks for.
    distance : squared distance to the maximum that these foresee, in standard deviations.
    """

    posterior: FullRankPosterior
    bound: Slopes
    distance: float


def raise_full_rank(
    elbo: FullRankELBO,
    start: FullRankPosterior,
    *,
    tolerance: float,
    max_iterations: int,
    watch: Watch,
) -> Optimum[FullRankPoint]:
    """Search from a start until means and precision no longer move.

    Parameters
    ----------
    tolerance : squared distance to the maximum, in standard deviations, averaged over parameters.
    """
    stepper = FullRankAscent(elbo, start, tolerance)
    return iterate(stepper, _arrays(start), max_iterations=max_iterations, watch=watch)


class FullRankAscent:
    """Natural-gradient steps, combined by Anderson's method where they answer each other."""

    def __init__(self, elbo: FullRankELBO, like: FullRankPosterior, tolerance: float) -> None:
        self.elbo = elbo
        self.tolerance = tolerance
        self._like = like
        self._size = like.x.size + like.t.size
        self._pace = _Pace()
        self._mixer = AndersonMixer(depth=_STEPS_COMBINED)
        self._unit: _Unit | None = None

    def at(self, *arrays: Array) -> FullRankPoint:
        """Evaluate the bound."""
        return _look(self.elbo, _with_arrays(self._like, list(arrays)))

    def coordinates(self, point: FullRankPoint) -> Coordinates:
        """Means and precision."""
        return _arrays(point.posterior)

    def objective(self, point: FullRankPoint) -> float:
        """The bound."""
        return point.bound.value

    def step(self, here: FullRankPoint) -> tuple[FullRankPoint, FitStatus | None]:
        """A step that raises the bound, as long a share of the natural one as does."""
        if here.distance < self.tolerance * self._size:
            return here, FitStatus.CONVERGED
        higher = self._combined(here)
        if higher is None:
            self._mixer.forget()
            self._unit = _Unit.of(here.posterior)
        while higher is None:
            higher = _risen(self.elbo, here, _stepped(here, self._pace.share))
            if higher is None:
                self._pace.slow_down()
            if self._pace.share < _LEAST_SHARE:
                return here, FitStatus.STALLED
        if self._pace.is_raised(is_near=higher.distance < _NEAR * self._size):
            self._mixer.forget()
        return higher, None

    def _combined(self, here: FullRankPoint) -> FullRankPoint | None:
        """What the last steps together ask for; None while far away, or where it does not help."""
        self._unit = self._unit or _Unit.of(here.posterior)
        if here.distance >= _NEAR * self._size:
            return None
        image = _stepped(here, self._pace.share)
        mixed = self._mixer.propose(self._unit.flat(here.posterior), self._unit.flat(image))
        return _risen(self.elbo, here, self._unit.posterior(mixed, image))


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

    items: ItemCoordinates
    abilities: PerRespondent

    @classmethod
    def of(cls, q: FullRankPosterior) -> "_Unit":
        """Measure in the conditional standard deviations of a posterior."""
        diagonal = np.diagonal(q.precision.item_matrix, axis1=1, axis2=2)
        return cls(np.sqrt(diagonal), np.sqrt(q.precision.ability_matrix))

    def flat(self, q: FullRankPosterior) -> Estimated:
        """Means and precision of a posterior."""
        pairs = zip(_arrays(q), self._factors(), strict=True)
        return np.concatenate([(part * factor).ravel() for part, factor in pairs])

    def posterior(self, flat: Estimated, like: FullRankPosterior) -> FullRankPosterior:
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


def _look(elbo: FullRankELBO, q: FullRankPosterior) -> FullRankPoint:
    """Evaluate the bound at a posterior, without the slopes that lead out of the bounds."""
    bound = elbo.bound(q)
    point = JointPoint(q.x, q.t, bound)
    inner = without_held(elbo.elbo.problem, point)
    return FullRankPoint(q, inner, _distance(q, inner))


def _stepped(here: FullRankPoint, share: float) -> FullRankPosterior:
    """Take a share of the natural step."""
    q, bound = here.posterior, here.bound
    now, asked = q.precision, bound
    names = ("item_matrix", "ability_matrix", "cross")
    mixed = [(1 - share) * getattr(now, name) + share * getattr(asked, name) for name in names]
    moved = _with_arrays(q, [q.x, q.t, *mixed])
    steps = moved.arrow.solve(bound.item_slope, bound.ability_slope)
    in_x, in_t = (np.clip(share * step, -_LONGEST_STEP, _LONGEST_STEP) for step in steps)
    return replace(moved, x=q.x + in_x, t=q.t + in_t)


def _risen(elbo: FullRankELBO, here: FullRankPoint, q: FullRankPosterior) -> FullRankPoint | None:
    """Look at a posterior; None where it does not lie higher, or is no distribution."""
    try:
        x, t = np.clip(q.x, *elbo.elbo.problem.bounds), np.clip(q.t, *ABILITY_BOUNDS)
        there = _look(elbo, replace(q, x=x, t=t))
    except np.linalg.LinAlgError:
        return None
    rise = there.bound.value - here.bound.value
    is_closer = rise > -_NOISE and there.distance < here.distance
    return there if rise >= -1e-13 * abs(here.bound.value) or is_closer else None


def _distance(q: FullRankPosterior, asked: Slopes) -> float:
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


def _arrays(q: FullRankPosterior) -> tuple[Array, ...]:
    return q.x, q.t, q.precision.item_matrix, q.precision.ability_matrix, q.precision.cross


def _with_arrays(q: FullRankPosterior, arrays: list[Array]) -> FullRankPosterior:
    x, t, items, abilities, cross = arrays
    precision = replace(q.precision, item_matrix=items, ability_matrix=abilities, cross=cross)
    return FullRankPosterior(x, t, precision)
