"""The observed information of the marginal likelihood (Louis 1982).

−∂²log L = E[−∂²l] − Σ_units Cov(score | data), plus the priors. The first part is block-diagonal
over entities. The second couples them: within a unit, scores of all entities vary together with
the unit's latent value. With functions h_r orthonormal under the unit's posterior it equals
Σ_r s_r s_rᵀ, s_r = E[score · h_r]: matrix products again.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.expectation import Expectation, GridArrays, unit_density
from itemcurve.estimation.population import penalise
from itemcurve.estimation.side import Side
from itemcurve.numerics.blocks import Block, as_float, hadamard
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.integration import Rule
from itemcurve.numerics.orthonormal import orthonormal_polynomials, whitening

_STEP = 1e-5


@dataclass(frozen=True)
class Curvature:
    """Gradient and observed information of the penalised marginal log-likelihood.

    Parameters are ordered entity by entity, then the population's state.
    """

    gradient: Array
    matrix: Array


def full_information(side: Side, x: Array, state: Array, expectation: Expectation) -> Curvature:
    """All parameters together: exact, at a cost that grows with their number squared."""
    entities, width = x.shape
    n_items = entities * width
    total = n_items + side.population.size
    gradient, matrix = np.zeros(total), np.zeros((total, total))
    for mean, *projected in _unit_scores(side, x, state, with_mean=True):
        gradient += _joined(mean).sum(axis=0)
        for scores in projected:
            flat = _joined(scores)
            matrix -= flat.T @ flat
    view = matrix[:n_items, :n_items].reshape(entities, width, entities, width)
    index = np.arange(entities)
    view[index, :, index, :] += complete_curvature(side, x, expectation)
    bend = side.population.curvature(state, side.grid.coordinates)
    matrix[n_items:, n_items:] -= bend @ expectation.mass
    _, item_slope, item_bend = penalise(side.priors, x)
    _, state_slope, state_bend = side.population.penalty(state)
    gradient += np.concatenate([item_slope.ravel(), state_slope])
    matrix[np.diag_indices(total)] -= np.concatenate([item_bend.ravel(), state_bend])
    return Curvature(gradient, (matrix + matrix.T) / 2)


def block_information(side: Side, x: Array, state: Array, expectation: Expectation) -> Array:
    """Each entity's own block (entities × coordinates × coordinates): cheap at any size."""
    width = x.shape[1]
    blocks = complete_curvature(side, x, expectation)
    for block in _unit_scores(side, x, state, with_mean=False):
        for *scores, _ in block:
            for a in range(width):
                for b in range(width):
                    blocks[:, a, b] -= np.einsum("ue,ue->e", scores[a], scores[b])
    _, _, bend = penalise(side.priors, x)
    diagonal = np.arange(width)
    blocks[:, diagonal, diagonal] -= bend
    return blocks


def _joined(scores: list[Array]) -> Array:
    """Scores by coordinate (units × entities each), then of the state, as one matrix."""
    *columns, state = scores
    return np.concatenate([np.stack(columns, axis=2).reshape(len(state), -1), state], axis=1)


def complete_curvature(side: Side, x: Array, expectation: Expectation) -> Array:
    """E[−∂²l] per entity, by central differences of the exact slopes of the curves."""
    engine = side.engine
    entities, width = x.shape
    compute = engine.compile(type(side.curves).gradient, static=("self", "engine"))
    place = engine.place
    found = np.zeros((entities, width, width))
    for column in range(width):
        step = np.zeros(width)
        step[column] = _STEP
        above, below = (
            np.asarray(
                compute(
                    side.curves,
                    engine,
                    place(x + sign * step),
                    place(side.held),
                    place(side.grid.points),
                    expectation.sums,
                )
            )
            for sign in (1, -1)
        )
        found[:, :, column] = -(above - below) / (2 * _STEP)
    return (found + found.transpose(0, 2, 1)) / 2


def _unit_scores(
    side: Side, x: Array, state: Array, *, with_mean: bool
) -> Iterator[list[list[Array]]]:
    """For each block: E[score] if asked for, then E[score · h_r] for r = 1, 2, …

    Each is a list: units × entities for every coordinate, then units × state.
    """
    engine = side.engine
    arrays = GridArrays.of(engine, side.grid)
    place = engine.place
    parameters = (place(x), place(side.held), arrays.points)
    curves = side.curves.values(engine, *parameters)
    slopes = side.curves.slopes(engine, *parameters)
    log_density = place(side.population.log_density(state, side.grid.coordinates))
    population_slopes = place(side.population.slopes(state, side.grid.coordinates))
    features = None if side.grid.chebyshev is not None else _features(side)
    step = engine.compile(_project_block, static=("engine", "rule", "degree", "with_mean"))
    for block in side.blocks:
        found = step(
            engine,
            side.grid.rule,
            side.polynomials,
            with_mean,
            block,
            curves,
            slopes,
            log_density,
            population_slopes,
            arrays,
            features,
        )
        yield [[np.asarray(part) for part in scores] for scores in found]


def _features(side: Side) -> Array:
    """Monomials of the standardised coordinates up to degree two (features × nodes)."""
    scaled = [(c - c.mean()) / c.std() for c in side.grid.coordinates]
    pairs = [a * b for i, a in enumerate(scaled) for b in scaled[i:]]
    return side.engine.place(np.stack([*scaled, *pairs]))


def _project_block(
    engine: Engine,
    rule: Rule,
    degree: int,
    with_mean: bool,
    block: Block,
    curves: list[Array],
    slopes: list[list[Array]],
    log_density: Array,
    population_slopes: Array,
    grid: GridArrays,
    features: Array | None,
) -> list[list[Array]]:
    """E[score · h] of a block's units for h = 1 (if asked for), h_1, h_2, …"""
    block = tuple(None if channel is None else as_float(engine, channel) for channel in block)
    density = unit_density(engine, rule, block, curves, log_density, grid)

    def scores(factor: Array | None) -> list[Array]:
        spread = density.onto_nodes(engine, factor)
        columns = [
            sum(
                hadamard(engine, channel, spread @ slope.T)
                for channel, slope in zip(block, parts, strict=True)
            )
            for parts in slopes
        ]
        return [*columns, spread @ population_slopes.T]

    if features is None:
        basis = orthonormal_polynomials(engine, density.weights, density.points, degree)
        return [scores(factor) for factor in ((None, *basis) if with_mean else basis)]
    mean = scores(None)
    raw = [scores(feature) for feature in features]
    projected = _whitened(engine, mean, raw, *whitening(engine, density.weights, features))
    return [mean, *projected] if with_mean else projected


def _whitened(
    engine: Engine, mean: list[Array], raw: list[list[Array]], means: Array, root: Array
) -> list[list[Array]]:
    """Turn E[score · feature] into E[score · h] for the orthonormal combinations h."""
    solved = []
    for column, average in enumerate(mean):
        stacked = engine.xp.stack([scores[column] for scores in raw], axis=1)
        centred = stacked - means[:, :, None] * average[:, None, :]
        solved.append(engine.xp.linalg.solve(root, centred))
    return [[column[:, r, :] for column in solved] for r in range(len(raw))]
