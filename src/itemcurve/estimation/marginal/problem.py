"""One side of the data integrated out, the other estimated: the problem every fit solves.

Over respondents, the *units* integrated out are respondents and the *entities* estimated are
items. Over items, the roles turn round. The log-likelihood of a unit at a node of the
integration grid is a sum of products of its data channels with the entities' curves at that
node, so both sides share every step that follows: expectations, scoring, Newton steps, standard
errors. A side supplies what differs: what a node is, and how curves depend on the entity.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from itemcurve.estimation.identification.point_priors import log_priors, penalise
from itemcurve.estimation.identification.population import Population
from itemcurve.estimation.marginal.factored_curves import FactoredCurve
from itemcurve.estimation.marginal.shared_coordinates import SharedCoordinates
from itemcurve.estimation.marginal.units import Units
from itemcurve.models.priors import Kind, Prior, join_prior, split_prior
from itemcurve.numerics.chebyshev import ChebyshevGrid
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.integration import ByBand, Rule
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityHeld,
    EntityMatrices,
    EntitySlope,
    EstimatedMatrix,
    NodePoints,
    PerCoordinate,
    PerEntity,
    PerNode,
    PopulationNodes,
)

# Entities × nodes that stay in the cache of a processor.
_CELLS_AT_ONCE = 2**17
_WORTH_COMPILING = 10_000


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
    is_line : whether nodes are points of a line, along which polynomials carry covariances.
    """

    points: NodePoints
    coordinates: PopulationNodes
    log_quadrature: PerNode
    rule: Rule | ByBand
    chebyshev: ChebyshevGrid | None = None
    is_line: bool = False


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

    def of_rows(self, rows: slice) -> "EntitiesAtNodes":
        """Some of the entities."""
        return self._replace(x=self.x[rows], held=self.held[rows])

    @property
    def at_once(self) -> int:
        """How many entities are worked on at one time, where they are not all."""
        # Every coordinate has arrays of its own.
        cells = self.points.shape[0] * max(1, self.x.shape[1] // 2)
        return max(64, _CELLS_AT_ONCE // cells)


class Curves(Protocol):
    """How the curves of entities at nodes depend on the entities' unbounded coordinates `x`.

    Arrays are entities × nodes. Instances are hashable: compiled code is cached by them.
    """

    @property
    def is_linear(self) -> bool:
        """Whether natural parameters are linear in the coordinates: curvature knows no data."""

    @property
    def is_compressed(self) -> bool:
        """Whether steps take curves that are no sums of few functions for such, to seven digits."""

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


class Restraints(NamedTuple):
    """What keeps entities in their place, as compiled code takes it.

    Attributes
    ----------
    numbers : of each coordinate's prior.
    pull : what the objective gains per unit of each coordinate; None for nothing.
    free : which coordinates are estimated (entities × coordinates); None for all.
    lower, upper : bounds of the coordinates.
    """

    numbers: tuple[tuple[Any, ...], ...]
    pull: EntityCoordinates | None
    free: EntityCoordinates | None
    lower: PerCoordinate
    upper: PerCoordinate

    def heights(self, engine: Engine, kinds: Sequence[Kind], x: EntityCoordinates) -> PerEntity:
        """Log prior of each entity, by priors of these kinds, and what pulls it."""
        own = log_priors(self._priors(kinds), x, self.free, engine)
        return own if self.pull is None else own + engine.inner(self.pull, x)

    def derivatives(
        self, engine: Engine, kinds: Sequence[Kind], x: EntityCoordinates
    ) -> tuple[EntityCoordinates, EntityCoordinates]:
        """Their first and second derivatives."""
        _, slope, bend = penalise(self._priors(kinds), x, self.free, engine)
        return slope if self.pull is None else slope + self.pull, bend

    def of_rows(self, rows: slice) -> "Restraints":
        """The same for some of the entities."""
        free = None if self.free is None else self.free[rows]
        pull = None if self.pull is None else self.pull[rows]
        numbers = tuple(tuple(n[rows] if n.ndim else n for n in own) for own in self.numbers)
        return self._replace(numbers=numbers, pull=pull, free=free)

    def _priors(self, kinds: Sequence[Kind]) -> list[Prior | None]:
        return [join_prior(*both) for both in zip(kinds, self.numbers, strict=True)]


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
    pull: EntityCoordinates | None = None
    """What the objective gains per unit of each coordinate, beside the priors; None for nothing."""
    common: tuple[int, ...] = ()
    """Coordinates that are the same for all entities; they have no priors."""
    held_there: EntityHeld | None = None
    """What is held, where the engine computes, if it was brought there once for all."""

    @cached_property
    def copies(self) -> SharedCoordinates:
        """Which estimated numbers are copies of one another."""
        return SharedCoordinates(self.common, self.free_cells, self.population.size)

    @property
    def free_cells(self) -> EntityCoordinates:
        """Which coordinates are estimated (entities × coordinates)."""
        shape = len(self.held), len(self.bounds)
        return np.ones(shape, dtype=bool) if self.free is None else self.free

    @property
    def n_free(self) -> int:
        """How many coordinates are estimated."""
        return int(self.free_cells.sum()) - self.copies.n_copies

    def at_nodes(self, x: EntityCoordinates) -> EntitiesAtNodes:
        """Entities at coordinates `x`, where the engine computes."""
        return self.engine.place_all(EntitiesAtNodes(x, self.placed_held, self.grid.points))

    @property
    def placed_held(self) -> EntityHeld:
        """What is held of the entities, where the engine computes."""
        return self.engine.place(self.held) if self.held_there is None else self.held_there

    def without_held_cells(self, covariance: EstimatedMatrix) -> EstimatedMatrix:
        """A covariance of all parameters in which coordinates that are held count as known."""
        if self.free is None:
            return covariance
        held = np.concatenate([~self.free.ravel(), np.zeros(self.population.size, dtype=bool)])
        return np.where(held[:, None] | held[None, :], 0.0, covariance)

    @property
    def engine_of_all(self) -> Engine:
        """Who works on all entities: of few, it takes longer to compile that than to do it."""
        return self.engine if len(self.held) > _WORTH_COMPILING else NUMPY

    @property
    def prior_kinds(self) -> tuple[Kind, ...]:
        """Which distribution each coordinate's prior is."""
        return tuple(split_prior(prior)[0] for prior in self.priors)

    @cached_property
    def restraints(self) -> Restraints:
        """Priors, bounds and what is held, where the engine computes."""
        lower, upper = np.transpose(self.bounds)
        numbers = [split_prior(prior)[1] for prior in self.priors]
        pull = self.pull
        if pull is None and self.engine.compiles:
            # A pull that begins later is then no other program.
            pull = self.engine.xp.zeros((len(self.held), len(self.bounds)))
        own = tuple(tuple(map(np.asarray, each)) for each in numbers)
        return self.engine.place_all(Restraints(own, pull, self.free, lower, upper))

    def log_height(self, x: EntityCoordinates) -> float:
        """Log prior of all coordinates that are estimated, with what pulls them."""
        engine = self.engine
        if not self.engine_of_all.compiles:
            return self.log_prior(x)[0]
        run = engine.compile(_height, static=("engine", "kinds"))
        return float(run(engine, self.prior_kinds, self.restraints, engine.place(x)))

    def log_prior(self, x: EntityCoordinates) -> tuple[float, EntityCoordinates, EntityCoordinates]:
        """Log prior of the coordinates that are estimated, with its first two derivatives."""
        total, slope, bend = penalise(self.priors, x, self.free)
        if self.pull is None:
            return total, slope, bend
        pull = np.asarray(self.pull)
        return total + float(np.vdot(pull, x)), slope + pull, bend


def _height(
    engine: Engine, kinds: tuple[Kind, ...], restraints: Restraints, x: EntityCoordinates
) -> Array:
    height: Array = restraints.heights(engine, kinds, x).sum()
    return height
