"""Raise the evidence lower bound: Newton on the means, a fixed point for the spreads.

At the maximum the gradient in the means vanishes and every precision equals −E[∂² log joint]. Means
step with the information of abilities and items together; spreads step towards that precision; a
step is taken only where the bound rises. The first rounds hold discriminations while abilities and
difficulties settle, then the reverse (Chen et al. 2019, algorithm 1), which decides their signs.
"""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.optimisation.entity_steps import scoring_direction
from itemcurve.estimation.optimisation.iterate import Coordinates, Optimum, Watch, iterate
from itemcurve.estimation.posterior_mode.arrowhead_information import as_arrow
from itemcurve.estimation.posterior_mode.fisher_scoring import JointPoint, without_held
from itemcurve.estimation.posterior_mode.log_posterior import ABILITY_BOUNDS, Slopes
from itemcurve.estimation.status import FitStatus
from itemcurve.estimation.variational.mean_field_elbo import (
    Bound,
    MeanFieldELBO,
    MeanFieldPosterior,
)
from itemcurve.models.parameters import Role
from itemcurve.models.priors import on_coordinate
from itemcurve.numerics.acceleration import AndersonMixer
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import ItemCoordinates, PerCoordinate, PerRespondent, SameShape

_ROUNDS = 3
_LONGEST_STEP = 1.0
_LEAST_SD, _MOST_SD = 1e-4, 3.0
# So many rounds in a row that raise the bound by less, in units of log-likelihood, end a search:
# where responses are all at an end of their range the bound is flat, and steps crawl along it.
_MOST_IDLE_ROUNDS, _NEGLIGIBLE_GAIN = 20, 1e-13
# Weights can make a bound so large that what is worth nothing is far above its last digits.
_LARGE, _SHARE_OF_LARGE = 1e7, 1e-11
# A squared distance in standard deviations that would still be worth something.
_WORTH_TAKING = 0.02
_SHARES = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 1e-3)


@dataclass(frozen=True, eq=False)
class MeanFieldPoint:
    """Where the search stands."""

    posterior: MeanFieldPosterior
    bound: Bound


def raise_mean_field(
    elbo: MeanFieldELBO,
    start: MeanFieldPosterior,
    *,
    tolerance: float,
    max_iterations: int,
    watch: Watch,
) -> Optimum[MeanFieldPoint]:
    """Search from a start until means and spreads no longer move.

    Parameters
    ----------
    tolerance : squared distance to the maximum, in standard deviations, averaged over parameters.
    """
    stepper = MeanFieldAscent(elbo, tolerance * (start.x.size + start.t.size))
    coordinates = start.x, start.x_sd, start.t, start.t_sd
    return iterate(stepper, coordinates, max_iterations=max_iterations, watch=watch)


class MeanFieldAscent:
    """Steps of means and spreads: first in turns, then all together, combined by Anderson."""

    def __init__(self, elbo: MeanFieldELBO, tolerance: float) -> None:
        self.elbo = elbo
        self.tolerance = tolerance
        self._mixer = AndersonMixer(depth=8)
        self._share = 1.0
        self._rounds = 0
        self._idle = 0

    def at(self, *arrays: Array) -> MeanFieldPoint:
        """Evaluate the bound."""
        posterior = MeanFieldPosterior(*arrays)
        return MeanFieldPoint(posterior, self.elbo.bound(posterior))

    def coordinates(self, point: MeanFieldPoint) -> Coordinates:
        """Means and spreads of items and abilities."""
        q = point.posterior
        return q.x, q.x_sd, q.t, q.t_sd

    def objective(self, point: MeanFieldPoint) -> float:
        """The bound."""
        return point.bound.value

    def step(self, point: MeanFieldPoint) -> tuple[MeanFieldPoint, FitStatus | None]:
        """A step that raises the bound, along the one that everything asks for or straight up."""
        self._rounds += 1
        q, bound = point.posterior, point.bound
        are_together = self._rounds > 2 * _ROUNDS
        step = _direction(self.elbo, q, bound, _held_columns(self.elbo, self._rounds))
        if are_together and step.decrement < self.tolerance:
            return point, FitStatus.CONVERGED
        better = None
        if are_together:
            better = _mixed(self.elbo, q, bound, step, self._mixer, self._share)
        if better is None:
            self._mixer.forget()
            self._share, better = _ascend(self.elbo, q, bound, step)
        if better is None:
            better = _ascend(self.elbo, q, bound, _uphill(self.elbo, q, bound))[1]
        if better is None:
            return point, FitStatus.STALLED if are_together else None
        gain = better[1].value - bound.value
        self._idle = self._idle + 1 if gain < _negligible(bound) else 0
        status = None
        if self._idle >= _MOST_IDLE_ROUNDS:
            is_flat = step.decrement < _WORTH_TAKING
            status = FitStatus.FLAT if is_flat else FitStatus.STALLED
        return MeanFieldPoint(*better), status


