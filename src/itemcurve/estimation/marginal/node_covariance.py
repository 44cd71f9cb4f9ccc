"""The covariance of scores of units that lie on few nodes: exact, one unit at a time.

Σ_q w_q s_q s_qᵀ − s̄ s̄ᵀ, with s_q the scores of all entities at node q and w_q the share of a unit's
mass there. A few orthonormal functions of many coordinates carry it to some per cent only, and what
is left of the information may be less than that.
"""

from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import NUMPY, Array, as_dense
from itemcurve.numerics.row_blocks import Block, as_float
from itemcurve.numerics.shapes import EntitySlope, EstimatedMatrix, StateSlopes, UnitNodes, axes

# Weights that no digit of a covariance shows.
_NEGLIGIBLE = 1e-10
# What it takes to collect the scores of one entity at one node, in products of two numbers.
_COLLECTION = 50


def is_cheap(spread: UnitNodes, entities: int, channels: int, functions: int) -> bool:
    """Whether it takes less than products with all nodes, one for each of some functions."""
    used = float((np.abs(spread) > _NEGLIGIBLE).sum()) / len(spread)
    return used * (2 * entities + _COLLECTION) <= 2 * functions * channels * spread.shape[1]


def exact_covariance(
    block: Block,
    spread: UnitNodes,
    slopes: list[EntitySlope],
    state_slopes: StateSlopes,
) -> EstimatedMatrix:
    """Sum over the units of a block; entities have one coordinate each, units one population.

    Parameters
    ----------
    spread : shares of the units' mass at the nodes; they may interpolate, some are negative.
    slopes : of the curves.
    """
    channels = [None if own is None else as_float(NUMPY, as_dense(own)) for own in block]
    by_node = [np.ascontiguousarray(slope.T) for slope in slopes]
    of_state = np.ascontiguousarray(state_slopes[0].T)
    size = by_node[0].shape[1] + of_state.shape[1]
    total = np.zeros((size, size))
    for unit, weights in enumerate(spread):
        nodes = np.flatnonzero(np.abs(weights) > _NEGLIGIBLE)
        own = [None if channel is None else channel[unit] for channel in channels]
        scores = np.hstack([_scores(own, by_node, nodes), of_state[nodes]])
        weighted = scores * weights[nodes, None]
        mean = weighted.sum(axis=0)
        total += weighted.T @ scores - np.outer(mean, mean)
    return total


def _scores(
    channels: list[Array | None], by_node: list[Array], nodes: Array
) -> Annotated[Array, axes("nodes entities")]:
    found = np.zeros((len(nodes), by_node[0].shape[1]))
    for channel, slope in zip(channels, by_node, strict=True):
        if channel is not None and not channel.any():
            continue
        # Rows are taken and multiplied in place: there are hundreds of units.
        own = np.take(slope, nodes, axis=0)
        if channel is not None:
            own *= channel
        found += own
    return found
