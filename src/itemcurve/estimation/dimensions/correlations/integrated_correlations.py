"""Correlations by integration over the abilities, items held where posteriors have them.

Normal posteriors that take the other side as independent draw correlations towards zero: twelve
items for each of two abilities make .87 of .90. Given the items, a few nodes around each posterior
tell the marginal likelihood, whose maximum has no such pull.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import minimize

from itemcurve.estimation.dimensions.adaptive_nodes import Nodes
from itemcurve.estimation.dimensions.correlations.correlation_angles import (
    angles_of,
    correlation_at,
    pulled_back,
)
from itemcurve.estimation.dimensions.correlations.second_order import composed, general_loadings
from itemcurve.estimation.dimensions.marginal_surface import MarginalSurface
from itemcurve.estimation.dimensions.variational_climb import Climb, Standing
from itemcurve.numerics.engine import Array

# Cells × nodes of one look at the likelihood, nodes of an axis, looks.
_MOST_WORK = 1_500_000
_LEAST_NODES, _MOST_NODES = 3, 9
_MOST_LOOKS = 25
_SETTLED = 1e-4
_LARGEST = 0.9995
_TURNS = 3


def integrate_correlations(climb: Climb, at: Standing) -> Standing:
    """The same with correlations of highest marginal likelihood; as it is in many dimensions."""
    size, (items, respondents) = climb.pattern.size, climb.cells.shape
    per_axis = int((_MOST_WORK / (items * respondents)) ** (1 / size))
    if not climb.pattern.is_correlated or per_axis < _LEAST_NODES:
        return at
    nodes = Nodes.around(at.respondents, min(per_axis, _MOST_NODES))
    surface = MarginalSurface(climb.cells, climb.pattern, nodes)
    moved = replace(at, correlation=_highest(surface, at))
    for _ in range(_TURNS):
        moved = replace(moved, respondents=climb.all_respondents(moved))
    return moved


def _highest(surface: MarginalSurface, at: Standing) -> Array:
    size, count = len(at.correlation), surface.cells.shape[1]
    is_second_order = surface.pattern.is_second_order and size > 2

    def matrix(numbers: Array) -> Array:
        return composed(numbers) if is_second_order else correlation_at(numbers, size)

    def loss(numbers: Array) -> tuple[float, Array]:
        found = matrix(numbers)
        inverse = np.linalg.inv(found)
        height = surface.at(at.items.mean, found)
        slope = 0.5 * (inverse @ height.moments @ inverse - count * inverse)
        if is_second_order:
            np.fill_diagonal(slope, 0.0)
            gradient = 2.0 * slope @ numbers
        else:
            gradient = pulled_back(numbers, slope)
        return -height.log_likelihood / count, -gradient / count

    start = general_loadings(at.correlation) if is_second_order else angles_of(at.correlation)
    bounds = [(-_LARGEST, _LARGEST)] * len(start) if is_second_order else None
    how: Any = loss
    found = minimize(
        how,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxfun": _MOST_LOOKS, "gtol": _SETTLED},
    )
    best = matrix(np.asarray(found.x))
    if surface.pattern.is_second_order:
        return composed(general_loadings(best))
    return best
