"""The observed information of the marginal likelihood (Louis 1982).

−∂²log L = E[−∂²l] − Σ_units Cov(score | data), plus the priors. The first part is block-diagonal
over entities; the second couples them, because within a unit the scores of all entities vary
together with the unit's latent value.
"""

import numpy as np

from itemcurve.estimation.marginal.e_step import Expectation
from itemcurve.estimation.marginal.gradient_covariance import score_covariance
from itemcurve.estimation.marginal.own_covariance import own_covariance
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.numerics.shapes import EntityCoordinates, EntityMatrices, EstimatedMatrix, State

_STEP = 1e-5
# An item's own block needs no small differences between items: half the terms, at most three.
_MOST_BLOCK_POLYNOMIALS = 3


def full_information(
    problem: MarginalProblem, x: EntityCoordinates, state: State, expectation: Expectation
) -> EstimatedMatrix:
    """All parameters together: exact, at a cost that grows with their number squared.

    Parameters are ordered entity by entity, then the population's state.
    """
    entities, width = x.shape
    n_items = entities * width
    total = n_items + problem.population.size
    matrix = -score_covariance(problem, x, state, problem.polynomials, "all")
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
    problem: MarginalProblem, x: EntityCoordinates, state: State, expectation: Expectation
) -> EntityMatrices:
    """Each entity's own block (entities × coordinates × coordinates): cheap at any size."""
    width = x.shape[1]
    blocks = complete_curvature(problem, x, expectation)
    degree = max(1, min(problem.polynomials // 2, _MOST_BLOCK_POLYNOMIALS))
    if problem.units.is_sparse and problem.grid.chebyshev is not None:
        blocks -= own_covariance(problem, x, state, expectation.mass)
    else:
        blocks -= score_covariance(problem, x, state, degree, "own")
    _, _, bend = problem.log_prior(x)
    diagonal = np.arange(width)
    blocks[:, diagonal, diagonal] -= bend
    if problem.free is None:
        return blocks
    both = problem.free[:, :, None] & problem.free[:, None, :]
    return np.where(both, blocks, np.eye(width))


def complete_curvature(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> EntityMatrices:
    """E[−∂²l] per entity, by central differences of the exact slopes of the curves."""
    engine = problem.engine
    entities, width = x.shape
    compute = engine.compile(type(problem.curves).gradient, static=("self", "engine"))
    found = np.zeros((entities, width, width))
    for column in range(width):
        step = np.zeros(width)
        step[column] = _STEP
        above, below = (
            np.asarray(
                compute(problem.curves, engine, problem.at_nodes(x + sign * step), expectation.sums)
            )
            for sign in (1, -1)
        )
        found[:, :, column] = -(above - below) / (2 * _STEP)
    return (found + found.transpose(0, 2, 1)) / 2