@dataclass(frozen=True, eq=False)
class _Step:
    """A step of means and log spreads, and the squared distance it foresees."""

    x: ItemCoordinates
    t: PerRespondent
    log_x_sd: ItemCoordinates
    log_t_sd: PerRespondent
    decrement: float


def _held_columns(elbo: MeanFieldELBO, iteration: int) -> tuple[PerCoordinate, bool]:
    """Which item coordinates wait in this round, and whether abilities do."""
    likelihood = elbo.problem.likelihood
    roles = [likelihood.model.parameters[i].role for i in likelihood.free]
    is_slope = np.array([role is Role.SLOPE for role in roles])
    if iteration > 2 * _ROUNDS or not is_slope.any():
        return np.zeros(len(roles), dtype=bool), False
    return (is_slope, False) if iteration % 2 else (~is_slope, True)


def _direction(
    elbo: MeanFieldELBO, q: MeanFieldPosterior, bound: Bound, held: tuple[PerCoordinate, bool]
) -> _Step:
    by_ability, by_item = elbo.kl_weights
    columns, abilities_wait = held
    for is_near in (not columns.any(), False):
        slopes = _waiting(_matrices(elbo, q, bound, is_near), columns, abilities_wait)
        step_x, step_t, gain = _solved(elbo, q, slopes)
        # The observed information need not be positive; then the expected one leads uphill.
        if gain > 0:
            break
    diagonal = np.diagonal(slopes.item_matrix, axis1=1, axis2=2)
    gaps = np.concatenate(
        [
            (1.0 - q.x_sd**2 * bound.x_precision / by_item).ravel(),
            1.0 - q.t_sd**2 * bound.t_precision / by_ability,
        ]
    )
    alone = float(np.sum((slopes.item_slope * q.x_sd) ** 2)) / by_item
    alone += float(np.sum((slopes.ability_slope * q.t_sd) ** 2)) / by_ability
    return _Step(
        x=step_x,
        t=step_t,
        log_x_sd=_towards(bound.x_precision, diagonal, by_item, q.x_sd) * ~columns,
        log_t_sd=_towards(bound.t_precision, slopes.ability_matrix, by_ability, q.t_sd)
        * (not abilities_wait),
        decrement=max(gain, alone) + float(gaps @ gaps) / 2,
    )


def _uphill(elbo: MeanFieldELBO, q: MeanFieldPosterior, bound: Bound) -> _Step:
    """A natural gradient step of each parameter by itself: short, but surely uphill."""
    by_ability, by_item = elbo.kl_weights
    return _Step(
        x=q.x_sd**2 * bound.x_slope / by_item,
        t=q.t_sd**2 * bound.t_slope / by_ability,
        log_x_sd=np.clip((1.0 - q.x_sd**2 * bound.x_precision / by_item) / 2, -1.0, 1.0),
        log_t_sd=np.clip((1.0 - q.t_sd**2 * bound.t_precision / by_ability) / 2, -1.0, 1.0),
        decrement=0.0,
    )


def _solved(
    elbo: MeanFieldELBO, q: MeanFieldPosterior, slopes: Slopes
) -> tuple[ItemCoordinates, PerRespondent, float]:
    """A step of the means, and the rise it foresees (twice)."""
    point = JointPoint(q.x, q.t, slopes)
    slopes = without_held(elbo.problem, point)
    if elbo.problem.is_coupled:
        step_x, step_t = as_arrow(slopes, 1e-6).solve(slopes.item_slope, slopes.ability_slope)
    else:
        step_x = scoring_direction(slopes.item_slope, slopes.item_matrix)
        step_t = slopes.ability_slope / slopes.ability_matrix
    gain = np.sum(step_x * slopes.item_slope) + step_t @ slopes.ability_slope
    return step_x, step_t, float(gain)


