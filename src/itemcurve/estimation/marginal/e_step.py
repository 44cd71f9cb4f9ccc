"""The expectation step: integrate every unit out, block by block, by matrix products."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import numpy as np

from itemcurve.estimation.marginal.factored_curves import (
    ChannelSums,
    FactoredCurve,
    StepCurve,
    compressed,
    expected_channels,
    sums_at_nodes,
    times_curves,
    with_factors,
)
from itemcurve.estimation.marginal.problem import Curves, EntitiesAtNodes, Grid, MarginalProblem
from itemcurve.estimation.marginal.units import Step, added, rows_of
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.integration import Density, Rule
from itemcurve.numerics.row_blocks import Block
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


class GridArrays(NamedTuple):
    """The arrays of a grid, as compiled code takes them."""

    points: NodePoints
    first: PerNode
    log_quadrature: PerNode
    chebyshev: Any

    @classmethod
    def of(cls, engine: Engine, grid: Grid) -> "GridArrays":
        """Place a grid's arrays where the engine computes."""
        own = cls(grid.points, grid.coordinates[0], grid.log_quadrature, grid.chebyshev)
        return engine.place_all(own)

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
    extent : largest absolute posterior mean of any unit, in the first coordinate.
    kept : what else was found of the units at the same point, by name; filled as it is asked for.
    """

    log_likelihood: float
    sums: list[EntityCurve]
    mass: GroupNodes
    extent: float
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)


def expect(problem: MarginalProblem, x: EntityCoordinates, state: State) -> Expectation:
    """Integrate the units out at the entities' coordinates `x` and the population's `state`."""
    engine = problem.engine
    arrays = GridArrays.of(engine, problem.grid)
    log_density = engine.place(problem.population.log_density(state, problem.grid.coordinates))
    step = Step(expect_block, problem.grid.rule, merged)
    total, sums, mass, extent = expected(
        engine,
        problem.curves,
        problem.at_nodes(x),
        lambda curves: problem.units.total(step, curves, log_density, arrays),
    )
    return Expectation(float(total), sums, np.asarray(mass), float(extent))


def expected(
    engine: Engine,
    curves: Curves,
    at: EntitiesAtNodes,
    total: Callable[[list[StepCurve]], tuple[Array, list[ChannelSums], GroupNodes, Array]],
) -> tuple[Array, list[EntityCurve], GroupNodes, Array]:
    """Log-likelihood, expected channels, units at the nodes, and extent, as of `Expectation`.

    Parameters
    ----------
    total : adds up what `expect_block` gives of all blocks, by the curves as steps take them.
    """
    factored = quick_curves(engine, curves, at)
    height, found, mass, extent = total(factored)
    add = engine.compile(_all_at_nodes, static=("engine",))
    return height, add(engine, factored, found), mass, extent


def densities(problem: MarginalProblem, x: EntityCoordinates, state: State) -> Iterator[Density]:
    """Give each unit's posterior, one `Density` per block."""
    engine = problem.engine
    log_density = engine.place(problem.population.log_density(state, problem.grid.coordinates))
    yield from problem.units.each(
        Step(unit_density, problem.grid.rule),
        quick_curves(engine, problem.curves, problem.at_nodes(x)),
        log_density,
        GridArrays.of(engine, problem.grid),
    )


def posterior_moments(
    problem: MarginalProblem, x: EntityCoordinates, state: State
) -> Annotated[Array, axes("units 2")]:
    """Posterior mean and standard deviation of each unit, in one dimension (units × 2)."""
    engine = problem.engine
    log_density = engine.place(problem.population.log_density(state, problem.grid.coordinates))
    curves = quick_curves(engine, problem.curves, problem.at_nodes(x))
    step = Step(_block_moments, problem.grid.rule)
    arrays = curves, log_density, GridArrays.of(engine, problem.grid)
    return np.asarray(rows_of(problem.units, step, *arrays))


def _block_moments(
    engine: Engine,
    settings: Rule,
    block: Block,
    groups: PerUnit | None,
    curves: list[StepCurve],
    log_density: GroupNodes,
    grid: GridArrays,
) -> Annotated[Array, axes("units 2")]:
    xp = engine.xp
    density = unit_density(engine, settings, block, groups, curves, log_density, grid)
    mean = (density.weights * density.points).sum(axis=1)
    variance = (density.weights * (density.points - mean[:, None]) ** 2).sum(axis=1)
    return xp.stack([mean, xp.sqrt(variance)], axis=1)


def log_densities(
    problem: MarginalProblem, x: EntityCoordinates, state: State
) -> Iterator[UnitNodes]:
    """Give each unit's log joint density at the nodes, block by block (units × nodes)."""
    engine = problem.engine
    log_density = engine.place(problem.population.log_density(state, problem.grid.coordinates))
    curves = quick_curves(engine, problem.curves, problem.at_nodes(x))
    yield from problem.units.each(Step(_log_values), curves, log_density)


def step_curves(engine: Engine, curves: Curves, at: EntitiesAtNodes) -> list[StepCurve]:
    """The curves at the nodes, as steps take them."""
    found: list[StepCurve] = engine.compile(_step_curves, static=("engine", "curves"))(
        engine, curves, at
    )
    return found


def quick_curves(engine: Engine, curves: Curves, at: EntitiesAtNodes) -> list[StepCurve]:
    """The same with few functions in place of curves that these make up, where that pays."""
    found = step_curves(engine, curves, at)
    if not curves.is_compressed:
        return found
    slopes = curves.slopes(engine, at)
    for place, curve in enumerate(found):
        if not isinstance(curve, FactoredCurve):
            found[place] = compressed(curve, [own[place] for own in slopes]) or curve
    return found


def _step_curves(engine: Engine, curves: Curves, at: EntitiesAtNodes) -> list[StepCurve]:
    return with_factors(curves.values(engine, at), curves.factors(engine, at))


def _all_at_nodes(
    engine: Engine, curves: list[StepCurve], sums: list[ChannelSums]
) -> list[EntityCurve]:
    return [sums_at_nodes(engine, curve, own) for curve, own in zip(curves, sums, strict=True)]


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
    heights = log_density if groups is None else log_density[groups]
    return times_curves(engine, block, curves, heights)


def expect_block(
    engine: Engine,
    settings: Rule,
    block: Block,
    groups: PerUnit | None,
    curves: list[StepCurve],
    log_density: GroupNodes,
    grid: GridArrays,
) -> tuple[Array, list[ChannelSums], GroupNodes, Array]:
    """Log-likelihood, expected channels, units at the nodes and extent of one block."""
    density = unit_density(engine, settings, block, groups, curves, log_density, grid)
    spread = density.onto_nodes(engine)
    sums = expected_channels(engine, block, curves, spread)
    extent = engine.xp.abs(spread @ grid.first).max()
    mass = _by_group(engine, spread, groups, log_density.shape[0])
    return density.log_integral.sum(), sums, mass, extent


def merged(one: Any, other: Any) -> Any:
    """Put together what `expect_block` gives of two blocks."""
    *sums, extent = one
    *more, reach = other
    return *added(sums, more), extent.__array_namespace__().maximum(extent, reach)


def _by_group(engine: Engine, spread: UnitNodes, groups: PerUnit | None, count: int) -> GroupNodes:
    """Sums over the units of each group (groups × nodes)."""
    if groups is None:
        return spread.sum(axis=0)[None, :]
    belongs = engine.xp.arange(count)[:, None] == groups[None, :]
    return belongs.astype(spread.dtype) @ spread
