"""Newton steps on the marginal likelihood of ratings; spreads of tastes are found on the way."""

from dataclasses import astuple, dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from itemcurve.estimation.raters.likelihood.adaptive_nodes import (
    LocalModes,
    NodeCounts,
    Nodes,
    find_modes,
    place_nodes,
)
from itemcurve.estimation.raters.likelihood.rater_parameters import (
    Layout,
    RaterValues,
    is_ordered,
    pooled_shares,
)
from itemcurve.estimation.raters.likelihood.rater_penalty import (
    Penalty,
    Pooled,
    penalise,
    taste_means,
)
from itemcurve.estimation.raters.likelihood.rater_score import Derivatives, differentiate
from itemcurve.estimation.raters.likelihood.rating_design import Numbers, RatingDesign
from itemcurve.estimation.raters.likelihood.rating_posterior import RatingPosterior, integrate
from itemcurve.estimation.raters.likelihood.score_places import ScorePlaces, score_places
from itemcurve.estimation.raters.likelihood.taste_spread import find_taste_spread
from itemcurve.estimation.raters.likelihood.unit_tastes import settle_unit_tastes
from itemcurve.estimation.status import FitStatus

# A step this small in standard errors, squared, changes nothing that is reported.
_TOLERANCE = 1e-4
_TASTE_TOLERANCE = 0.03
# Twice what is left to gain, below which tastes are looked for.
_NEAR = 1.0
_ROUGHLY = 0.1
# Steps with few nodes; beyond, their errors may lead round in circles.
_MOST_ROUGH = 25
# A step that gains less shows what few nodes get wrong rather than what is left to gain.
_FAR = 5.0
_FIRST_TASTE = 0.2
_HALVINGS = 8
_SLACK = 0.02
_LONGEST = 1.5


@dataclass(frozen=True, eq=False)
class Tastes:
    """What raters make of partners and of units beyond the quality of answers.

    Attributes
    ----------
    spread : of tastes for partners.
    balance : raters × partners: weights by which tastes for a partner sum to zero.
    abilities : of the partners, as they were when tastes were first looked for.
    of_units : tastes for units, raters × units.
    unit_spread : of these.
    """

    spread: float
    balance: Numbers
    abilities: Numbers
    of_units: Numbers | None = None
    unit_spread: float = 0.0

    @property
    def held(self) -> Numbers:
        """Combinations of tastes that are held at zero."""
        return taste_means(self.balance, self.abilities)


@dataclass(frozen=True, eq=False)
class Point:
    """Parameters, and everything that follows from them."""

    vector: Numbers
    tastes: Tastes
    values: RaterValues
    modes: LocalModes
    nodes: Nodes
    posterior: RatingPosterior
    penalty: Penalty

    @property
    def objective(self) -> float:
        """Penalised marginal log-likelihood."""
        return self.posterior.log_likelihood + self.penalty.value


@dataclass(frozen=True, eq=False)
class Climb:
    """Where a search ended.

    Attributes
    ----------
    point : the best parameters found.
    covariance : inverse of the penalised information; zero for what is held.
    """

    point: Point
    covariance: Numbers
    status: FitStatus
    iterations: int


@dataclass(frozen=True, eq=False)
class Hill:
    """What is climbed: the ratings, what is free, and how finely it is integrated.

    Attributes
    ----------
    directions : parameters × directions in which a search may go.
    """

    design: RatingDesign
    layout: Layout
    free: NDArray[np.bool_]
    directions: Numbers
    counts: NodeCounts
    pooled: Pooled
    has_unit_tastes: bool

    @cached_property
    def places(self) -> list[ScorePlaces]:
        """Where scores belong among the parameters."""
        return score_places(self.design, self.layout)

    @cached_property
    def is_taste(self) -> NDArray[np.bool_]:
        """Which of the directions are tastes for partners."""
        own = slice(self.layout.starts[4], self.layout.starts[5])
        return np.asarray((self.directions[own] != 0).any(axis=0))

    def coarse(self) -> "Hill":
        """The same with few nodes, for the way up."""
        counts = NodeCounts(*(min(n, 3) for n in astuple(self.counts)))
        found = replace(self, counts=counts)
        found.__dict__["places"] = self.places
        return found

    def stand(self, vector: Numbers, tastes: Tastes, modes: LocalModes) -> Point:
        """Evaluate at these parameters, looking for modes from those given."""
        values = self.layout.read(vector, tastes.of_units)
        found = find_modes(self.design, values, modes)
        nodes = place_nodes(self.design, values, found, self.counts)
        posterior = integrate(self.design, values, nodes)
        penalty = penalise(self.layout, vector, self.pooled, tastes.spread, tastes.held)
        return Point(vector, tastes, values, found, nodes, posterior, penalty)


