"""The population that items come from, estimated beside them (empirical Bayes).

Items are a sample, so their coordinates have a mean and a standard deviation that the items
themselves tell. The mode of items and population together does not exist (a population that
shrinks to a point has an infinite density), so items are integrated out of it: given what the
responses say of each item, a normal density around the present point, EM finds mean and spread.

One thing must be said of the mode of the items themselves. Their slopes take up the unit of
ability, and a normal prior is higher at slopes that all are smaller: by its mode alone, 150 items
would pull the unit of 150 respondents by a quarter. The mean of their posterior is not pulled. In
J coordinates that share a factor c, the volume of what responses allow grows as c^p, p the number
of coordinates that responses, not the prior, determine; its logarithm is part of the objective,
and holds against just that pull. It is added as a constant pull on each slope, in proportion to
what the item contributes to the unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from itemcurve.estimation.identification.latent_population import (
    STANDARD,
    items_beside_abilities,
    unit_slope,
)
from itemcurve.estimation.identification.population import Coordinate, best_normal
from itemcurve.estimation.marginal.over_respondents.item_likelihoods import (
    ItemLikelihoods,
    posteriors,
)
from itemcurve.models.contract import ItemModel
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import (
    ItemCoordinates,
    ItemMatrices,
    PerCoordinate,
    PerItem,
    axes,
)

_MOST_TURNS = 60
_SETTLED = 1e-6
_MOST_PARAMETERS = 3
# Of a turn, in the logarithm of a standard deviation.
_LONGEST = 1.0
# Share of slopes that responses of usual tests determine.
_DETERMINED = 0.7


@dataclass(frozen=True)
class ItemPopulation:
    """Normal distributions of those coordinates whose mean or spread is estimated.

    Attributes
    ----------
    coordinates : what of each is estimated, None where its prior is known.
    mean, sd : of each coordinate; 0 and 1 where nothing is estimated.
    slope : place of the slope that takes up the unit of ability; None without such a slope.
    spreads : by coordinate, the first of those that have one standard deviation between them.
    """

    coordinates: tuple[Coordinate | None, ...]
    mean: PerCoordinate
    sd: PerCoordinate
    slope: int | None
    spreads: tuple[int, ...]

    @classmethod
    def start(cls, model: ItemModel) -> "ItemPopulation | None":
        """As the priors describe it; None where they are known, or items have too many parameters.

        With both asymptotes free, responses leave slopes and intercepts so open that a population
        of them is a matter of where the search began. Thresholds do not count: each has answers of
        its own.
        """
        coordinates = items_beside_abilities(model)
        free = [spec for spec in model.parameters if spec.is_free]
        bent = [spec for spec in free if spec.role is not Role.THRESHOLD]
        if not any(coordinates) or len(bent) > _MOST_PARAMETERS:
            return None
        place, none = unit_slope(model), np.zeros(len(coordinates))
        slope = None if place is None or coordinates[place] is None else place
        return cls(coordinates, none, none, slope, _spreads(free))._start

    @property
    def is_estimated(self) -> Annotated[Array, axes("coordinates")]:
        """Of which coordinates."""
        return np.array([coordinate is not None for coordinate in self.coordinates])

    @property
    def precision(self) -> PerCoordinate:
        """Of each coordinate's distribution; zero where nothing is estimated."""
        return np.where(self.is_estimated, self.sd**-2.0, 0.0)

    @property
    def normal(self) -> tuple[PerCoordinate, PerCoordinate]:
        """Mean and precision of each coordinate's distribution."""
        return self.mean, self.precision

    def priors(self, known: tuple[Prior | None, ...]) -> tuple[Prior | None, ...]:
        """The priors of the coordinates, those that are known as they are."""
        return tuple(
            prior
            if coordinate is None
            else replace(_normal(coordinate.prior), mean=float(mean), sd=float(sd))
            for prior, coordinate, mean, sd in zip(
                known, self.coordinates, self.mean, self.sd, strict=True
            )
        )

    def told_by(self, x: ItemCoordinates, free: ItemCoordinates) -> "ItemPopulation":
        """The population of which these coordinates would be a sample, were they known."""
        ends = [
            (mean, np.log(sd)) if coordinate is None else _best(coordinate, own, cells)
            for coordinate, mean, sd, own, cells in zip(
                self.coordinates, self.mean, self.sd, x.T, free.T, strict=True
            )
        ]
        mean, log_sd = np.transpose(ends)
        same = self._same_spread
        log_sd = (same @ log_sd / same.sum(axis=1)) @ same
        return replace(self, mean=mean, sd=np.exp(log_sd))

    def updated(self, likelihoods: ItemLikelihoods) -> "ItemPopulation":
        """The population in which the items are most likely, each of them integrated out.

        What an item's coordinates are estimated as is normal around the population's mean, with
        the precision of both together. The mean then has a closed form, and standard deviations
        are found by Fisher scoring. EM would take hundreds of turns where few answers stand behind
        an item: each moves the mean by the little that they tell.
        """
        sample, present = likelihoods.thinned(), self
        step = np.zeros(len(self.sd))
        for _ in range(_MOST_TURNS):
            moved, asked = self._turn(sample, present)
            # A step that turns round was too long: half of it lies between.
            step = np.where(asked * step < 0, 0.5, 1.0) * asked
            log_sd = np.log(present.sd)
            found = np.maximum(log_sd + step, np.minimum(self._lowest, log_sd))
            change = max(np.abs(moved / present.sd).max(), np.abs(found - log_sd).max())
            present = replace(present, mean=present.mean + moved, sd=np.exp(found))
            if change < _SETTLED:
                break
        return present

    def _turn(
        self, sample: ItemLikelihoods, present: "ItemPopulation"
    ) -> tuple[PerCoordinate, PerCoordinate]:
        """How far to move means, and then the logarithms of sds."""
        means, covariances = sample.posterior(present.mean, present.precision)
        own, precision = sample.free & self.is_estimated, present.precision
        both = own[:, :, None] & own[:, None, :]
        # Precision of an item's estimate around the population's mean, (Σ + D)⁻¹.
        weights = both * (np.diag(precision) - precision[:, None] * covariances * precision)
        pushes = own * precision * (means - present.mean)
        anchors = np.array([c is not None and c.is_anchored for c in self.coordinates], dtype=float)
        is_mean_free = np.array([c is not None and c.is_mean_free for c in self.coordinates])
        is_sd_free = np.array([c is not None and c.is_sd_free for c in self.coordinates])
        start, log_sd, variance = self._start, np.log(present.sd), present.sd**2

        slope = pushes.sum(axis=0) + anchors * (start.mean - present.mean)
        moved = _solved(weights.sum(axis=0) + np.diag(anchors), slope, is_mean_free)
        pushes = pushes - np.matvec(weights, moved)
        rise = ((pushes**2 - np.diagonal(weights, axis1=1, axis2=2)) * variance).sum(axis=0)
        rise += anchors * (np.log(start.sd) - log_sd)
        bend = 2.0 * np.outer(variance, variance) * (weights**2).sum(axis=0) + np.diag(anchors)
        same = self._same_spread
        rise, bend = same @ rise, same @ bend @ same.T
        is_inside = (same @ (log_sd > self._lowest + 1e-9) > 0) | (rise > 0)
        found = _solved(bend, rise, (same @ is_sd_free > 0) & is_inside)
        return moved, np.clip(found @ same, -_LONGEST, _LONGEST)

    @property
    def _start(self) -> "ItemPopulation":
        """As the priors describe it."""
        priors = [STANDARD if c is None else _normal(c.prior) for c in self.coordinates]
        mean, sd = np.array([p.mean for p in priors]), np.array([p.sd for p in priors])
        return replace(self, mean=mean, sd=sd)

    @cached_property
    def _same_spread(self) -> Annotated[Array, axes("spreads coordinates")]:
        """Which coordinates have one standard deviation between them (0 or 1)."""
        places = list(dict.fromkeys(self.spreads))
        return np.array([[float(own == place) for own in self.spreads] for place in places])

    @property
    def _lowest(self) -> PerCoordinate:
        """The least logarithm of each standard deviation."""
        return np.array([-np.inf if c is None else np.log(c.least_sd) for c in self.coordinates])

    def towards(self, other: "ItemPopulation", share: float) -> "ItemPopulation":
        """A population on the way to another."""
        mean = self.mean + share * (other.mean - self.mean)
        return replace(self, mean=mean, sd=self.sd * (other.sd / self.sd) ** share)

    def in_own_unit(self) -> tuple["ItemPopulation", float]:
        """The population with slopes as large as their prior has them, and the factor between.

        Ability has no unit of its own, so that of the search is chosen: root mean square slopes.
        """
        if self.slope is None:
            return self, 1.0
        coordinate = self.coordinates[self.slope]
        assert coordinate is not None
        prior, mean, sd = _normal(coordinate.prior), self.mean, self.sd
        factor = float(np.hypot(mean[self.slope], sd[self.slope]) / np.hypot(prior.mean, prior.sd))
        return self.in_unit(1.0 / factor), factor

    def in_unit(self, factor: float) -> "ItemPopulation":
        """The population with slopes that are multiplied by a factor."""
        if self.slope is None:
            return self
        mean, sd = self.mean.copy(), self.sd.copy()
        mean[self.slope] *= factor
        sd[self.slope] *= factor
        return replace(self, mean=mean, sd=sd)

    def first_pull(
        self, x: ItemCoordinates, free: ItemCoordinates, unit: float
    ) -> ItemCoordinates | None:
        """What `pull` will be, before anything but the coordinates is known of the items."""
        if self.slope is None:
            return None
        slopes = np.where(free[:, self.slope], x[:, self.slope], 0.0)
        found = np.zeros_like(x)
        found[:, self.slope] = _pulled(slopes, _DETERMINED * free[:, self.slope].sum(), unit)
        return found

    def pull(self, likelihoods: ItemLikelihoods, unit: float) -> ItemCoordinates | None:
        """What keeps the items' mode from pulling the unit of ability (items × coordinates).

        Parameters
        ----------
        unit : of reported slopes: standard deviation of abilities.
        """
        if self.slope is None:
            return None
        engine = likelihoods.engine
        known = likelihoods.information, likelihoods.push, likelihoods.free[:, self.slope]
        run = engine.compile(_pull_of, static=("engine", "slope"))
        given = engine.place_all((*known, *self.normal, np.asarray(unit)))
        found: ItemCoordinates = run(engine, self.slope, *given)
        return found


