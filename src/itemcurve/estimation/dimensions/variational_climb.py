"""Normal posteriors of respondents and items, each improved given the other.

The evidence's lower bound is raised by turns: every respondent's posterior is set to the normal
that fits best given what is known of the items, then every item's given the respondents (Newton
steps on mean and precision, the expectation of each response's log-likelihood being a
one-dimensional integral, exact to quadrature). After each turn, origin and unit of the abilities
are moved where their population is standard, which saves the many turns in which they would drift
there (parameter expansion). Where items have no prior they are points instead of posteriors.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from itemcurve.estimation.dimensions.composite_cells import CellMoments, CompositeCells
from itemcurve.estimation.dimensions.correlations.second_order import composed, general_loadings
from itemcurve.estimation.dimensions.item_prior import ItemPrior
from itemcurve.estimation.dimensions.loading_pattern import LoadingPattern
from itemcurve.estimation.dimensions.normal_sides import Normals, flat, outer, predictors
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

_CELLS_AT_ONCE = 2**20
_LONGEST_STEP = 2.0
# Turns in which the bound may fall before the search gives up. A turn settles both sides and their
# population, which is not exactly where the bound is highest: near its end it may fall by less.
_MOST_FALLS, _LEAST_FALL = 8, 0.02
_FIRST_TURNS = 3
# Cells by which it is seen how far a turn has moved.
_SAMPLED = 5000

ItemVectors = Annotated[Array, axes("items coordinates")]


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a climb stands.

    Attributes
    ----------
    respondents : posteriors of abilities.
    items : posteriors of slopes, intercepts and own coordinates; points have no covariance.
    item_covariance : of the items' coordinates given the respondents.
    correlation : of the abilities' population.
    bound : lower bound of the log evidence, or of the log-likelihood where items are points.
    change : how far predictors moved in the last turn, in standard errors.
    distance : about how far they are from where they will settle.
    falls : turns in which the bound fell.
    pace : share of a Newton step that is taken.
    """

    respondents: Normals
    items: Normals
    item_covariance: Annotated[Array, axes("items coordinates coordinates")]
    correlation: Annotated[Array, axes("dimensions dimensions")]
    prior: ItemPrior
    bound: float = -np.inf
    change: float = np.inf
    distance: float = np.inf
    falls: int = 0
    pace: float = 1.0