def hill_of(
    design: RatingDesign,
    layout: Layout,
    free: NDArray[np.bool_],
    counts: NodeCounts,
    has_unit_tastes: bool = False,
    directions: Numbers | None = None,
) -> Hill:
    """Give the hill of these ratings; without directions all that is free is so by itself."""
    pooled = Pooled(pooled_shares(design), design.curves)
    ways = np.eye(layout.size)[:, free] if directions is None else directions
    return Hill(design, layout, free, ways, counts, pooled, has_unit_tastes)


def climb(hill: Hill, start: Point, max_iterations: int) -> Climb:
    """Go up until a step changes nothing any more; on the way few nodes will do."""
    point, near, used = _approach(hill.coarse(), start, max_iterations)
    point, status = hill.stand(point.vector, point.tastes, point.modes), FitStatus.MAX_ITERATIONS
    covariance = np.zeros((hill.layout.size,) * 2)
    for iteration in range(used + 1, max_iterations + 1):
        used = iteration
        moved = _go_on(hill, point, near)
        covariance, decrement = moved.covariance, moved.decrement
        if moved.point is None:
            status = FitStatus.CONVERGED if decrement < 100 * _TOLERANCE else FitStatus.STALLED
            break
        point = moved.point
        # Far from the top tastes would stand for all that is not fitted yet.
        if near == 0 and decrement < _NEAR:
            point = _balance(hill, point)
        near += near > 0 or decrement < _NEAR
        if decrement < _TOLERANCE and moved.change < _TASTE_TOLERANCE:
            status = FitStatus.CONVERGED
            break
    return Climb(point, covariance, status, used)


def _approach(hill: Hill, start: Point, max_iterations: int) -> tuple[Point, int, int]:
    """Go up with few nodes until gains show their error; give also `near`, and the steps taken."""
    point, near = start, 0
    most = min(_MOST_ROUGH, max_iterations)
    for iteration in range(1, most):
        moved = _go_on(hill, point, near)
        if moved.point is None:
            return point, near, iteration
        gain, point = moved.point.objective - point.objective, moved.point
        if near and gain < _FAR and moved.change < _ROUGHLY:
            return point, near, iteration
        if near == 0 and gain < _FAR:
            point = _balance(hill, point)
        near += near > 0 or gain < _FAR
    return point, near, most - 1


@dataclass(frozen=True, eq=False)
class _Step:
    """One step: where it led (None where no step goes up), what was left to gain before it."""

    point: Point | None
    covariance: Numbers
    decrement: float
    change: float = np.inf


def _go_on(hill: Hill, point: Point, near: int) -> _Step:
    """Take one step in the parameters, and one in the tastes once the top is near."""
    former = point.tastes
    point, gradient, information, scale = _survey(hill, point, near > 1)
    covariance = _invert(information, scale, hill.directions)
    step = covariance @ gradient
    decrement = float(gradient @ step)
    moved = _advance(hill, point, step, min(decrement, 1.0) if near else 0.0)
    if moved is None:
        return _Step(None, covariance, decrement)
    change = abs(np.log(point.tastes.spread / former.spread))
    moved, unit_change = _settle_units(hill, moved, near > 1)
    return _Step(moved, covariance, decrement, max(change, unit_change) if near > 1 else np.inf)


def inverse_information(hill: Hill, point: Point) -> tuple[Numbers, Numbers]:
    """Give the gradient and the inverse information at a point, tastes as they are."""
    _, gradient, information, scale = _survey(hill, point, with_tastes=False)
    return gradient, _invert(information, scale, hill.directions)


