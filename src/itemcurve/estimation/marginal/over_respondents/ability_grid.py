"""How wide and how fine the grid of abilities must be, and how to integrate on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.marginal.problem import Grid
from itemcurve.models.capabilities import curve_terms
from itemcurve.models.likelihood import Likelihood, as_points
from itemcurve.numerics.chebyshev import chebyshev_grid, interpolation_weights
from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.integration import AroundPeak, AtNodes, ByBand, Rule
from itemcurve.numerics.shapes import ItemValues

# A normal function of standard deviation s is integrated at Chebyshev nodes to 1e-8 when there
# are 3.5 · half_width / s of them (measured for s = 0.1 … 0.5).
_NODES_PER_SD = 3.5
_FEWEST_LOCAL = 64
# The items that bend most dominate the error of interpolation: a few dozen tell it.
_STEEPEST = 64
_SIZES = (
    *range(48, 128, 8),
    *range(128, 256, 16),
    *(256, 288, 320, 352, 384, 448, 512, 640, 768, 1024, 1536),
)
# What interpolation may err in a respondent's log-likelihood; quadrature at the nodes squares it.
_TOLERANCE = 1e-3


@dataclass(frozen=True)
class GridPlan:
    """A grid of abilities in a few numbers."""

    half_width: float
    size: int
    """Chebyshev nodes, or how many would be as fine in the middle."""
    local_points: int
    """Points around each peak; 0 when functions are integrated at the nodes."""
    polynomials: int
    """Orthonormal polynomials that carry the covariance of scores: few for narrow posteriors."""
    bands: tuple[int, ...] = ()
    """The points of each band of respondents, where they come in bands."""
    is_even: bool = False
    """Whether nodes are evenly spaced: nothing is interpolated between them."""

    def suffices_for(self, needed: "GridPlan") -> bool:
        """Whether a fit on this grid is as good as one on the needed grid."""
        if self.half_width < needed.half_width - 1e-9:
            return False
        if self.size / self.half_width < 0.85 * needed.size / needed.half_width:
            return False
        own, wanted = (plan.bands or (plan.local_points,) for plan in (self, needed))
        return all(map(_points_suffice, own, wanted))

    def grid(self) -> Grid:
        """Build it."""
        if self.is_even:
            return _even_grid(self.half_width, _evenly(self.size))
        chebyshev = chebyshev_grid(-self.half_width, self.half_width, self.size)
        rule: Rule | ByBand = _rule(self.local_points)
        if self.bands:
            rule = ByBand(tuple(map(_rule, self.bands)))
        return Grid(
            points=chebyshev.nodes,
            coordinates=chebyshev.nodes[None, :],
            log_quadrature=np.log(chebyshev.quadrature),
            rule=rule,
            chebyshev=chebyshev,
            is_line=True,
        )


def _evenly(size: int) -> int:
    """Nodes that are everywhere as close as so many Chebyshev nodes are in the middle.

    The trapezoidal rule is as exact with them: what is integrated vanishes towards both ends, where
    Chebyshev nodes crowd.
    """
    return ceil(2.0 / np.pi * (size - 1)) + 1


def _even_grid(half_width: float, size: int) -> Grid:
    nodes, volume = np.linspace(-half_width, half_width, size, retstep=True)
    quadrature = np.full(size, volume)
    quadrature[[0, -1]] /= 2
    return Grid(nodes, nodes[None, :], np.log(quadrature), AtNodes(), is_line=True)


def plan_grid(
    likelihood: Likelihood,
    values: ItemValues,
    n_items: int,
    weights: tuple[float, float],
    half_width: float,
    prior_sd: float,
    bands: Sequence[tuple[float, float]] = (),
) -> GridPlan:
    """Choose the grid for items with these parameters.

    Parameters
    ----------
    values : parameters of the items, or of some of many (items × parameters).
    n_items : how many there are.
    weights : smallest and largest weight per item of any respondent: 1 for a complete test, less
        with missing answers, more with repeated ones. The grid must serve both.
    prior_sd : standard deviation of abilities.
    bands : the same weights of each band of respondents, where they come in bands.
    """
    if not (np.isfinite(half_width) and np.isfinite(values).all()):
        raise ModelError(
            "Responses and weights must be of sizes that can be squared and added up.",
            "The search met numbers beyond all measure.",
            "Give responses in another unit, or weights that are less far apart.",
        )
    abilities = np.linspace(-min(half_width, 4.0), min(half_width, 4.0), 17)
    information = likelihood.ability_information(NUMPY, abilities, values)
    total = information.mean(axis=0) * n_items
    least, most = weights
    steep = values[np.argsort(-information.max(axis=1))[:_STEEPEST]]
    usual = total[np.abs(abilities) <= 2.5].min()

    def spread(weight: float, information: float) -> float:
        return float(1.0 / np.sqrt(weight * information + prior_sd**-2))

    widest = spread(least, usual)
    at_nodes = ceil(_NODES_PER_SD * half_width / spread(most, total.max()))
    local_points = _points(widest)
    is_even = not bands
    visited = _evenly(at_nodes) if is_even else at_nodes
    if _cost(visited, 0, n_items) <= _cost(_FEWEST_LOCAL, local_points, n_items):
        size = _smallest(likelihood, steep, most, half_width, at_nodes, _TOLERANCE)
        return GridPlan(half_width, size, 0, _polynomials(widest), is_even=is_even)
    size = _smallest(likelihood, steep, most, half_width, _FEWEST_LOCAL, _TOLERANCE)
    enough = _NODES_PER_SD * half_width / size
    own = tuple(
        0 if spread(high, total.max()) >= enough else _points(spread(low, usual))
        for low, high in bands
    )
    return GridPlan(half_width, size, local_points, _polynomials(widest), own)


def _points(posterior_sd: float) -> int:
    """Points around the peaks of posteriors that are at most so wide."""
    return next((n for sd, n in ((0.12, 5), (0.2, 7), (0.45, 15)) if posterior_sd < sd), 31)


def _points_suffice(own: int, needed: int) -> bool:
    if own == 0:
        return needed == 0
    return needed == 0 or own >= needed


def _rule(local_points: int) -> Rule:
    return AroundPeak(local_points) if local_points else AtNodes()


def _cost(size: int, local_points: int, n_items: int) -> float:
    """Nanoseconds per respondent: two products with the items, then work on nodes and points."""
    return size * (0.08 * n_items + 12) + size * local_points * 8 + size * 24 * (local_points > 0)


def _polynomials(posterior_sd: float) -> int:
    """Terms of degree r shrink like (slope · sd / π)^r, faster for narrow posteriors.

    What they leave out must be small beside the *observed* information, which in flat directions
    is a small difference of large numbers: hence many terms where posteriors are wide.
    """
    for sd, degree in ((0.6, 12), (0.4, 6), (0.2, 4), (0.1, 2)):
        if posterior_sd > sd:
            return degree
    return 1


def _smallest(
    likelihood: Likelihood,
    steep: ItemValues,
    weight: float,
    half_width: float,
    at_least: int,
    tolerance: float,
) -> int:
    """Give the smallest size on which the steepest items' curves are interpolated well enough."""
    if at_least >= _SIZES[-1]:
        return at_least
    sizes = [size for size in _SIZES if size >= at_least]
    for size in sizes[:-1]:
        error = interpolation_error(likelihood, steep, half_width, size)
        if error * weight <= tolerance:
            return size
    return sizes[-1]


def interpolation_error(
    likelihood: Likelihood, values: ItemValues, half_width: float, size: int
) -> float:
    """Largest error between nodes of the items' curves, summed over items, where abilities live.

    Of curves that are sums of few functions, that of the functions.
    """
    grid = chebyshev_grid(-half_width, half_width, size)
    between = (grid.nodes[1:] + grid.nodes[:-1]) / 2
    between = between[np.abs(between) <= 4.5]
    weights = interpolation_weights(NUMPY, between, grid)
    worst, first = 0.0, 0
    terms, exact_terms = (
        curve_terms(likelihood.model, NUMPY, as_points(at), values) for at in (grid.nodes, between)
    )
    if terms is not None and exact_terms is not None:
        error, first = np.abs(terms[0] @ weights.T - exact_terms[0]), len(terms[1])
        worst = max(float((np.abs(own).sum(axis=0) @ error).max()) for own in terms[1])
    for at_nodes, exact in zip(
        likelihood.curves(NUMPY, grid.nodes, values)[first:],
        likelihood.curves(NUMPY, between, values)[first:],
        strict=True,
    ):
        worst = max(worst, float(np.abs(at_nodes @ weights.T - exact).sum(axis=0).max()))
    return worst
