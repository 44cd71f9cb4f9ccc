"""The evidence lower bound of independent normal posteriors, with its derivatives.

ELBO = E_q[log f(y | t, x)] − Σ KL(q ‖ prior), q normal in every ability t and item coordinate x
(so logit-normal for what lives in (0, 1)). Expectations are a cubature over a cell's ability and
item coordinates: a fixed rule, so the bound is a plain function to be maximised without noise.
"""

from dataclasses import dataclass
from functools import cache
from math import exp, log

import numpy as np

from itemcurve.estimation.posterior_mode.log_posterior import CellBlock, JointProblem, Slopes
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.parameters import Role
from itemcurve.models.priors import LogNormal, Normal, Prior
from itemcurve.numerics.cubature import normal_cubature
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import (
    ItemCoordinates,
    ItemMatrices,
    PerPoint,
    PerRespondent,
    PerRow,
    SameShape,
)

_HERMITE_POINTS = 21
_STEP = 1e-5


@dataclass(frozen=True, eq=False)
class MeanFieldPosterior:
    """Means and standard deviations of items' coordinates (items × free) and abilities."""

    x: ItemCoordinates
    x_sd: ItemCoordinates
    t: PerRespondent
    t_sd: PerRespondent

    @property
    def x_covariance(self) -> ItemMatrices:
        """Of each item (items × free × free)."""
        return self.x_sd[:, :, None] ** 2 * np.eye(self.x.shape[1])


@dataclass(frozen=True, eq=False)
class Bound:
    """The lower bound at a posterior.

    Attributes
    ----------
    value : the bound, or what stands in its place (`MeanFieldELBO.kl_weights`).
    log_likelihood : its first part, E[log f].
    x_slope, t_slope : derivatives in the means.
    x_precision, t_precision : −E[∂²] of everything but the entropy; at the maximum the inverse of
        the variance.
    """

    value: float
    log_likelihood: float
    x_slope: ItemCoordinates
    t_slope: PerRespondent
    x_precision: ItemCoordinates
    t_precision: PerRespondent


