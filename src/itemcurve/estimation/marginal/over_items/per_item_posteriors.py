"""Posteriors of items that are integrated on nodes of their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.estimation.marginal.over_items.item_posteriors import ItemPosteriors, share_below
from itemcurve.estimation.marginal.over_items.per_item_quadrature import (
    PerItemPoint,
    PerItemProblem,
)
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import Curve, ItemLevels, axes

# Levels at which the distribution of the inner coordinate is tabulated, and how many of its
# conditional standard deviations they reach.
_LEVELS = 61
_REACH = 5.0


@dataclass(frozen=True)
class PerItemPosteriors(ItemPosteriors):
    """Posteriors on nested nodes.

    Attributes
    ----------
    outer : points of the first free coordinate (items × points).
    inner : nodes of the second one (items × points × nodes).
    """

    outer: Curve
    inner: Annotated[Array, axes("items points lines")]

    @classmethod
    def at(
        cls, problem: PerItemProblem, point: PerItemPoint, location: float, unit: float
    ) -> "PerItemPosteriors":
        """Integrate once more, and measure abilities as (θ − location)/unit."""
        blocks = list(problem.at_nodes(*problem.split(point.parameters), point.ridge))
        weights = np.concatenate([block.weights for block in blocks])
        values = np.concatenate([block.values for block in blocks])
        nodes = problem.likelihood.model.rescale(values, location, unit)
        inner = np.concatenate([block.coordinates[1] for block in blocks])
        outer = point.ridge.outer
        return cls(
            problem.likelihood,
            weights,
            nodes.reshape(*weights.shape, -1),
            location,
            unit,
            outer,
            inner.reshape(*outer.shape, -1),
        )

    def _distributions(self) -> Iterator[list[tuple[ItemLevels, ItemLevels]]]:
        by_point = self.weights.reshape(self.inner.shape)
        mass = by_point.sum(axis=2)
        levels, share = self._inner_distribution(by_point, mass)
        yield [
            (self._reported(0, self.outer), share_below(mass)),
            (self._reported(1, levels), share),
        ]

    def _inner_distribution(
        self, by_point: Annotated[Array, axes("items points lines")], mass: Curve
    ) -> tuple[ItemLevels, ItemLevels]:
        """A mixture of one normal distribution for each outer point (items × levels each)."""
        from scipy.special import ndtr

        within = by_point / np.maximum(mass, 1e-300)[:, :, None]
        mean = np.vecdot(within, self.inner)
        sd = np.sqrt(np.maximum(np.vecdot(within, self.inner**2) - mean**2, 1e-300))
        counts = mass > 1e-9
        lower = np.where(counts, mean - _REACH * sd, np.inf).min(axis=1)
        upper = np.where(counts, mean + _REACH * sd, -np.inf).max(axis=1)
        levels = np.linspace(lower, upper, _LEVELS, axis=1)
        share = [
            part @ ndtr((level - centre[:, None]) / width[:, None])
            for part, level, centre, width in zip(mass, levels, mean, sd, strict=True)
        ]
        return levels, np.array(share)