def _matrices(elbo: MeanFieldELBO, q: MeanFieldPosterior, bound: Bound, is_near: bool) -> Slopes:
    """Information at the means, scaled so that its diagonal is that of the bound itself."""
    slopes = elbo.information(q, is_near)
    by_ability, by_item = elbo.kl_weights
    matrix, abilities = slopes.item_matrix.copy(), slopes.ability_matrix.copy()
    for column, prior in enumerate(elbo.item_priors_at(q.x, q.x_sd)):
        bend = on_coordinate(prior).curvature(NUMPY, q.x[:, column])
        matrix[:, column, column] += by_item * np.maximum(-bend, 1e-6)
    bend = on_coordinate(elbo.ability_prior_at(q.t, q.t_sd)).curvature(NUMPY, q.t)
    abilities += by_ability * np.maximum(-bend, 1e-6)
    diagonal = np.maximum(np.diagonal(matrix, axis1=1, axis2=2), 1e-6)
    abilities = np.maximum(abilities, 1e-6)
    by_x = np.sqrt(np.clip(bound.x_precision / diagonal, 0.1, 10.0))
    by_t = np.sqrt(np.clip(bound.t_precision / abilities, 0.1, 10.0))
    return replace(
        slopes,
        item_slope=bound.x_slope,
        ability_slope=bound.t_slope,
        item_matrix=matrix * by_x[:, :, None] * by_x[:, None, :],
        ability_matrix=abilities * by_t**2,
        cross=slopes.cross * by_x[:, :, None] * by_t[: slopes.cross.shape[2]],
    )


def _waiting(slopes: Slopes, columns: PerCoordinate, abilities_wait: bool) -> Slopes:
    """Take what waits out of the system."""
    if not columns.any() and not abilities_wait:
        return slopes
    kept = ~columns
    matrix = slopes.item_matrix * (kept[:, None] & kept[None, :])
    diagonal = np.arange(len(columns))
    matrix[:, diagonal, diagonal] = slopes.item_matrix[:, diagonal, diagonal]
    return replace(
        slopes,
        item_slope=slopes.item_slope * kept,
        ability_slope=slopes.ability_slope * (not abilities_wait),
        item_matrix=matrix,
        cross=slopes.cross * kept[:, None] * (not abilities_wait),
    )


def _towards(precision: SameShape, fallback: SameShape, weight: float, sd: SameShape) -> SameShape:
    """Change of log sd towards the precision found; towards the expected one where it is none."""
    sound: Array = np.where(precision > 0.05 * fallback, precision, fallback)
    return np.clip(0.5 * np.log(weight / sound) - np.log(sd), -_LONGEST_STEP, _LONGEST_STEP)


def _mixed(
    elbo: MeanFieldELBO,
    q: MeanFieldPosterior,
    bound: Bound,
    step: _Step,
    mixer: AndersonMixer,
    share: float,
) -> tuple[MeanFieldPosterior, Bound] | None:
    """Combine the last few steps, each this share of its length, if that raises the bound."""
    flat = np.concatenate([q.x.ravel(), q.t, np.log(q.x_sd).ravel(), np.log(q.t_sd)])
    moves = (_short(step.x).ravel(), _short(step.t), step.log_x_sd.ravel(), step.log_t_sd)
    mixed = mixer.propose(flat, flat + share * np.concatenate(moves))
    n = q.x.size, q.x.size + q.t.size, 2 * q.x.size + q.t.size
    x, t, log_x_sd, log_t_sd = np.split(mixed, n)
    proposal = _inside(
        elbo, x.reshape(q.x.shape), t, np.exp(log_x_sd.reshape(q.x.shape)), np.exp(log_t_sd)
    )
    found = elbo.bound(proposal)
    return (proposal, found) if found.value >= bound.value - _rounding(bound) else None


def _ascend(
    elbo: MeanFieldELBO, q: MeanFieldPosterior, bound: Bound, step: _Step
) -> tuple[float, tuple[MeanFieldPosterior, Bound] | None]:
    """Go as far along the step as the bound rises, and say how far that is."""
    for share in _SHARES:
        proposal = _inside(
            elbo,
            q.x + _short(share * step.x),
            q.t + _short(share * step.t),
            q.x_sd * np.exp(share * step.log_x_sd),
            q.t_sd * np.exp(share * step.log_t_sd),
        )
        found = elbo.bound(proposal)
        if found.value >= bound.value - _rounding(bound):
            return share, (proposal, found)
    return _SHARES[-1], None


def _inside(
    elbo: MeanFieldELBO,
    x: ItemCoordinates,
    t: PerRespondent,
    x_sd: ItemCoordinates,
    t_sd: PerRespondent,
) -> MeanFieldPosterior:
    return MeanFieldPosterior(
        x=np.clip(x, *elbo.problem.bounds),
        x_sd=np.clip(x_sd, _LEAST_SD, _MOST_SD),
        t=np.clip(t, *ABILITY_BOUNDS),
        t_sd=np.clip(t_sd, _LEAST_SD, _MOST_SD),
    )


def _negligible(bound: Bound) -> float:
    size = abs(bound.value)
    return _SHARE_OF_LARGE * size if size > _LARGE else _NEGLIGIBLE_GAIN * max(1.0, size)


def _rounding(bound: Bound) -> float:
    return 1e-13 * abs(bound.value)


def _short(step: SameShape) -> SameShape:
    return np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
