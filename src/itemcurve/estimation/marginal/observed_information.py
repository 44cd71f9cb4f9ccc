"""The observed information of the marginal likelihood (Louis 1982).

−∂²log L = E[−∂²l] − Σ_units Cov(score | data), plus the priors. The first part is block-diagonal
over entities; the second couples them, because within a unit the scores of all entities vary
together with the unit's latent value.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from itemcurve.estimation.marginal.e_step import Expectation
from itemcurve.estimation.marginal.gradient_covariance import score_covariance, summed_covariance
from itemcurve.estimation.marginal.m_step import plain_score, score, scores_of
from itemcurve.estimation.marginal.own_covariance import own_covariance
from itemcurve.estimation.marginal.problem import (
    Curves,
    EntitiesAtNodes,
    MarginalProblem,
    Restraints,
)
from itemcurve.models.priors import Kind
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    EstimatedMatrix,
    State,
)
from itemcurve.numerics.small_systems import invert_small

_STEP = 1e-5
# An item's own block needs no small differences between items: half the terms, at most three.
_MOST_BLOCK_POLYNOMIALS = 3
# Of fewer cells, scores of every item in every respondent fit into memory: right to all digits.
_MANY_CELLS = 2**22
# Under which name the covariance of all scores at a point is kept with what was found there.
_TOGETHER = "all"


def full_information(
    problem: MarginalProblem, x: EntityCoordinates, state: State, expectation: Expectation
) -> EstimatedMatrix:
    """All parameters together: exact, at a cost that grows with their number squared.

    Parameters are ordered entity by entity, then the population's state.
    """
    entities, width = x.shape
    n_items = entities * width
    total = n_items + problem.population.size
    if _TOGETHER not in expectation.kept:
        found = score_covariance(problem, x, state, problem.polynomials, "all")
        expectation.kept[_TOGETHER] = found
    matrix = -expectation.kept[_TOGETHER]
    view = matrix[:n_items, :n_items].reshape(entities, width, entities, width)
    index = np.arange(entities)
    view[index, :, index, :] += complete_curvature(problem, x, expectation)
    matrix[n_items:, n_items:] += problem.population.information(
        state, problem.grid.coordinates, expectation.mass
    )
    _, _, item_bend = problem.log_prior(x)
    _, _, state_bend = problem.population.penalty(state)
    matrix[np.diag_indices(total)] -= np.concatenate([item_bend.ravel(), state_bend])
    return (matrix + matrix.T) / 2


def block_information(
    problem: MarginalProblem,
    x: EntityCoordinates,
    state: State,
    expectation: Expectation,
    *,
    is_expected: bool = False,
    covariance: EntityMatrices | None = None,
) -> EntityMatrices:
    """Each entity's own block (entities × coordinates × coordinates): cheap at any size.

    Parameters
    ----------
    covariance : of each entity's own scores, where it is known from a point nearby.
    is_expected : whether the curvature of the complete data is that which is expected. The observed
        one takes two evaluations for each coordinate.
    """
    if covariance is None:
        covariance = own_score_covariance(problem, x, state, expectation)
    if problem.curves.is_linear and not problem.common and problem.free is None:
        return score(problem, x, expectation)[1] - np.asarray(covariance)
    function = _expected_blocks_of if is_expected else _blocks_of
    return np.array(_on_blocks(problem, function, x, expectation, covariance))


def own_score_covariance(
    problem: MarginalProblem, x: EntityCoordinates, state: State, expectation: Expectation
) -> EntityMatrices:
    """Σ over units of Cov(score | data) within each entity, as the engine has it.

    Population, errors and reported items ask for it at one and the same point: it is kept there.
    """
    entities, width = x.shape
    if _TOGETHER in expectation.kept:
        size = entities * width
        together = expectation.kept[_TOGETHER][:size, :size]
        index = np.arange(entities)
        blocks = together.reshape(entities, width, entities, width)[index, :, index, :]
        return problem.engine.place(blocks)
    degree = max(1, min(problem.polynomials // 2, _MOST_BLOCK_POLYNOMIALS))
    known = "own", degree, problem.curves, problem.grid.rule
    if known not in expectation.kept:
        is_large = problem.units.count * len(problem.held) > _MANY_CELLS
        if is_large and problem.units.is_sparse and problem.grid.is_line:
            own = problem.engine.place(own_covariance(problem, x, state, expectation.mass))
        else:
            own = summed_covariance(problem, x, state, degree, "own")
        expectation.kept[known] = own
    found: EntityMatrices = expectation.kept[known]
    return found


def block_covariance(
    problem: MarginalProblem, x: EntityCoordinates, state: State, expectation: Expectation
) -> EntityMatrices:
    """The inverse of each entity's own block, as the engine has it; of a singular one its pinv.

    What is held has no covariance with anything.
    """
    covariance, xp = own_score_covariance(problem, x, state, expectation), problem.engine.xp
    inverse: EntityMatrices = _on_blocks(problem, _inverse_blocks, x, expectation, covariance)
    if bool(xp.isfinite(inverse).all()):
        return inverse
    found = np.array(inverse)
    is_singular = ~np.isfinite(found).all(axis=(1, 2))
    blocks = block_information(problem, x, state, expectation)[is_singular]
    found[is_singular] = np.linalg.pinv(blocks, hermitian=True)
    return found


def _on_blocks(
    problem: MarginalProblem,
    function: Any,
    x: EntityCoordinates,
    expectation: Expectation,
    covariance: EntityMatrices,
) -> Any:
    engine = problem.engine
    run = engine.compile(function, static=("engine", "curves", "kinds"))
    restraints = problem.restraints
    if problem.common:
        # What all have in common is known from all of them.
        own_cells = problem.free_cells.copy()
        own_cells[:, problem.common] = False
        restraints = restraints._replace(free=engine.place(own_cells))
    return run(
        engine,
        problem.curves,
        problem.prior_kinds,
        restraints,
        problem.at_nodes(x),
        expectation.sums,
        engine.place(covariance),
    )


def _blocks_of(
    engine: Engine,
    curves: Curves,
    kinds: tuple[Kind, ...],
    restraints: Restraints,
    at: EntitiesAtNodes,
    sums: Sequence[EntityCurve],
    covariance: EntityMatrices,
) -> EntityMatrices:
    xp, free = engine.xp, restraints.free
    own = xp.eye(at.x.shape[1])
    _, bend = restraints.derivatives(engine, kinds, at.x)
    blocks = _curvature_of(engine, curves, at, sums) - covariance - bend[:, :, None] * own
    if free is None:
        return blocks
    return xp.where(free[:, :, None] & free[:, None, :], blocks, own)


def _expected_blocks_of(
    engine: Engine,
    curves: Curves,
    kinds: tuple[Kind, ...],
    restraints: Restraints,
    at: EntitiesAtNodes,
    sums: Sequence[EntityCurve],
    covariance: EntityMatrices,
) -> EntityMatrices:
    xp, free = engine.xp, restraints.free
    blocks = scores_of(engine, curves, kinds, restraints, at, sums)[1] - covariance
    if free is None:
        return blocks
    own = xp.eye(at.x.shape[1])
    return xp.where(free[:, :, None] & free[:, None, :], blocks, own)


def _inverse_blocks(
    engine: Engine,
    curves: Curves,
    kinds: tuple[Kind, ...],
    restraints: Restraints,
    at: EntitiesAtNodes,
    sums: Sequence[EntityCurve],
    covariance: EntityMatrices,
) -> EntityMatrices:
    free = restraints.free
    blocks = _blocks_of(engine, curves, kinds, restraints, at, sums, covariance)
    found = invert_small(blocks, engine)
    if free is None:
        return found
    return engine.xp.where(free[:, :, None] & free[:, None, :], found, 0.0)


def complete_curvature(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> EntityMatrices:
    """E[−∂²l] per entity, by central differences of the exact slopes of the curves.

    Of curves that are linear in the coordinates it is what is expected, whatever the responses.
    """
    if problem.curves.is_linear:
        return plain_score(problem, x, expectation)[1]
    compute = problem.engine.compile(_curvature_of, static=("engine", "curves"))
    found = compute(problem.engine, problem.curves, problem.at_nodes(x), expectation.sums)
    return np.asarray(found)


def _curvature_of(
    engine: Engine, curves: Curves, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
) -> EntityMatrices:
    def curvature(rows: slice) -> tuple[EntityMatrices]:
        own, columns = at.of_rows(rows), []
        own_sums = [each[rows] for each in sums]
        for change in _STEP * np.eye(at.x.shape[1]):
            above, below = (
                curves.gradient(engine, own._replace(x=own.x + sign * change), own_sums)
                for sign in (1, -1)
            )
            columns.append((below - above) / (2 * _STEP))
        return (engine.xp.stack(columns, axis=2),)

    (found,) = engine.by_rows(curvature, at.x.shape[0], at.at_once)
    return (found + found.swapaxes(1, 2)) / 2
