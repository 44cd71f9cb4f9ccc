"""One side of the data integrated out, the other estimated: the problem every fit solves.

Over respondents, the *units* integrated out are respondents and the *entities* estimated are
items. Over items, the roles turn round. The log-likelihood of a unit at a node of the
integration grid is a sum of products of its data channels with the entities' curves at that
node, so both sides share every step that follows: expectations, scoring, Newton steps, standard
errors. A side supplies what differs: what a node is, and how curves depend on the entity.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from itemcurve.estimation.identification.population import Population, penalise
from itemcurve.estimation.marginal.factored_curves import FactoredCurve
from itemcurve.estimation.marginal.units import Units
from itemcurve.models.priors import Prior
from itemcurve.numerics.chebyshev import ChebyshevGrid
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.integration import ByBand, Rule
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityHeld,
    EntityMatrices,
    EntitySlope,
    EstimatedMatrix,
    NodePoints,
    PerNode,
    PopulationNodes,
)


@dataclass(frozen=True)
class Grid:
    """Where units are integrated.

    Attributes
    ----------
    points : the nodes as the curves take them (nodes, or nodes × parameters).
    coordinates : the nodes as the population describes them (coordinates × nodes).
    log_quadrature : logarithm of each node's volume (nodes).
    rule : how a unit's function is integrated; by its band, where units come in bands.
    chebyshev : what interpolation needs, when the rule interpolates.
    """

    points: NodePoints
    coordinates: PopulationNodes
    log_quadrature: PerNode
    rule: Rule | ByBand
    chebyshev: ChebyshevGrid | None = None


class EntitiesAtNodes(NamedTuple):
    """Where curves are evaluated.

    Attributes
    ----------
    x : free coordinates of the entities.
    held : what of them is held fixed.
    points : the nodes as the curves take them.
    """

    x: EntityCoordinates
    held: EntityHeld
    points: NodePoints


class Curves(Protocol):
    """How the curves of entities at nodes depend on the entities' unbounded coordinates `x`.

    Arrays are entities × nodes. Instances are hashable: compiled code is cached by them.
    """

    def values(self, engine: Engine, at: EntitiesAtNodes) -> list[EntityCurve]:
        """Give the curves g_k."""

    def factors(self, engine: Engine, at: EntitiesAtNodes) -> list[FactoredCurve]:
        """The first of them as sums of few functions of the node; none where they are no such sums.

        Their slopes are sums of the same functions.
        """

    def slopes(self, engine: Engine, at: EntitiesAtNodes) -> list[list[EntitySlope]]:
        """Their derivatives: coordinates × curves."""

    def gradient(
        self, engine: Engine, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
    ) -> EntityCoordinates:
        """Score of the entities, given sums of their channels (entities × coordinates)."""

    def score(
        self, engine: Engine, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
    ) -> tuple[EntityCoordinates, EntityMatrices]:
        """Score and Fisher information (entities × coordinates [× coordinates]) at once."""


@dataclass(frozen=True)
class MarginalProblem:
    """Everything the solver needs to know once it is settled which side is integrated out.

    Attributes
    ----------
    held : what of the entities is held fixed, as the curves take it.
    units : what is integrated out.
    priors : of the entities' coordinates, None where flat.
    bounds : of the entities' coordinates.
    """

    engine: Engine
    curves: Curves
    held: EntityHeld
    units: Units
    grid: Grid
    population: Population
    priors: tuple[Prior | None, ...]
    bounds: tuple[tuple[float, float], ...]
    polynomials: int
    """How many orthonormal functions carry the covariance of scores within a unit."""
    free: EntityCoordinates | None = None
    """Which coordinates are estimated (entities × coordinates); None for all."""

    @property
    def free_cells(self) -> EntityCoordinates:
        """Which coordinates are estimated (entities × coordinates)."""
        shape = len(self.held), len(self.bounds)
        return np.ones(shape, dtype=bool) if self.free is None else self.free

    @property
    def n_free(self) -> int:
        """How many coordinates are estimated."""
        return int(self.free_cells.sum())

    def at_nodes(self, x: EntityCoordinates) -> EntitiesAtNodes:
        """Entities at coordinates `x`, where the engine computes."""
        place = self.engine.place
        return EntitiesAtNodes(place(x), place(self.held), place(self.grid.points))

    def without_held_cells(self, covariance: EstimatedMatrix) -> EstimatedMatrix:
        """A covariance of all parameters in which coordinates that are held count as known."""
        if self.free is None:
            return covariance
        held = np.concatenate([~self.free.ravel(), np.zeros(self.population.size, dtype=bool)])
        return np.where(held[:, None] | held[None, :], 0.0, covariance)

    def log_prior(self, x: EntityCoordinates) -> tuple[float, EntityCoordinates, EntityCoordinates]:
        """Log prior of the coordinates that are estimated, with its first two derivatives."""
        return penalise(self.priors, x, self.free)
