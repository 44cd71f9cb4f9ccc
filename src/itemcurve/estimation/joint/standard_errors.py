"""Standard errors of joint estimates."""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.posterior_mode.arrowhead_information import Arrow, as_arrow
from itemcurve.estimation.posterior_mode.fisher_scoring import JointPoint, without_held
from itemcurve.estimation.posterior_mode.log_posterior import JointProblem, Slopes
from itemcurve.numerics.shapes import (
    Directions,
    ItemCoordinates,
    ItemMatrices,
    PerItem,
    PerRespondent,
)

_FLAT = 1e-8


@dataclass(frozen=True)
class JointUncertainty:
    """Covariances at the maximum.

    Attributes
    ----------
    item_covariance : of each item's coordinates (items × free × free); NaN at a bound.
    ability_variance : of each ability.
    at_bound : items with a coordinate at its bound.
    is_flat : whether the objective does not bend in some direction.
    words : where the errors come from.
    """

    item_covariance: ItemMatrices
    ability_variance: PerRespondent
    at_bound: PerItem
    is_flat: bool
    words: str


def joint_uncertainty(
    problem: JointProblem, point: JointPoint, directions: Directions | None
) -> JointUncertainty:
    """Invert the information of abilities and items together.

    Parameters
    ----------
    directions : what the reported scale holds of the abilities (respondents × directions).
    """
    matrices, kind = _bent_down(problem, point)
    slopes = without_held(problem, replace(point, slopes=matrices))
    held = _held(problem, point)
    is_quasi = problem.likelihood.model.family.is_quasi
    is_coupled = problem.is_coupled
    squares = problem.squared_scores(point.x, point.t) if is_quasi else None
    if is_coupled:
        arrow = as_arrow(slopes, 0.0, directions, scale=point.slopes)
        blocks, variances = arrow.covariance() if squares is None else arrow.sandwich(squares)
        is_flat = _is_flat(arrow)
    else:
        blocks, variances = _separate(slopes, squares)
        is_flat = False
    blocks = blocks.copy()
    blocks[held[:, :, None] | held[:, None, :]] = np.nan
    if problem.free is not None:
        # What was held is known, not undetermined.
        blocks[~(problem.free[:, :, None] & problem.free[:, None, :])] = 0.0
    words = f"sandwich of the {kind} information" if is_quasi else f"{kind} information"
    words += " of abilities and items together" if is_coupled else ", one by one"
    return JointUncertainty(
        item_covariance=blocks,
        ability_variance=np.maximum(variances, 0.0),
        at_bound=np.any(held, axis=1),
        is_flat=is_flat,
        words=f"{words}; the bias of joint estimates is not in them",
    )


def _bent_down(problem: JointProblem, point: JointPoint) -> tuple[Slopes, str]:
    """Observed information where it is positive, else the expected one."""
    observed = problem.observed(point.x, point.t)
    matrices = without_held(problem, replace(point, slopes=observed))
    is_positive = bool(
        (np.linalg.eigvalsh(matrices.item_matrix)[:, 0] > 0).all()
        and (matrices.ability_matrix > 0).all()
    )
    return (observed, "observed") if is_positive else (point.slopes, "expected")


def _held(problem: JointProblem, point: JointPoint) -> ItemCoordinates:
    lower, upper = problem.bounds
    slope = point.slopes.item_slope
    return ((point.x <= lower) & (slope < 0)) | ((point.x >= upper) & (slope > 0))


def _is_flat(arrow: Arrow) -> bool:
    """Whether the Schur complement of the corner has next to no height in some direction."""
    corner = np.linalg.eigvalsh(arrow.system.inverse_corner())
    size = float(np.median(np.abs(corner)))
    return bool(corner.max() > size / _FLAT)


def _separate(slopes: Slopes, squares: Slopes | None) -> tuple[ItemMatrices, PerRespondent]:
    blocks = np.linalg.pinv(slopes.item_matrix, hermitian=True)
    variances = 1.0 / np.maximum(slopes.ability_matrix, 1e-12)
    if squares is None:
        return blocks, variances
    return blocks @ squares.item_matrix @ blocks, variances**2 * squares.ability_matrix