@dataclass(frozen=True, eq=False)
class Climb:
    """What is maximised and how, for the loop that all methods share."""

    cells: CompositeCells
    pattern: LoadingPattern
    prior: ItemPrior
    tolerance: float

    @cached_property
    def free(self) -> Annotated[Array, axes("items coordinates")]:
        """Which coordinates of items are estimated."""
        others = self.cells.shape[0], 1 + self.cells.start.shape[1]
        return np.column_stack([self.pattern.free, np.ones(others, dtype=bool)])

    @property
    def are_points(self) -> bool:
        """Whether items are points."""
        return not self.prior.is_estimated

    def at(self, abilities: Array, items: ItemVectors) -> Standing:
        """Begin at these abilities and items."""
        size, coordinates = self.pattern.size, items.shape[1]
        spread = np.broadcast_to(np.eye(size) * 0.3, (len(abilities), size, size)).copy()
        own = np.zeros((len(items), coordinates, coordinates))
        prior = self.prior.updated(Normals(items, own + 0.1 * np.eye(coordinates)), self.pattern)
        if not self.are_points:
            own = np.where(_pairs(self.free), 0.05 * np.eye(coordinates), 0.0)
        standing = Standing(
            Normals(abilities, spread), Normals(items, own), own, np.eye(size), prior
        )
        for _ in range(_FIRST_TURNS):
            standing = replace(standing, respondents=self.all_respondents(standing))
        return standing

    def coordinates(self, point: Standing) -> tuple[Array, ...]:
        """Means of both sides."""
        return point.respondents.mean, point.items.mean

    def objective(self, point: Standing) -> float:
        """The bound."""
        return point.bound

    def step(self, point: Standing) -> tuple[Standing, FitStatus | None]:
        """One turn: respondents, items, scale, population."""
        found = self._turn(point)
        fell = found.bound < point.bound - max(_LEAST_FALL, 1e-7 * abs(point.bound))
        falls = point.falls + fell
        # Full steps overshoot where posteriors are far from normal: shorter ones then do not.
        pace = max(0.5 * point.pace, 0.1) if fell else min(1.0, 1.1 * point.pace)
        found = replace(found, falls=falls, pace=pace)
        is_near = max(found.distance, 2 * found.change) < self.tolerance
        if is_near and not fell:
            return found, FitStatus.CONVERGED
        return found, FitStatus.STALLED if falls > _MOST_FALLS else None

    def _turn(self, point: Standing) -> Standing:
        respondents, likelihood, sums = self._pass(point)
        bound = likelihood + self.cells.base - self._divergence(point, respondents)
        items, covariance = self._items(point, sums)
        moved = replace(
            point, respondents=respondents, items=items, item_covariance=covariance, bound=bound
        )
        moved = self._rescaled(moved)
        prior = moved.prior.updated(moved.items, self.pattern)
        change = self._change(point, moved)
        rate = min(change / point.change, 0.97) if np.isfinite(point.change) else 0.97
        # Steps that shrink by a rate leave change · rate / (1 − rate) to go.
        return replace(moved, prior=prior, change=change, distance=change * rate / (1 - rate))

    @cached_property
    def _sample(self) -> tuple[Array, Array]:
        """Items and respondents of some cells."""
        items, respondents = self.cells.shape
        rng = np.random.default_rng(0)
        count = min(_SAMPLED, items * respondents)
        return rng.integers(items, size=count), rng.integers(respondents, size=count)

    def _change(self, before: Standing, after: Standing) -> float:
        """How far predictors moved, in their own errors: what turning of axes does not change."""
        items, respondents = self._sample
        own = after.respondents.rows(respondents).with_one()
        linear = after.items.mean[items, : self.pattern.size + 1]
        covariance = after.item_covariance[items][:, : linear.shape[1], : linear.shape[1]]
        spread = np.einsum("ck,ckl,cl->c", linear, own.covariance, linear)
        spread += np.einsum("ck,ckl,cl->c", own.mean, covariance, own.mean)
        former = before.respondents.mean[respondents]
        was = before.items.mean[items, : self.pattern.size + 1]
        gap = (linear * own.mean).sum(axis=1) - (was[:, :-1] * former).sum(axis=1) - was[:, -1]
        return float(np.sqrt(np.mean(gap**2 / np.maximum(spread, 1e-12))))

    def _blocks(self) -> Iterator[slice]:
        items, respondents = self.cells.shape
        size = max(1, _CELLS_AT_ONCE // items)
        for start in range(0, respondents, size):
            yield slice(start, min(start + size, respondents))

    def all_respondents(self, point: Standing) -> Normals:
        """Better posteriors of all respondents, items and population given."""
        found = [self._respondents(point, rows)[0] for rows in self._blocks()]
        return Normals(
            np.concatenate([own.mean for own in found]),
            np.concatenate([own.covariance for own in found]),
        )

    def _respondents(self, point: Standing, rows: slice) -> tuple[Normals, CompositeCells]:
        """Better posteriors of some respondents."""
        size, cells = self.pattern.size, self.cells.of_columns(rows)
        now, items = point.respondents.rows(rows), point.items.head(size + 1)
        at = cells.expect(*predictors(now, items), point.items.mean[:, size + 1 :])
        slopes = items.head(size)
        precision = np.linalg.inv(point.correlation)
        information = (flat(slopes.second_moment).T @ at.information).T.reshape(-1, size, size)
        covariance = np.linalg.inv(precision + information)
        # The variance of a predictor grows with ability where slopes are uncertain.
        spread = (flat(slopes.covariance).T @ at.information).T.reshape(-1, size, size)
        coupling = at.information.T @ items.covariance[:, :size, size]
        gradient = at.score.T @ slopes.mean - np.einsum("nkl,nl->nk", spread, now.mean)
        gradient -= coupling + now.mean @ precision
        step = np.einsum("nkl,nl->nk", covariance, gradient)
        mean = now.mean + point.pace * np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        return Normals(mean, covariance), cells

    def _pass(self, point: Standing) -> tuple[Normals, float, "ItemSums"]:
        """All respondents anew, and what they say of the items."""
        means, covariances, likelihood, sums = [], [], 0.0, None
        size = self.pattern.size
        for rows in self._blocks():
            own, cells = self._respondents(point, rows)
            at = cells.expect(*predictors(own, point.items), point.items.mean[:, size + 1 :])
            likelihood += float(at.log_likelihood.sum())
            found = ItemSums.of(own, point.items.mean[:, : size + 1], at)
            sums = found if sums is None else sums + found
            means.append(own.mean)
            covariances.append(own.covariance)
        assert sums is not None
        return Normals(np.concatenate(means), np.concatenate(covariances)), likelihood, sums

    def _items(self, point: Standing, sums: "ItemSums") -> tuple[Normals, Array]:
        """Better posteriors of all items, and their covariance given the respondents."""
        prior, now = point.prior, point.items.mean
        gradient = sums.gradient - (now - prior.mean) @ prior.precision
        gradient = np.where(self.free, gradient, 0.0)
        information = np.where(_pairs(self.free), sums.information + prior.precision, 0.0)
        ridge = np.where(self.free, 1e-9, 1.0)[:, :, np.newaxis] * np.eye(now.shape[1])
        inverse = np.linalg.inv(information + ridge)
        step = np.einsum("jkl,jl->jk", inverse, gradient)
        mean = now + point.pace * np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        covariance = np.where(_pairs(self.free), inverse, 0.0)
        used = np.zeros_like(covariance) if self.are_points else covariance
        return Normals(mean, used), covariance

    def _rescaled(self, point: Standing) -> Standing:
        """Abilities of mean zero and unit variance, uncorrelated where their axes are free."""
        respondents, pattern = point.respondents, self.pattern
        centre = respondents.mean.mean(axis=0)
        spread = respondents.covariance.mean(axis=0)
        spread = spread + np.cov(respondents.mean.T, bias=True).reshape(spread.shape)
        if pattern.is_exploratory:
            values, vectors = np.linalg.eigh(spread)
            root = (vectors * np.sqrt(values)) @ vectors.T
        else:
            root = np.diag(np.sqrt(np.diag(spread)))
        back = np.linalg.inv(root)
        moved = respondents.transformed(centre, back)
        change = np.eye(point.items.mean.shape[1])
        size = pattern.size
        change[:size, :size], change[:size, size] = root, centre
        items = Normals(point.items.mean @ change, change.T @ point.items.covariance @ change)
        correlation = point.correlation
        if pattern.is_correlated:
            correlation = back @ spread @ back.T
            if pattern.is_second_order:
                correlation = composed(general_loadings(correlation))
        return replace(
            point,
            respondents=moved,
            items=items,
            item_covariance=change.T @ point.item_covariance @ change,
            correlation=correlation,
        )

    def _divergence(self, point: Standing, respondents: Normals) -> float:
        """KL of both sides' posteriors from their populations."""
        precision = np.linalg.inv(point.correlation)
        count, size = respondents.mean.shape
        trace = np.einsum("kl,nlk->", precision, respondents.second_moment)
        logs = np.linalg.slogdet(respondents.covariance)[1].sum()
        logs -= count * np.linalg.slogdet(point.correlation)[1]
        own = 0.5 * float(trace - count * size - logs)
        return own + point.prior.divergence(
            Normals(point.items.mean, point.item_covariance), self.free
        )


@dataclass(frozen=True, eq=False)
class ItemSums:
    """Sums over respondents: score and information of every item's coordinates."""

    gradient: ItemVectors
    information: Annotated[Array, axes("items coordinates coordinates")]

    def __add__(self, other: "ItemSums") -> "ItemSums":
        return ItemSums(self.gradient + other.gradient, self.information + other.information)

    @classmethod
    def of(cls, respondents: Normals, linear: ItemVectors, at: CellMoments) -> "ItemSums":
        """Sum up what respondents say.

        Parameters
        ----------
        linear : means of slopes and intercepts.
        """
        extended = respondents.with_one()
        width = linear.shape[1]
        spread = (at.information @ flat(extended.covariance)).reshape(-1, width, width)
        gradient = at.score @ extended.mean - np.einsum("jkl,jl->jk", spread, linear)
        square = spread + (at.information @ flat(outer(extended.mean))).reshape(spread.shape)
        own = len(at.own_scores)
        if not own:
            return cls(gradient, square)
        crossed = np.stack([coupling @ extended.mean for coupling in at.own_coupling], axis=2)
        inner = at.own_information.sum(axis=3).transpose(2, 0, 1)
        information = np.block([[square, crossed], [crossed.transpose(0, 2, 1), inner]])
        return cls(np.column_stack([gradient, at.own_scores.sum(axis=2).T]), information)


def _pairs(free: Annotated[Array, axes("items coordinates")]) -> Array:
    return free[:, :, np.newaxis] & free[:, np.newaxis, :]
