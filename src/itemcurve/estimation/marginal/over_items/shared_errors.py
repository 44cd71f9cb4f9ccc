"""What the errors of abilities and population add to what is known of items.

The posterior of an item is taken at the abilities that were found. Where responses tell an item to
a thousandth they tell it to a thousandth of a scale that is itself known to a hundredth, and all
items err together. By the law of total variance an item's is the mean of its posterior variances,
plus the variance of its posterior mean; to first order that mean changes with a parameter by the
covariance, within the item's posterior, of the quantity and the parameter's score.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np

from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import (
    Curve,
    EstimatedMatrix,
    ItemLevels,
    ItemMatrices,
    ItemValues,
    PerItem,
    PopulationNodes,
    axes,
)


class Nodes(Protocol):
    """Items on nodes of their own."""

    @property
    def weights(self) -> Curve:
        """Share of each item's mass at its nodes (items × nodes)."""

    @property
    def coordinates(self) -> PopulationNodes:
        """Of the nodes of all items, one after another (coordinates × nodes)."""


@dataclass(frozen=True)
class SharedErrors:
    """Variances that items have by the errors of what they are measured against.

    Attributes
    ----------
    columns : of what tables show, by name (items each).
    matrices : covariances of the free parameters (items × free × free).
    coordinates : variances of the unbounded coordinates (coordinates × items).
    """

    columns: Mapping[str, PerItem]
    matrices: ItemMatrices
    coordinates: Annotated[Array, axes("coordinates items")]

    @classmethod
    def of(
        cls,
        likelihood: Likelihood,
        nodes: Nodes,
        values: ItemValues,
        scores: Annotated[Array, axes("items estimated")],
        covariance: EstimatedMatrix,
    ) -> "SharedErrors":
        """Measure them at the nodes of a block of items.

        Parameters
        ----------
        values : of all parameters at the nodes, as reported.
        scores : of abilities and population at the nodes.
        covariance : of these.
        """
        items, per_item = nodes.weights.shape
        by_item = scores.reshape(items, per_item, -1)

        def slopes(column: Array) -> Array:
            own = column.reshape(items, per_item)
            centred = own - np.vecdot(nodes.weights, own)[:, None]
            return np.matmul((nodes.weights * centred)[:, None, :], by_item)[:, 0, :]

        def variance(slope: Array) -> PerItem:
            return np.maximum(np.vecdot(slope @ covariance, slope), 0.0)

        report = likelihood.model.report(values)
        free = [slopes(values[:, index]) for index in likelihood.free]
        return cls(
            {name: variance(slopes(column)) for name, column in report.items()},
            np.moveaxis(
                np.array([[np.vecdot(a @ covariance, b) for b in free] for a in free]), 2, 0
            ),
            np.stack([variance(slopes(column)) for column in nodes.coordinates]),
        )

    @classmethod
    def joined(cls, parts: Sequence["SharedErrors"]) -> "SharedErrors":
        """Of the items of all blocks."""
        return cls(
            {k: np.concatenate([part.columns[k] for part in parts]) for k in parts[0].columns},
            np.concatenate([part.matrices for part in parts]),
            np.concatenate([part.coordinates for part in parts], axis=1),
        )

    def widened(self, axis: int, levels: ItemLevels, mass: ItemLevels) -> ItemLevels:
        """Levels of a coordinate moved apart, so that the mass on them has the whole variance."""
        share = mass / mass.sum(axis=1, keepdims=True)
        mean = np.vecdot(share, levels)[:, None]
        own = np.maximum(np.vecdot(share, (levels - mean) ** 2), 1e-300)
        return mean + (levels - mean) * np.sqrt(1 + self.coordinates[axis] / own)[:, None]
