"""Chebyshev grids: nodes, integration, differentiation and barycentric interpolation.

A function that is analytic around an interval is represented to rounding error by its values at a
few dozen Chebyshev points (Trefethen, Approximation Theory and Approximation Practice, 2013).
"""

from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import NodeMatrix, PerNode, SameShape, axes


class ChebyshevGrid(NamedTuple):
    """Chebyshev points of the second kind on an interval, in ascending order.

    Attributes
    ----------
    nodes : the points (nodes).
    barycentric : barycentric weights (nodes).
    quadrature : Clenshaw-Curtis weights (nodes).
    first, second : matrices that give a function's derivatives at the nodes (nodes × nodes).
    """

    nodes: PerNode
    barycentric: PerNode
    quadrature: PerNode
    first: NodeMatrix
    second: NodeMatrix


@lru_cache(maxsize=32)
def chebyshev_grid(lower: float, upper: float, size: int) -> ChebyshevGrid:
    """Build the grid of `size` points on [lower, upper]."""
    degree = size - 1
    unit = -np.cos(np.pi * np.arange(size) / degree)
    half_width = (upper - lower) / 2
    nodes = (lower + upper) / 2 + half_width * unit
    barycentric = np.where(np.arange(size) % 2 == 0, 1.0, -1.0)
    barycentric[[0, -1]] *= 0.5
    first = _differentiation_matrix(nodes, barycentric)
    return ChebyshevGrid(
        nodes, barycentric, half_width * _clenshaw_curtis(degree), first, first @ first
    )


def _clenshaw_curtis(degree: int) -> PerNode:
    """Weights that integrate the interpolant exactly over [-1, 1]."""
    angles = np.pi * np.arange(degree + 1) / degree
    frequencies = np.arange(0, degree + 1, 2)
    terms = 2.0 / (1.0 - frequencies**2)
    terms[0] = 1.0
    if degree % 2 == 0:
        terms[-1] *= 0.5
    weights = np.cos(np.outer(angles, frequencies)) @ terms * 2.0 / degree
    weights[[0, -1]] *= 0.5
    return weights


def _differentiation_matrix(nodes: PerNode, barycentric: PerNode) -> NodeMatrix:
    gaps = nodes[:, None] - nodes + np.eye(len(nodes))
    matrix = barycentric / barycentric[:, None] / gaps
    np.fill_diagonal(matrix, 0.0)
    # Rows sum to zero (the derivative of a constant), which also cancels rounding best.
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    return matrix


def interpolation_weights(
    engine: Engine, points: SameShape, grid: ChebyshevGrid
) -> Annotated[Array, axes("*shape nodes")]:
    """Give the weights that turn values at the nodes into values at the points (points × nodes).

    Barycentric formula of the second kind; a point that coincides with a node gets that node.
    """
    # Where a point coincides with a node, 1e-300 in place of 0 gives that node all the weight;
    # to any other distance it adds nothing. Steps in place: new memory costs more than the sums.
    terms = points[..., None] - grid.nodes
    terms += 1e-300
    if engine.compiles:
        terms = grid.barycentric / terms
    else:
        np.divide(grid.barycentric, terms, out=terms)
    terms /= terms.sum(axis=-1, keepdims=True)
    return terms