@dataclass(frozen=True, eq=False)
class MeanFieldELBO:
    """The problem: data, priors on coordinates, and the weights of the divergences.

    Attributes
    ----------
    is_sd_free : whether the spread of a normal `ability_prior` is estimated.
    is_unit_free : whether the unit of ability is: a factor common to all discriminations, as if
        abilities had a spread of their own.
    kl_weights : of abilities and of items; (1, 1) makes it the evidence lower bound.
    """

    problem: JointProblem
    priors: tuple[Prior, ...]
    ability_prior: Prior
    kl_weights: tuple[float, float]
    is_sd_free: bool = False
    is_unit_free: bool = False

    def ability_prior_at(self, t: PerRespondent, t_sd: PerRespondent) -> Prior:
        """The prior of abilities, with the spread that fits a posterior of them best.

        The bound is then as high as any spread makes it, so its slopes are those with it held.
        """
        prior = self.ability_prior
        if not isinstance(prior, Normal) or not self.is_sd_free:
            return prior
        return Normal(prior.mean, float(np.mean((t - prior.mean) ** 2 + t_sd**2)) ** 0.5)

    def item_priors_at(self, x: ItemCoordinates, x_sd: ItemCoordinates) -> tuple[Prior, ...]:
        """The priors of the items, that of discriminations in the unit that fits them best."""
        unit, slope = self.unit_at(x, x_sd), self._slope
        if unit == 1.0 or slope is None:
            return self.priors
        prior, found = self.priors[slope], list(self.priors)
        assert isinstance(prior, Normal)
        if isinstance(prior, LogNormal):
            found[slope] = LogNormal(prior.mean + log(unit), prior.sd)
        else:
            found[slope] = Normal(unit * prior.mean, unit * prior.sd)
        return tuple(found)

    @property
    def _slope(self) -> int | None:
        """The free coordinate that is the slope."""
        likelihood = self.problem.likelihood
        roles = [likelihood.model.parameters[i].role for i in likelihood.free]
        return roles.index(Role.SLOPE) if Role.SLOPE in roles else None

    def unit_at(self, x: ItemCoordinates, x_sd: ItemCoordinates) -> float:
        """The unit in which discriminations have the highest expected prior density; 1 if held."""
        slope = self._slope
        if not self.is_unit_free or slope is None:
            return 1.0
        prior, slopes, sds = self.priors[slope], x[:, slope], x_sd[:, slope]
        if not isinstance(prior, Normal):
            return 1.0
        if isinstance(prior, LogNormal):
            return exp(float(slopes.mean()) - prior.mean)
        # −n log u − Σ E[(a/u − m)²]/2s² is highest where n u² s² + m u Σa = Σ E[a²].
        n, squares = len(slopes), float(np.sum(slopes**2 + sds**2))
        half = prior.mean * float(slopes.sum()) / (2 * n * prior.sd**2)
        return float(np.sqrt(half**2 + squares / (n * prior.sd**2)) - half)

    def bound(self, q: MeanFieldPosterior) -> Bound:
        """Value and slopes at a posterior."""
        points, weights = normal_cubature(1 + q.x.shape[1])
        total, slopes = 0.0, [np.zeros_like(a) for a in (q.x, q.x, q.t, q.t)]
        for point, weight in zip(points, weights, strict=True):
            t, x = q.t + q.t_sd * point[0], q.x + q.x_sd * point[1:]
            height, at_x, at_t = self._scores(x, t)
            total += weight * height
            parts = (at_x, at_x * point[1:], at_t, at_t * point[0])
            slopes = [s + weight * part for s, part in zip(slopes, parts, strict=True)]
        return self._with_divergence(q, total, slopes)

    def information(self, q: MeanFieldPosterior, is_near: bool) -> Slopes:
        """Information of the responses at the means: expected, or near the top the observed one."""
        return self.problem.observed(q.x, q.t) if is_near else self.problem.evaluate(q.x, q.t)

    def _with_divergence(self, q: MeanFieldPosterior, height: float, slopes: list[Array]) -> Bound:
        at_x, tilt_x, at_t, tilt_t = slopes
        by_ability, by_item = self.kl_weights
        value = height
        own, pull, tilt = expected_prior(self.ability_prior_at(q.t, q.t_sd), q.t, q.t_sd)
        value += by_ability * (own + _entropy(q.t_sd))
        at_t, tilt_t = at_t + by_ability * pull, tilt_t + by_ability * tilt
        at_x, tilt_x = at_x.copy(), tilt_x.copy()
        for column, prior in enumerate(self.item_priors_at(q.x, q.x_sd)):
            own, pull, tilt = expected_prior(prior, q.x[:, column], q.x_sd[:, column])
            value += by_item * (own + _entropy(q.x_sd[:, column]))
            at_x[:, column] += by_item * pull
            tilt_x[:, column] += by_item * tilt
        return Bound(value, height, at_x, at_t, -tilt_x / q.x_sd, -tilt_t / q.t_sd)

    def _scores(
        self, x: ItemCoordinates, t: PerRespondent
    ) -> tuple[float, ItemCoordinates, PerRespondent]:
        problem = self.problem
        compute = problem.engine.compile(_sums, static=("engine", "likelihood"))
        height, parts, at_t = 0.0, [], np.zeros_like(t)
        for block in problem.cell_blocks(x, t):
            found = compute(problem.engine, problem.likelihood, block)
            height += float(found[0])
            parts.append(np.asarray(found[1]))
            at_t = at_t + np.asarray(found[2])
        return height, np.concatenate(parts), at_t


def _sums(
    engine: Engine, likelihood: Likelihood, block: CellBlock
) -> tuple[Array, ItemCoordinates, PerRespondent]:
    cells = block.cells(engine, likelihood, 1)
    at_items = engine.xp.stack([score.sum(axis=1) for score in cells.scores[1:]], axis=1)
    return cells.log_likelihood.sum(), at_items, cells.scores[0].sum(axis=0)


def expected_prior(prior: Prior, mean: PerRow, sd: PerRow) -> tuple[float, PerRow, PerRow]:
    """Σ E[log prior], E[its slope], E[its slope · ε] of normal coordinates, by quadrature."""
    nodes, weights = _hermite()
    points = mean[:, None] + sd[:, None] * nodes
    above, below = (prior.log_measure(NUMPY, points + sign * _STEP) for sign in (1.0, -1.0))
    slope = (above - below) / (2 * _STEP)
    height = float((prior.log_measure(NUMPY, points) @ weights).sum())
    return height, slope @ weights, slope @ (weights * nodes)


@cache
def _hermite() -> tuple[PerPoint, PerPoint]:
    nodes, weights = np.polynomial.hermite_e.hermegauss(_HERMITE_POINTS)
    return nodes, weights / weights.sum()


def _entropy(sd: SameShape) -> float:
    """Entropy of independent normal variables."""
    return float(np.sum(np.log(sd)) + 0.5 * sd.size * (np.log(2 * np.pi) + 1))