def _pull_of(
    engine: Engine,
    slope: int,
    information: ItemMatrices,
    push: ItemCoordinates,
    free: PerItem,
    mean: PerCoordinate,
    precision: PerCoordinate,
    unit: float,
) -> ItemCoordinates:
    xp = engine.xp
    means, covariances = posteriors(engine, information, push, mean, precision)
    slopes = xp.where(free, means[:, slope], 0.0)
    determined = xp.where(free, 1.0 - covariances[:, slope, slope] * precision[slope], 0.0).sum()
    own = _pulled(slopes, determined, unit, engine)
    return own[:, None] * (xp.arange(means.shape[1]) == slope)


def _pulled(slopes: PerItem, determined: float, unit: float, engine: Engine = NUMPY) -> PerItem:
    """The pull on each slope, given how many of them responses determine.

    A steep item is a step, which tells little of the unit: about 1/(1 + slope) of all respondents
    are where it rises.
    """
    xp = engine.xp
    weight = slopes / (1.0 + xp.abs(slopes) * unit)
    return determined * weight / xp.maximum(slopes @ weight, 1e-12)


def _normal(prior: Prior) -> Normal:
    assert isinstance(prior, Normal), "only normal priors are estimated"
    return prior


def _best(coordinate: Coordinate, values: PerItem, free: PerItem) -> tuple[float, float]:
    """Mean and log sd of a coordinate, from the items of which it is free."""
    own = values[free]
    mean, log_sd = best_normal(coordinate, float(free.sum()), float(own.mean()), float(own.var()))
    return mean, max(log_sd, float(np.log(coordinate.least_sd)))


def _spreads(free: Sequence[ParameterSpec]) -> tuple[int, ...]:
    """Which parameters are as spread as which: gaps, each of which may have few answers."""
    kinds = [
        (spec.transform.name, spec.prior) if spec.role is Role.THRESHOLD else place
        for place, spec in enumerate(free)
    ]
    return tuple(kinds.index(kind) for kind in kinds)


def _solved(
    matrix: Annotated[Array, axes("coordinates coordinates")],
    right: PerCoordinate,
    is_open: Annotated[Array, axes("coordinates")],
) -> PerCoordinate:
    """The solution in those coordinates that may move; zero in the others."""
    found, places = np.zeros(len(right)), np.flatnonzero(is_open)
    if places.size:
        # A coordinate of which no item says anything stays where it is.
        own = matrix[np.ix_(places, places)] + 1e-12 * np.eye(places.size)
        found[places] = np.linalg.solve(own, right[places])
    return found
