"""The covariance of each entity's own scores, where units have few of the entities.

The slopes of all curves are nearly sums of a few functions φ of the node. With c the weights of an
entity's slope in them, Cov(score) = Σ_units C C′ cᵀ Cov(φ) c′, and Cov(φ) is a unit's alone: it is
found once per unit and added up over the units that have the entity, by one product per pair of
channels. Nothing is computed where nothing was observed.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Annotated, Any

import numpy as np

from itemcurve.estimation.marginal.e_step import GridArrays, quick_curves, unit_density
from itemcurve.estimation.marginal.factored_curves import StepCurve
from itemcurve.estimation.marginal.problem import Grid, MarginalProblem
from itemcurve.estimation.marginal.units import Step
from itemcurve.numerics.engine import Array, Engine, add_up
from itemcurve.numerics.integration import Density, Rule
from itemcurve.numerics.products.sparse_blocks import entrywise
from itemcurve.numerics.row_blocks import Block, transposed_product
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    GroupNodes,
    NodeFeatures,
    NodeMatrix,
    PerNode,
    PerUnit,
    State,
    axes,
)

# What of the slopes the functions leave out, beside the largest part of them; and how many serve.
_LEFT_OUT = 3e-4
_MOST_FUNCTIONS = 20
# A few thousand entities, evenly spaced, tell which functions all need.
_ENOUGH_ENTITIES = 2000
# Nodes where nobody is count as if this share of the fullest node were there.
_LEAST_MASS = 1e-6


def own_covariance(
    problem: MarginalProblem, x: EntityCoordinates, state: State, mass: GroupNodes
) -> EntityMatrices:
    """Σ over units of Cov(score | data) of each entity (entities × coordinates × coordinates).

    Parameters
    ----------
    mass : expected number of units of each group at each node.
    """
    engine = problem.engine
    kind = type(problem.curves)
    slopes = engine.compile(kind.slopes, static=("self", "engine"))(
        problem.curves, engine, problem.at_nodes(x)
    )
    size = len(x), problem.grid.points.shape[0]
    own = [[np.broadcast_to(np.asarray(part), size) for part in parts] for parts in slopes]
    density = np.maximum(mass.sum(axis=0), _LEAST_MASS * mass.max())
    functions, weights = _expanded(own, density, _derivative(problem.grid))
    log_density = engine.place(problem.population.log_density(state, problem.grid.coordinates))
    found = problem.units.total(
        Step(_block_sums, problem.grid.rule),
        quick_curves(engine, problem.curves, problem.at_nodes(x)),
        engine.place(functions),
        log_density,
        GridArrays.of(engine, problem.grid),
    )
    return _assembled([np.asarray(part) for part in found], weights)


def _derivative(grid: Grid) -> NodeMatrix:
    """What gives the derivative of a function at the nodes: of a line, from its values there."""
    if grid.chebyshev is not None:
        return grid.chebyshev.first
    nodes, values = grid.points, np.eye(grid.points.shape[0])
    return np.stack([np.gradient(own, nodes) for own in values], axis=1)


def _expanded(
    slopes: Sequence[Sequence[EntityCurve]], density: PerNode, derivative: NodeMatrix
) -> tuple[NodeFeatures, list[list[Array]]]:
    """Functions φ of the node, and the weights in them of every slope (coordinates × channels).

    Under a narrow posterior it is how steep functions are that makes them vary, so their
    derivatives count as much as they. Constants vary with nothing and are taken out first.
    """
    share = density / density.sum()
    metric = np.diag(share) + (derivative.T * share) @ derivative
    root = np.linalg.cholesky(metric)
    centred = [[part - (part @ share)[:, None] for part in parts] for parts in slopes]
    step = -(-len(slopes[0][0]) // _ENOUGH_ENTITIES)
    stacked = np.concatenate([part[::step] for parts in centred for part in parts]) @ root
    size, turn = np.linalg.eigh(stacked.T @ stacked)
    # Of squares, twice as many digits as of the slopes themselves.
    is_kept = size > _LEFT_OUT**2 * size[-1]
    kept = turn[:, is_kept][:, ::-1][:, :_MOST_FUNCTIONS]
    weights = [[part @ (root @ kept) for part in parts] for parts in centred]
    return np.linalg.solve(root.T, kept).T, weights


def _block_sums(
    engine: Engine,
    settings: Rule,
    block: Block,
    groups: PerUnit | None,
    curves: list[StepCurve],
    functions: NodeFeatures,
    log_density: GroupNodes,
    grid: GridArrays,
) -> list[Annotated[Array, axes("entities pairs")]]:
    """Σ_units C_k C_l Cov(φ), for each pair of channels."""
    density = unit_density(engine, settings, block, groups, curves, log_density, grid)
    covariances = _covariances(engine, density, functions)
    entities = next(part.shape[1] for part in block if part is not None)
    pairs = [entrywise(one, other) for one, other in combinations_with_replacement(block, 2)]
    # Where responses are right or wrong, their square is themselves: one product serves.
    found = {id(pair): pair for pair in pairs}
    sums = {
        key: transposed_product(engine, pair, covariances, entities) for key, pair in found.items()
    }
    return [sums[id(pair)] for pair in pairs]


def _covariances(
    engine: Engine, density: Density, functions: NodeFeatures
) -> Annotated[Array, axes("units pairs")]:
    """Cov(φ_r, φ_s) of every unit, r ≤ s."""
    first, second = np.triu_indices(functions.shape[0])
    if density.basis is None:
        means = density.weights @ functions.T
        products = density.weights @ (functions[first] * functions[second]).T
        return products - means[:, first] * means[:, second]
    at_points = density.basis @ functions.T
    means = engine.xp.matmul(density.weights[:, None, :], at_points)
    centred = at_points - means
    weighted = density.weights[:, :, None] * centred
    both = engine.xp.matmul(engine.xp.swapaxes(weighted, 1, 2), centred)
    return both[:, first, second]


def _assembled(sums: Sequence[Array], weights: list[list[Array]]) -> EntityMatrices:
    """The covariance itself (entities × coordinates × coordinates)."""
    size = weights[0][0].shape[1]
    first, second = np.triu_indices(size)
    pairs = list(combinations_with_replacement(range(len(weights[0])), 2))
    total: Any = np.zeros((len(sums[0]), len(weights), len(weights)))
    for (one, other), own in zip(pairs, sums, strict=True):
        matrix = np.empty((len(own), size, size))
        matrix[:, first, second] = matrix[:, second, first] = own
        left = np.stack([parts[one] for parts in weights], axis=1)
        right = np.stack([parts[other] for parts in weights], axis=1)
        part = left @ matrix @ right.swapaxes(1, 2)
        total = add_up([total, part] if one == other else [total, part, part.swapaxes(1, 2)])
    return total
