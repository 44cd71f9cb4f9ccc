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
from itemcurve.estimation.marginal.over_respondents.population_turns import (
    PopulationTurns,
    Spread,
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

_MOST_PARAMETERS = 3
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

    def updated(
        self, likelihoods: ItemLikelihoods, begin: "ItemPopulation | None" = None
    ) -> "ItemPopulation":
        """The population in which the items are most likely, each of them integrated out.

        What an item's coordinates are estimated as is normal around the population's mean, with
        the precision of both together. The mean then has a closed form, and standard deviations
        are found by Fisher scoring. EM would take hundreds of turns where few answers stand behind
        an item: each moves the mean by the little that they tell.

        Parameters
        ----------
        begin : a population close to it; this one, where nothing is known.
        """
        sample, known = likelihoods.thinned(), self.coordinates
        is_mean_free, is_sd_free, anchors = np.array(
            [(c.is_mean_free, c.is_sd_free, c.is_anchored) if c else (0, 0, 0) for c in known],
            dtype=float,
        ).T
        is_estimated, start = self.is_estimated, self._start
        turns = PopulationTurns(
            sample.information,
            sample.push,
            sample.free & is_estimated,
            is_estimated.astype(float),
            is_mean_free,
            is_sd_free,
            anchors,
            Spread(start.mean, np.log(start.sd)),
            self._lowest,
            self._same_spread,
        )
        first = begin or self
        found = turns.best(Spread(first.mean, np.log(first.sd)))
        return replace(self, mean=found.mean, sd=np.exp(found.log_sd))

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
