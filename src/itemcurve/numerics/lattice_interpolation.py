"""Local interpolation on a regular lattice, in units of its steps.

A smooth function known at the nodes 0, 1, 2, … is interpolated between them by the polynomial
through the ten nearest: fast, and without the swings of one polynomial through all nodes.
"""

from functools import cache
from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import PerRow, RowPointNodes, RowPoints, axes

ORDER = 10
# Nodes at each end that serve interpolation only: closer to an end there are not enough beyond.
MARGIN = ORDER // 2 - 1


def interpolation_matrix(engine: Engine, positions: RowPoints, size: int) -> RowPointNodes:
    """Weights of the nodes for values at positions (rows × points in, rows × points × nodes out).

    Parameters
    ----------
    positions : in steps, between MARGIN and size − 1 − MARGIN.
    size : number of nodes.
    """
    xp = engine.xp
    cell = xp.clip(xp.floor(positions), MARGIN, size - 2 - MARGIN)
    share = positions - cell
    powers = share[..., None] ** xp.arange(ORDER)
    weights = powers @ xp.asarray(_lagrange_coefficients())
    first = cell.astype(int) - MARGIN
    return engine.scatter_last(first[..., None] + xp.arange(ORDER), weights, size)


@cache
def _lagrange_coefficients() -> Annotated[Array, axes("powers nodes")]:
    """Coefficients of the polynomials that are 1 at one of the nodes −4 … 5 and 0 at the others.

    Powers × nodes, for positions within the middle cell.
    """
    nodes = np.arange(ORDER) - MARGIN
    columns = []
    for node in nodes:
        others = np.poly1d(nodes[nodes != node], r=True)
        columns.append(others.coeffs[::-1] / others(node))
    return np.stack(columns, axis=1)


HERMITE_NODES = np.array([-1, 0, 1, 2])


def hermite_weights(share: PerRow, order: int) -> Annotated[Array, axes("rows data")]:
    """Weights of values and slopes at the four nearest nodes: a polynomial of degree seven.

    Parameters
    ----------
    share : of a step, beyond the second of the four.
    order : of the derivative that is wanted, per step; 0 for the value.

    Returns
    -------
    Weights of four values, then of four slopes per step (rows × 8).
    """
    powers = np.arange(8)
    factors = np.ones(8)
    for k in range(order):
        factors = factors * np.maximum(powers - k, 0)
    raised = factors * share[:, None] ** np.maximum(powers - order, 0)
    return raised @ _hermite_coefficients()


@cache
def _hermite_coefficients() -> Annotated[Array, axes("powers data")]:
    """Coefficients of the polynomials that have one of the eight data 1 and the others 0."""
    powers = np.arange(8)
    nodes = HERMITE_NODES[:, None].astype(float)
    values = nodes**powers
    slopes = powers * nodes ** np.maximum(powers - 1, 0)
    return np.linalg.inv(np.concatenate([values, slopes]))
