"""How the scores of a unit vary with its latent value: the part that missing data take away.

For functions h_r orthonormal under a unit's posterior, Cov(score) = Σ_r s_r s_rᵀ with
s_r = E[score · h_r], which is a handful of matrix products for all units of a block.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

import numpy as np

from itemcurve.estimation.marginal.e_step import GridArrays, unit_density
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.numerics.engine import Array, Engine, add_up
from itemcurve.numerics.integration import Rule
from itemcurve.numerics.orthonormal import orthonormal_polynomials, whitening
from itemcurve.numerics.row_blocks import Block, as_float, dense, hadamard
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    EntitySlope,
    EstimatedMatrix,
    GroupNodes,
    NodeFeatures,
    PerUnit,
    State,
    StateSlopes,
    UnitNodes,
    axes,
)

Reduction = Literal["all", "own", "units"]
_STATIC = ("self", "engine")


def score_covariance(
    problem: MarginalProblem, x: EntityCoordinates, state: State, degree: int, reduction: Reduction
) -> Iterator[Array]:
    """Σ over a block's units of Cov(score | data), block by block.

    Parameters
    ----------
    degree : how many orthonormal polynomials carry it.
    reduction : `"all"` for all parameters together (parameters × parameters, the population's
        state last), `"own"` for each entity alone (entities × coordinates × coordinates),
        `"units"` for E[score · h_1] of each unit instead (units × parameters): its latent value's
        covariance with the scores, in standard deviations of that value.
    """
    engine = problem.engine
    arrays = GridArrays.of(engine, problem.grid)
    place = engine.place
    at, kind = problem.at_nodes(x), type(problem.curves)
    curves = engine.compile(kind.values, static=_STATIC)(problem.curves, engine, at)
    slopes = engine.compile(kind.slopes, static=_STATIC)(problem.curves, engine, at)
    log_density = place(problem.population.log_density(state, problem.grid.coordinates))
    population_slopes = place(problem.population.slopes(state, problem.grid.coordinates))
    features = None if problem.grid.chebyshev is not None else _features(problem)
    step = engine.compile(_block_covariance, static=("engine", "rule", "degree", "reduction"))
    for block, groups in zip(problem.blocks, problem.group_blocks(), strict=True):
        yield np.asarray(
            step(
                engine,
                problem.grid.rule,
                degree,
                reduction,
                block,
                groups,
                curves,
                slopes,
                log_density,
                population_slopes,
                arrays,
                features,
            )
        )


def _features(problem: MarginalProblem) -> NodeFeatures:
    """Monomials of the standardised coordinates up to degree two (features × nodes)."""
    scaled = [(c - c.mean()) / c.std() for c in problem.grid.coordinates]
    pairs = [a * b for i, a in enumerate(scaled) for b in scaled[i:]]
    return problem.engine.place(np.stack([*scaled, *pairs]))


def _block_covariance(
    engine: Engine,
    rule: Rule,
    degree: int,
    reduction: Reduction,
    block: Block,
    groups: PerUnit | None,
    curves: list[EntityCurve],
    slopes: list[list[EntitySlope]],
    log_density: GroupNodes,
    population_slopes: StateSlopes,
    grid: GridArrays,
    features: NodeFeatures | None,
) -> Array:
    block = tuple(None if channel is None else as_float(engine, channel) for channel in block)
    density = unit_density(engine, rule, block, groups, curves, log_density, grid)
    plain = [dense(channel) for channel in block]

    def scores(factor: Array | None) -> list[Array]:
        spread = density.onto_nodes(engine, factor)
        columns = [
            add_up(
                hadamard(engine, channel, spread @ slope.T)
                for channel, slope in zip(plain, parts, strict=True)
            )
            for parts in slopes
        ]
        return [*columns, _population_scores(engine, spread, groups, population_slopes)]

    if features is None:
        basis = orthonormal_polynomials(engine, density.weights, density.points, degree)
        projected = [scores(factor) for factor in basis]
    else:
        raw = [scores(feature) for feature in features]
        white = whitening(engine, density.weights, features)
        projected = _whitened(engine, scores(None), raw, *white)
    if reduction == "units":
        return _flat(engine, projected[0])
    reduce = _outer_products if reduction == "all" else _own_products
    return add_up(reduce(engine, parts) for parts in projected)


def _population_scores(
    engine: Engine, spread: UnitNodes, groups: PerUnit | None, slopes: StateSlopes
) -> Annotated[Array, axes("units state")]:
    """E[score of the population's state] of every unit (units × state)."""
    if groups is None:
        return spread @ slopes[0].T
    return engine.xp.einsum("un,usn->us", spread, slopes[groups])


def _whitened(
    engine: Engine,
    mean: list[Array],
    raw: list[list[Array]],
    means: Annotated[Array, axes("units features")],
    root: Annotated[Array, axes("units features features")],
) -> list[list[Array]]:
    """Turn E[score · feature] into E[score · h] for the orthonormal combinations h."""
    solved = []
    for column, average in enumerate(mean):
        stacked = engine.xp.stack([scores[column] for scores in raw], axis=1)
        centred = stacked - means[:, :, None] * average[:, None, :]
        solved.append(engine.xp.linalg.solve(root, centred))
    return [[column[:, r, :] for column in solved] for r in range(len(raw))]


def _outer_products(engine: Engine, scores: list[Array]) -> EstimatedMatrix:
    """Σ_units s sᵀ of all parameters."""
    flat = _flat(engine, scores)
    return flat.T @ flat


def _flat(engine: Engine, scores: list[Array]) -> Annotated[Array, axes("units estimated")]:
    """Scores of units by parameter, ordered entity by entity, then the state."""
    *columns, state = scores
    own = engine.xp.stack(columns, axis=2).reshape(state.shape[0], -1)
    return engine.xp.concatenate([own, state], axis=1)


def _own_products(engine: Engine, scores: list[Array]) -> EntityMatrices:
    """Σ_units s sᵀ within each entity."""
    xp = engine.xp
    *columns, _ = scores
    size = len(columns)
    own = {
        (a, b): xp.einsum("ue,ue->e", columns[a], columns[b])
        for a in range(size)
        for b in range(a, size)
    }
    rows = [[own[min(a, b), max(a, b)] for b in range(size)] for a in range(size)]
    return xp.stack([xp.stack(row, axis=1) for row in rows], axis=1)
