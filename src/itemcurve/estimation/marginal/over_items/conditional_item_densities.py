"""Log densities of single items along one coordinate, the other held: where their ridges lie."""

from collections.abc import Sequence
from typing import Annotated, Protocol

import numpy as np

from itemcurve.estimation.identification.population import Population
from itemcurve.models.cell_derivatives import cell_derivatives
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import on_coordinate
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import PerNode, PerRespondent, PopulationNodes, State, axes

# Responses × nodes evaluated at once.
_CELLS = 2**18


class ItemsWithChannels(Protocol):
    """What is known of items that are integrated out one by one."""

    @property
    def likelihood(self) -> Likelihood:
        """Of their responses."""

    @property
    def population(self) -> Population:
        """What they are a sample of."""

    def values_at(
        self, rows: PerNode, coordinates: PopulationNodes
    ) -> Annotated[Array, axes("nodes parameters")]:
        """Values of all parameters of these items."""

    def channels_of(self, rows: PerNode) -> Sequence[Annotated[Array, axes("nodes respondents")]]:
        """Channels of these items."""


class ConditionalDensities:
    """Log densities of items along their second free coordinate."""

    def __init__(self, problem: ItemsWithChannels, abilities: PerRespondent, state: State) -> None:
        self.problem = problem
        self.abilities = abilities
        self.outer_prior, self.inner_prior = map(on_coordinate, problem.population.at(state))
        self.index = problem.likelihood.free[1]
        self.limits = problem.likelihood.model.parameters[self.index].bounds

    def __call__(
        self, rows: PerNode, outer: PerNode, inner: PerNode
    ) -> tuple[PerNode, PerNode, PerNode]:
        """Value, slope and curvature of each item's log density along the inner coordinate."""
        size = max(1, _CELLS // len(self.abilities))
        parts = [
            self._likelihood(rows[at : at + size], np.stack([outer, inner])[:, at : at + size])
            for at in range(0, len(rows), size)
        ]
        value, slope, bend = map(np.concatenate, zip(*parts, strict=True))
        value += self.outer_prior.log_density(NUMPY, outer)
        value += self.inner_prior.log_density(NUMPY, inner)
        slope += self.inner_prior.slope(NUMPY, inner)
        return value, slope, bend + self.inner_prior.curvature(NUMPY, inner)

    def _likelihood(
        self, rows: PerNode, coordinates: PopulationNodes
    ) -> tuple[PerNode, PerNode, PerNode]:
        values, channels = self.problem.values_at(rows, coordinates), self.problem.channels_of(rows)
        cells = cell_derivatives(
            self.problem.likelihood,
            NUMPY,
            self.abilities,
            values,
            channels,
            (self.index,),
            ((0, 0),),
        )
        return cells.total.sum(axis=1), cells.slopes[0].sum(axis=1), cells.bends[0].sum(axis=1)
