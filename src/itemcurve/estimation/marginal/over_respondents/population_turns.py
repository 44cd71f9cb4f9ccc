"""Mean and spread of a population of items, from normal likelihoods of each: Fisher scoring.

All is measured in the population's own standard deviations, in which an item's precision within
the population is Σ⁻¹ + 1: few small products, of which a fit asks for some dozen.
"""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import ItemCoordinates, ItemMatrices, PerCoordinate, axes
from itemcurve.numerics.small_systems import invert_small, without_empty_rows

_MOST_TURNS = 60
_SETTLED = 1e-6
# Share of all that was gone which a turn may still ask for: far from where items and population
# settle together, the rest is not worth finding.
_WORTH_FINDING = 1e-3
# Of a turn, in the logarithm of a standard deviation.
_LONGEST = 1.0


class Spread(NamedTuple):
    """Means and logarithms of standard deviations of a population (coordinates each)."""

    mean: PerCoordinate
    log_sd: PerCoordinate


@dataclass(frozen=True)
class PopulationTurns:
    """What is known of items and of what may be estimated of their population.

    Attributes
    ----------
    information, push : precision, and precision times mean, of each item's coordinates.
    own : which of them are free and belong to coordinates that are estimated.
    is_estimated, is_mean_free, is_sd_free : what is estimated of which coordinates.
    anchors : one where mean and log sd are held to their start by unit normal priors.
    start : that start.
    lowest : least log sd of each coordinate.
    same : which coordinates have one standard deviation between them (spreads × coordinates).
    """

    information: ItemMatrices
    push: ItemCoordinates
    own: ItemCoordinates
    is_estimated: PerCoordinate
    is_mean_free: PerCoordinate
    is_sd_free: PerCoordinate
    anchors: PerCoordinate
    start: Spread
    lowest: PerCoordinate
    same: Annotated[Array, axes("spreads coordinates")]

    def best(self, present: Spread) -> Spread:
        """The population in which the items are most likely, each of them integrated out.

        The mean has a closed form, given the standard deviations; those are found by turns. Items
        that nothing holds can lead out of all numbers: what is then not finite is no population.
        """
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            return self._settled(present)

    def _settled(self, present: Spread) -> Spread:
        within = self.own[:, :, None] & self.own[:, None, :]
        first, step = present, np.zeros(len(present.mean))
        for _ in range(_MOST_TURNS):
            sd = np.exp(present.log_sd)
            moved, asked = self._turn(present, sd, within)
            # A step that turns round was too long: half of it lies between.
            step = np.where(asked * step < 0, 0.5, 1.0) * asked
            lowest = np.minimum(self.lowest, present.log_sd)
            found = Spread(present.mean + moved, np.maximum(present.log_sd + step, lowest))
            change = _distance(present, found, sd)
            present = found
            if change < max(_SETTLED, _WORTH_FINDING * _distance(first, found, sd)):
                break
        return present

    def _turn(
        self, present: Spread, sd: PerCoordinate, within: ItemMatrices
    ) -> tuple[PerCoordinate, PerCoordinate]:
        """How far to move means, and then the logarithms of sds."""
        unit, centre = np.diag(self.is_estimated), present.mean / sd
        known = self.information * np.outer(sd, sd) + unit
        covariances = invert_small(without_empty_rows(known))
        # Precision of an item's estimate around the population's mean, (Σ + D)⁻¹, and how much it
        # asks of the mean.
        weights = np.where(within, unit - covariances, 0.0)
        means = np.vecdot(covariances, (self.push * sd + self.is_estimated * centre)[:, None, :])
        pushes = np.where(self.own, means - centre, 0.0)

        slope = pushes.sum(axis=0) + self.anchors * (self.start.mean - present.mean) * sd
        matrix = weights.sum(axis=0) + np.diag(self.anchors * sd**2)
        moved = solved(matrix, slope, self.is_mean_free)
        pushes = pushes - np.vecdot(weights, moved)
        rise = (pushes**2).sum(axis=0) - matrix.diagonal() + self.anchors * sd**2
        rise += self.anchors * (self.start.log_sd - present.log_sd)
        bend = 2.0 * (weights**2).sum(axis=0) + np.diag(self.anchors)
        same = self.same
        rise, bend = same @ rise, same @ bend @ same.T
        is_inside = (same @ (present.log_sd > self.lowest + 1e-9) > 0) | (rise > 0)
        found = solved(bend, rise, (same @ self.is_sd_free > 0) & is_inside)
        return moved * sd, np.minimum(np.maximum(found @ same, -_LONGEST), _LONGEST)


def solved(
    matrix: Annotated[Array, axes("coordinates coordinates")],
    right: PerCoordinate,
    is_open: Annotated[Array, axes("coordinates")],
) -> PerCoordinate:
    """The solution in those coordinates that may move; zero in the others."""
    is_open = is_open > 0
    if not is_open.any():
        return np.zeros(len(right))
    # A coordinate of which no item says anything stays where it is.
    ridge = np.diag(np.where(is_open, 1e-12, 1.0))
    within = np.where(is_open[:, None] & is_open, matrix, 0.0)
    found: PerCoordinate = np.linalg.solve(within + ridge, np.where(is_open, right, 0.0))
    return found


def _distance(one: Spread, other: Spread, sd: PerCoordinate) -> float:
    """How far two populations are from one another, in standard deviations."""
    moved = np.abs((other.mean - one.mean) / sd).max()
    return float(max(moved, np.abs(other.log_sd - one.log_sd).max()))
