"""Whether a place without gradient is a summit, and the way up where it is a saddle.

Items that are answered alike start alike, and each step keeps them so: a search can end where
both would do better on different sides.
"""

from dataclasses import replace

import numpy as np

from itemcurve.estimation.optimisation.damped_newton import SADDLE_STEPS
from itemcurve.estimation.posterior_mode.arrowhead_information import as_arrow
from itemcurve.estimation.posterior_mode.fisher_scoring import (
    JointPoint,
    held_parts,
    moved,
    without_held,
)
from itemcurve.estimation.posterior_mode.log_posterior import JointProblem
from itemcurve.numerics.shapes import ItemCoordinates, PerRespondent

# In units of log-likelihood: more than the differences behind the curvature may mislead by.
_NOTABLE_GAIN = 1e-4
# Share of the expected information from which a curvature upwards is one.
_BENT = 1e-3
_SHORTEST = 1e-12


def off_saddle(problem: JointProblem, point: JointPoint) -> JointPoint | None:
    """Give a higher point along the direction in which the objective bends upwards most.

    None where it bends down everywhere, or where nothing along that direction is higher.
    """
    way = _way_up(problem, point) if problem.is_coupled else None
    if way is None:
        return None
    for length in SADDLE_STEPS:
        found = moved(problem, point, length * way[0], length * way[1])
        if found.slopes.value > point.slopes.value + _NOTABLE_GAIN:
            return found
    return None


def _way_up(
    problem: JointProblem, point: JointPoint
) -> tuple[ItemCoordinates, PerRespondent] | None:
    """Give a direction along which it bends upwards, one unit of the expected information long."""
    expected, (held, stuck) = point.slopes, held_parts(problem, point)
    observed = problem.observed(point.x, point.t)
    slopes = without_held(problem, replace(point, slopes=observed))
    diagonal = np.arange(point.x.shape[1])
    own = expected.item_matrix[:, diagonal, diagonal]
    matrix = slopes.item_matrix.copy()
    matrix[:, diagonal, diagonal] = np.where(held, own, matrix[:, diagonal, diagonal])
    abilities = np.where(stuck, expected.ability_matrix, slopes.ability_matrix)
    slopes = replace(slopes, item_matrix=matrix, ability_matrix=abilities)
    way = as_arrow(slopes, _BENT, scale=expected).upward()
    if way is None:
        return None
    length = np.sqrt(np.sum(own * way[0] ** 2) + np.sum(expected.ability_matrix * way[1] ** 2))
    return way[0] / max(length, _SHORTEST), way[1] / max(length, _SHORTEST)
