"""The expectation step: integrate every unit out, block by block, by matrix products."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np

from itemcurve.estimation.marginal.factored_curves import (
    ChannelSums,
    StepCurve,
    expected_channel,
    sums_at_nodes,
    times_curve,
    with_factors,
)
from itemcurve.estimation.marginal.problem import Grid, MarginalProblem
from itemcurve.estimation.marginal.tabulated_units import UnitTable, expect_by_table, unit_table
from itemcurve.estimation.marginal.units import Step, added
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.integration import Density, Rule
from itemcurve.numerics.row_blocks import Block, as_float
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    GroupNodes,
    NodePoints,
    PerNode,
    PerUnit,
    State,
    UnitNodes,
    axes,
)

_STATIC = ("self", "engine")


class GridArrays(NamedTuple):
    """The arrays of a grid, as compiled code takes them."""

    points: NodePoints
    first: PerNode
    log_quadrature: PerNode
    chebyshev: Any

    @classmethod
    def of(cls, engine: Engine, grid: Grid) -> "GridArrays":
        """Place a grid's arrays where the engine computes."""
        chebyshev = grid.chebyshev
        if chebyshev is not None and engine.name != "numpy":
            chebyshev = type(chebyshev)(*(engine.place(part) for part in chebyshev))
        place = engine.place
        first = place(grid.coordinates[0])
        return cls(place(grid.points), first, place(grid.log_quadrature), chebyshev)

    def for_rule(self) -> tuple[NodePoints, PerNode, Any]:
        """What a rule of integration needs to know of the grid."""
        return self.points, self.log_quadrature, self.chebyshev


@dataclass(frozen=True)
class Expectation:
    """What is known after integrating the units out.

    Attributes
    ----------
    log_likelihood : the marginal log-likelihood, summed over units.
    sums : expected channels of each entity at each node (entities × nodes each); of a curve with
        factors, what has the same product with every function of them.
    mass : expected number of units of each group at each node (groups × nodes).
    curves : the curves it was computed with (entities × nodes each).
    extent : largest absolute posterior mean of any unit, in the first coordinate.
    """

    log_likelihood: float
    sums: list[EntityCurve]
    mass: GroupNodes
    curves: list[EntityCurve]
    extent: float


def expect(problem: MarginalProblem, x: EntityCoordinates, state: State) -> Expectation:
    """Integrate the units out at the entities' coordinates `x` and the population's `state`."""
    engine = problem.engine
    arrays = GridArrays.of(engine, problem.grid)
    curves, factored = curves_of(problem, x)
    log_density = engine.place(problem.population.log_density(state, problem.grid.coordinates))
    known = unit_table(problem, factored, log_density)
    if known is not None:
        return _expect_by_table(problem, curves, factored, *known)
    step = Step(_expect_block, problem.grid.rule, _merged)
    total, found, mass, extent = problem.units.total(step, factored, log_density, arrays)
    sums = [sums_at_nodes(curve, own) for curve, own in zip(factored, found, strict=True)]
    return Expectation(float(total), sums, np.asarray(mass), curves, float(extent))


def _expect_by_table(
    problem: MarginalProblem,
    curves: list[EntityCurve],
    factored: list[StepCurve],
    table: UnitTable,
    spread: Annotated[Array, axes("sums nodes")],
    constant: tuple[int, ...],
) -> Expectation:
    """The same where units are looked up in a table of the one sum in which they differ."""
    placed = UnitTable(*(problem.engine.place(part) for part in table))
    step = Step(expect_by_table, constant, _merged)
    total, found, rows, extent = problem.units.total(step, factored[0], placed)
    mass = np.asarray(rows)[None, :] @ spread
    shared = [np.broadcast_to(mass, curve.shape) for curve in curves[1:]]
    sums = [sums_at_nodes(factored[0], found[0]), *shared]
    return Expectation(float(total), sums, mass, curves, float(extent))


def densities(problem: MarginalProblem, x: EntityCoordinates, state: State) -> Iterator[Density]:
    """Give each unit's posterior, one `Density` per block."""
    engine = problem.engine
    log_density = engine.place(problem.population.log_density(state, problem.grid.coordinates))
    yield from problem.units.each(
        Step(unit_density, problem.grid.rule),
        curves_of(problem, x)[1],
        log_density,
        GridArrays.of(engine, problem.grid),
    )


def log_densities(
    problem: MarginalProblem, x: EntityCoordinates, state: State
) -> Iterator[UnitNodes]:
    """Give each unit's log joint density at the nodes, block by block (units × nodes)."""
    engine = problem.engine
    log_density = engine.place(problem.population.log_density(state, problem.grid.coordinates))
    yield from problem.units.each(Step(_log_values), curves_of(problem, x)[1], log_density)


def curves_of(
    problem: MarginalProblem, x: EntityCoordinates
) -> tuple[list[EntityCurve], list[StepCurve]]:
    """The curves at the nodes, and as steps take them."""
    engine, kind, at = problem.engine, type(problem.curves), problem.at_nodes(x)
    curves = engine.compile(kind.values, static=_STATIC)(problem.curves, engine, at)
    factors = engine.compile(kind.factors, static=_STATIC)(problem.curves, engine, at)
    return curves, with_factors(curves, factors)


def unit_density(
    engine: Engine,
    settings: Rule,
    block: Block,
    groups: PerUnit | None,
    curves: list[StepCurve],
    log_density: GroupNodes,
    grid: GridArrays,
) -> Density:
    """Integrate the units of one block: Σ_k C_k @ g_kᵀ, then the rule."""
    log_values = _log_values(engine, None, block, groups, curves, log_density)
    return settings.integrate(engine, log_values, *grid.for_rule())


def _log_values(
    engine: Engine,
    settings: None,
    block: Block,
    groups: PerUnit | None,
    curves: list[StepCurve],
    log_density: GroupNodes,
) -> UnitNodes:
    log_values = log_density if groups is None else log_density[groups]
    for channel, curve in zip(block, curves, strict=True):
        channel = None if channel is None else as_float(engine, channel)
        log_values = log_values + times_curve(engine, channel, curve)
    return log_values


def _expect_block(
    engine: Engine,
    settings: Rule,
    block: Block,
    groups: PerUnit | None,
    curves: list[StepCurve],
    log_density: GroupNodes,
    grid: GridArrays,
) -> tuple[Array, list[ChannelSums], GroupNodes, Array]:
    block = tuple(None if channel is None else as_float(engine, channel) for channel in block)
    density = unit_density(engine, settings, block, groups, curves, log_density, grid)
    spread = density.onto_nodes(engine)
    pairs = zip(block, curves, strict=True)
    sums = [expected_channel(engine, channel, curve, spread) for channel, curve in pairs]
    extent = engine.xp.abs(spread @ grid.first).max()
    mass = _by_group(engine, spread, groups, log_density.shape[0])
    return density.log_integral.sum(), sums, mass, extent


def _merged(one: Any, other: Any) -> Any:
    *sums, extent = one
    *more, reach = other
    return *added(sums, more), max(extent, reach)


def _by_group(engine: Engine, spread: UnitNodes, groups: PerUnit | None, count: int) -> GroupNodes:
    """Sums over the units of each group (groups × nodes)."""
    if groups is None:
        return spread.sum(axis=0)[None, :]
    belongs = engine.xp.arange(count)[:, None] == groups[None, :]
    return belongs.astype(spread.dtype) @ spread
