"""The observed information of the marginal likelihood (Louis 1982).

−∂²log L = E[−∂²l] − Σ_units Cov(score | data), plus the priors. The first part is block-diagonal
over entities; the second couples them, because within a unit the scores of all entities vary
together with the unit's latent value.
"""

import numpy as np

from itemcurve.estimation.identification.population import penalise
from itemcurve.estimation.marginal.e_step import Expectation
from itemcurve.estimation.marginal.gradient_covariance import score_covariance
from itemcurve.estimation.marginal.problem import Side
from itemcurve.numerics.engine import Array

_STEP = 1e-5
# An item's own block needs no small differences between items: half the terms, at most three.
_MOST_BLOCK_POLYNOMIALS = 3


def full_information(side: Side, x: Array, state: Array, expectation: Expectation) -> Array:
    """All parameters together: exact, at a cost that grows with their number squared.

    Parameters are ordered entity by entity, then the population's state.
    """
    entities, width = x.shape
    n_items = entities * width
    total = n_items + side.population.size
    matrix = np.zeros((total, total))
    for covariance in score_covariance(side, x, state, side.polynomials, "all"):
        matrix -= covariance
    view = matrix[:n_items, :n_items].reshape(entities, width, entities, width)
    index = np.arange(entities)
    view[index, :, index, :] += complete_curvature(side, x, expectation)
    bend = side.population.curvature(state, side.grid.coordinates)
    matrix[n_items:, n_items:] -= bend @ expectation.mass
    _, _, item_bend = penalise(side.priors, x)
    _, _, state_bend = side.population.penalty(state)
    matrix[np.diag_indices(total)] -= np.concatenate([item_bend.ravel(), state_bend])
    return (matrix + matrix.T) / 2


def block_information(side: Side, x: Array, state: Array, expectation: Expectation) -> Array:
    """Each entity's own block (entities × coordinates × coordinates): cheap at any size."""
    width = x.shape[1]
    blocks = complete_curvature(side, x, expectation)
    degree = max(1, min(side.polynomials // 2, _MOST_BLOCK_POLYNOMIALS))
    for covariance in score_covariance(side, x, state, degree, "own"):
        blocks -= covariance
    _, _, bend = penalise(side.priors, x)
    diagonal = np.arange(width)
    blocks[:, diagonal, diagonal] -= bend
    return blocks


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