def _balance(hill: Hill, point: Point) -> Point:
    """Let raters count for what a respondent is like as much as they follow quality."""
    weights = point.tastes.balance * (point.values.discriminations**2)[:, None]
    totals = weights.sum(axis=0)
    balance = np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)
    # From a spread of nothing the way to a better one is not seen.
    abilities = point.values.abilities
    tastes = replace(point.tastes, balance=balance, abilities=abilities, spread=_FIRST_TASTE)
    return hill.stand(point.vector, tastes, point.modes)


def _settle_units(hill: Hill, point: Point, is_asked: bool) -> tuple[Point, float]:
    """Set tastes for units to their modes; give also how far they moved, in their own spread."""
    if not (hill.has_unit_tastes and is_asked):
        return point, 0.0
    found, spread = settle_unit_tastes(
        hill.design, point.values, point.nodes, point.posterior, point.tastes.unit_spread
    )
    former = point.tastes.of_units
    moved = np.sqrt(np.mean((found - (0.0 if former is None else former)) ** 2)) / spread
    tastes = replace(point.tastes, of_units=found, unit_spread=spread)
    return hill.stand(point.vector, tastes, point.modes), float(moved)


def _survey(hill: Hill, point: Point, with_tastes: bool) -> tuple[Point, Numbers, Numbers, Numbers]:
    """Settle the spread of tastes; give gradient, information and a scale of the parameters."""
    found = differentiate(
        hill.design, hill.layout, point.values, point.nodes, point.posterior, hill.places
    )
    if with_tastes and hill.is_taste.any():
        point = _settle_spread(hill, point, found)
    extra = point.penalty.information
    gradient = np.where(hill.free, found.gradient + point.penalty.gradient, 0.0)
    return point, gradient, found.information + extra, found.scale + np.diag(extra)


def _settle_spread(hill: Hill, point: Point, found: Derivatives) -> Point:
    """Give tastes for partners the spread that suits the ratings best."""
    # Without the prior of tastes: a spread so wide that it says nothing.
    open_ = penalise(hill.layout, point.vector, hill.pooled, 1e6, point.tastes.held)
    ways, is_taste = hill.directions, hill.is_taste
    own = slice(hill.layout.starts[4], hill.layout.starts[5])
    chosen = ways[own][:, is_taste]
    taste_sd = find_taste_spread(
        ways.T @ (found.gradient + open_.gradient),
        ways.T @ (found.information + open_.information) @ ways,
        chosen.T @ point.vector[own],
        is_taste,
        point.tastes.held @ chosen,
        point.tastes.spread,
    )
    penalty = penalise(hill.layout, point.vector, hill.pooled, taste_sd, point.tastes.held)
    return replace(point, tastes=replace(point.tastes, spread=taste_sd), penalty=penalty)


def _invert(information: Numbers, scale: Numbers, directions: Numbers) -> Numbers:
    """Invert the information of what is free.

    Far from the top it may be indefinite. Measured against the information with the other effects
    known, its eigenvalues are then turned positive, so that a step goes up.
    """
    inside = directions.T @ information @ directions
    try:
        factor = cho_factor(inside)
        return np.asarray(directions @ cho_solve(factor, directions.T))
    except LinAlgError:
        pass
    unit = np.sqrt(np.abs(scale) @ directions**2 + 1e-9)
    values, vectors = np.linalg.eigh(inside / np.outer(unit, unit))
    vectors = directions @ (vectors / unit[:, None])
    return np.asarray((vectors / np.maximum(np.abs(values), 0.02)) @ vectors.T)


def _advance(hill: Hill, point: Point, step: Numbers, slack: float) -> Point | None:
    """Take the step, or the longest part of it that goes up; None where none does.

    Nodes move with the parameters, and so does the error of the integral: near the top, where it
    exceeds what is left to gain, a step may seem to go down by this slack.
    """
    step = step * min(1.0, _LONGEST / max(float(np.abs(step).max()), 1e-12))
    for _ in range(_HALVINGS):
        vector = point.vector + step
        thresholds = hill.layout.read(vector).thresholds
        if not hill.design.curves.is_ordered or is_ordered(thresholds):
            moved = hill.stand(vector, point.tastes, point.modes)
            if moved.objective > point.objective - _SLACK - slack:
                return moved
        step = 0.5 * step
    return None
