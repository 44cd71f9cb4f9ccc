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
from itemcurve.estimation.marginal.over_items.shared_errors import SharedErrors
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import (
    Curve,
    EstimatedMatrix,
    ItemLevels,
    ItemMatrices,
    PerItem,
    SharedNodes,
    axes,
)

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
    shared : what the errors of abilities and population add to the errors of items.
    """

    outer: Curve
    inner: Annotated[Array, axes("items points lines")]
    shared: SharedErrors

    @classmethod
    def at(
        cls,
        problem: PerItemProblem,
        point: PerItemPoint,
        covariance: EstimatedMatrix,
        location: float,
        unit: float,
    ) -> "PerItemPosteriors":
        """Integrate once more, and measure abilities as (θ − location)/unit.

        Parameters
        ----------
        covariance : of abilities and population.
        """
        abilities, state = problem.split(point.parameters)
        model, parts, shared = problem.likelihood.model, [], []
        for block in problem.at_nodes(abilities, state, point.ridge):
            values = model.rescale(block.values, location, unit)
            parts.append((block.weights, values, block.coordinates[1]))
            scores = problem.scores_of(block, state)
            shared.append(SharedErrors.of(problem.likelihood, block, values, scores, covariance))
        weights, nodes, inner = (np.concatenate(column) for column in zip(*parts, strict=True))
        outer = point.ridge.outer
        return cls(
            problem.likelihood,
            weights,
            nodes.reshape(*weights.shape, -1),
            location,
            unit,
            outer,
            inner.reshape(*outer.shape, -1),
            SharedErrors.joined(shared),
        )

    @property
    def basis(self) -> str:
        """What the errors of items are, in words."""
        return "item posteriors, widened by the uncertainty of abilities and population"

    def error(self, name: str, column: SharedNodes, mean: PerItem) -> PerItem:
        """Standard errors of a reported column: given the abilities, and by their errors."""
        return np.sqrt(self.sds(column, mean) ** 2 + self.shared.columns[name])

    def covariances(self) -> ItemMatrices:
        """Covariances of the free parameters (items × free × free)."""
        return super().covariances() + self.shared.matrices

    def _distributions(self) -> Iterator[list[tuple[ItemLevels, ItemLevels]]]:
        by_point = self.weights.reshape(self.inner.shape)
        mass = by_point.sum(axis=2)
        levels, share = self._inner_distribution(by_point, mass)
        outer = self.shared.widened(0, self.outer, mass)
        within = np.diff(share, axis=1, prepend=0.0)
        yield [
            (self._reported(0, outer), share_below(mass)),
            (self._reported(1, self.shared.widened(1, levels, within)), share),
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
