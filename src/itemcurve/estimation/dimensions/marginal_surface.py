"""The log-likelihood of items with abilities integrated out, and its gradient.

By Fisher's identity the gradient is the expectation, over each respondent's posterior, of the score
of the responses given abilities: one pass over the nodes gives both.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, NamedTuple, Protocol, Self

import numpy as np
from scipy.special import logsumexp

from itemcurve.estimation.dimensions.adaptive_nodes import Nodes
from itemcurve.estimation.dimensions.composite_cells import CompositeCells
from itemcurve.estimation.dimensions.loading_pattern import LoadingPattern
from itemcurve.estimation.dimensions.normal_sides import Normals
from itemcurve.estimation.dimensions.observed_information import observed_information
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import axes

_CELLS_AT_ONCE = 2**20

Correlation = Annotated[Array, axes("dimensions dimensions")]
ItemVectors = Annotated[Array, axes("items coordinates")]


class Height(NamedTuple):
    """The log-likelihood somewhere.

    Attributes
    ----------
    log_likelihood : of all responses.
    item_gradient : in the items' coordinates.
    moments : Σ over respondents of E[θ θᵀ].
    posteriors : of the respondents, as normal ones.
    """

    log_likelihood: float
    item_gradient: ItemVectors
    moments: Correlation
    posteriors: Normals


class Surface(Protocol):
    """A log-likelihood that is integrated at nodes."""

    @property
    def cells(self) -> CompositeCells:
        """The responses."""

    @property
    def pattern(self) -> LoadingPattern:
        """Which item loads on which ability."""

    @property
    def per_axis(self) -> int:
        """Nodes of one dimension."""

    def around(self, posteriors: Normals, per_axis: int) -> Self:
        """The same with other nodes."""

    def at(self, items: ItemVectors, correlation: Correlation) -> Height:
        """The log-likelihood of items."""

    def information(
        self, items: ItemVectors, correlation: Correlation
    ) -> Annotated[Array, axes("estimated estimated")]:
        """Observed information of all coordinates, item by item, then of the correlations."""


@dataclass(frozen=True, eq=False)
class MarginalSurface:
    """Responses under a pattern of loadings, integrated at given nodes."""

    cells: CompositeCells
    pattern: LoadingPattern
    nodes: Nodes

    @property
    def per_axis(self) -> int:
        """Nodes of one dimension."""
        return self.nodes.per_axis

    def around(self, posteriors: Normals, per_axis: int) -> "MarginalSurface":
        """The same with other nodes."""
        return replace(self, nodes=Nodes.around(posteriors, per_axis))

    def information(
        self, items: ItemVectors, correlation: Correlation
    ) -> Annotated[Array, axes("estimated estimated")]:
        """Observed information of all coordinates, item by item, then of the correlations."""
        return observed_information(self, items, correlation)

    @cached_property
    def _blocks(self) -> list[tuple[slice, CompositeCells]]:
        """Respondents a few at a time, their responses once for every node."""
        items, respondents = self.cells.shape
        count = self.nodes.points.shape[1]
        size = max(1, _CELLS_AT_ONCE // (items * count))
        found = []
        for start in range(0, respondents, size):
            rows = slice(start, min(start + size, respondents))
            found.append((rows, self.cells.of_columns(rows)))
        return found

    def blocks(self) -> Iterator[tuple[slice, CompositeCells, Array]]:
        """Rows, their responses at every node, and the nodes with a one (respondents·nodes × ·)."""
        count = self.nodes.points.shape[1]
        for rows, own in self._blocks:
            points = self.nodes.points[rows].reshape(-1, self.pattern.size)
            repeated = replace(own, channels=[np.repeat(c, count, axis=1) for c in own.channels])
            yield rows, repeated, np.column_stack([points, np.ones(len(points))])

    def log_prior(self, rows: slice, correlation: Correlation) -> Array:
        """Log density and volume of the nodes of some respondents."""
        points = self.nodes.points[rows]
        precision = np.linalg.inv(correlation)
        square = np.einsum("nqk,kl,nql->nq", points, precision, points, optimize=True)
        size = self.pattern.size
        constant = size * np.log(2 * np.pi) + np.linalg.slogdet(correlation)[1]
        return self.nodes.log_volume[rows] - 0.5 * (square + constant)

    def at(self, items: ItemVectors, correlation: Correlation) -> Height:
        """The log-likelihood of items, abilities being N(0, correlation)."""
        width = self.pattern.size + 1
        own = items[:, width:]
        total, gradient = self.cells.base, np.zeros_like(items)
        moments = np.zeros((width - 1, width - 1))
        shares = np.empty(self.nodes.log_volume.shape)
        count = self.nodes.points.shape[1]
        for rows, cells, design in self.blocks():
            points = (items[:, :width] @ design.T)[:, :, np.newaxis]
            found = cells.likelihood.cells(
                NUMPY, points, cells.values(own), cells.channels, order=1
            )
            log_joint = found.log_likelihood.sum(axis=0).reshape(-1, count)
            log_joint = log_joint + self.log_prior(rows, correlation)
            height = logsumexp(log_joint, axis=1, keepdims=True)
            shares[rows] = np.exp(log_joint - height)
            total += float(height.sum())
            weight = shares[rows].ravel()
            weighted = weight[:, np.newaxis] * design
            gradient[:, :width] += found.scores[0] @ weighted
            for place, score in enumerate(found.scores[1:], start=width):
                gradient[:, place] += score @ weight
            moments += weighted[:, :-1].T @ design[:, :-1]
        return Height(total, gradient, moments, self.nodes.posteriors(shares))
