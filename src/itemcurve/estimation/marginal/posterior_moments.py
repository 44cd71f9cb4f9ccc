"""Means and standard deviations of the units' posteriors, computed where the units lie."""

from collections.abc import Iterator

from itemcurve.estimation.marginal.e_step import GridArrays, curves_of, unit_density
from itemcurve.estimation.marginal.factored_curves import StepCurve
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.marginal.units import Step
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.integration import Rule
from itemcurve.numerics.row_blocks import Block
from itemcurve.numerics.shapes import EntityCoordinates, GroupNodes, PerUnit, State


def posterior_moments(
    problem: MarginalProblem, x: EntityCoordinates, state: State
) -> Iterator[tuple[PerUnit, PerUnit]]:
    """Mean and standard deviation of each unit's latent value, block by block."""
    engine = problem.engine
    yield from problem.units.each(
        Step(_moments, problem.grid.rule),
        curves_of(problem, x)[1],
        engine.place(problem.population.log_density(state, problem.grid.coordinates)),
        GridArrays.of(engine, problem.grid),
    )


def _moments(
    engine: Engine,
    settings: Rule,
    block: Block,
    groups: PerUnit | None,
    curves: list[StepCurve],
    log_density: GroupNodes,
    grid: GridArrays,
) -> tuple[PerUnit, PerUnit]:
    density = unit_density(engine, settings, block, groups, curves, log_density, grid)
    mean = (density.weights * density.points).sum(axis=1)
    deviations = (density.points - mean[:, None]) ** 2
    return mean, engine.xp.sqrt((density.weights * deviations).sum(axis=1))
