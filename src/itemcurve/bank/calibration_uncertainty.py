"""What uncertain item parameters add to the variance of abilities and of expected responses."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.models.likelihood import as_points
from itemcurve.numerics.engine import NUMPY, Array, add_up
from itemcurve.numerics.shapes import Curve, PerPoint, PointsByItems


def score_equation_variance(bank: Bank, abilities: ArrayLike) -> PointsByItems:
    """Variance that each item's uncertain parameters give its part of the score equation.

    The derivative of the score Jθᵀ(T − E[T]) in item parameters ω is c = Kᵀ(T − E[T]) − JθᵀCov Jω,
    with K = ∂Jθ/∂ω. Over responses E[cVcᵀ] is KᵀCov K and the square of the second part, each
    weighted by the covariance V of the parameters. Divided by the squared information of a test
    it is what calibration adds to the variance of an ability. Parameters without a known
    covariance count as known.

    Returns
    -------
    Abilities × items.
    """
    return _gather(bank, abilities, _of_score_equation)


def expected_response_variance(bank: Bank, abilities: ArrayLike) -> PointsByItems:
    """Variance of each expected response that uncertain parameters cause (abilities × items)."""
    return _gather(bank, abilities, _of_expected_response)


def _gather(
    bank: Bank, abilities: ArrayLike, part_variance: Callable[[BankPart, Array], Array]
) -> PointsByItems:
    points = np.atleast_1d(np.asarray(abilities, dtype=float))
    found = np.zeros((len(points), len(bank)))
    for part in bank.parts:
        found[:, part.positions] = part_variance(part, points).T
    return found


def _of_score_equation(part: BankPart, points: PerPoint) -> Curve:
    if not np.nan_to_num(part.covariance).any():
        return np.zeros((len(part.positions), len(points)))
    model, values = part.model, part.values
    covariance = model.family.covariance(NUMPY, part.likelihood.natural(NUMPY, points, values))
    rise = part.likelihood.ability_jacobian(NUMPY, points, values)
    mixed = [
        _product(rise, covariance, model.item_jacobian(NUMPY, as_points(points), values, index))
        for index in part.likelihood.free
    ]
    bends = _parameter_slopes(
        part, lambda moved: part.likelihood.ability_jacobian(NUMPY, points, moved)
    )
    return _weigh(
        part,
        len(points),
        lambda f, g: mixed[f] * mixed[g] + _product(bends[f], covariance, bends[g]),
    )


def _of_expected_response(part: BankPart, points: PerPoint) -> Curve:
    slopes = _parameter_slopes(
        part, lambda moved: [part.likelihood.expected_response(NUMPY, points, moved)]
    )
    return _weigh(part, len(points), lambda f, g: slopes[f][0] * slopes[g][0])


def _weigh(part: BankPart, n_abilities: int, product: Callable[[int, int], Array]) -> Curve:
    """Sum of products over pairs of parameters, weighted by their covariance."""
    covariance = np.nan_to_num(part.covariance)
    total = np.zeros((len(part.positions), n_abilities))
    for f in range(covariance.shape[1]):
        for g in range(covariance.shape[1]):
            if covariance[:, f, g].any():
                total += covariance[:, f, g, None] * product(f, g)
    return np.maximum(np.nan_to_num(total), 0.0)


def _product(
    left: Sequence[Array], middle: Sequence[Sequence[Array]], right: Sequence[Array]
) -> Array:
    size = range(len(left))
    return add_up(left[i] * middle[i][k] * right[k] for i in size for k in size)


def _parameter_slopes(
    part: BankPart, function: Callable[[Array], Sequence[Array]]
) -> list[list[Array]]:
    """Derivatives of a function of the item parameters, by central differences.

    Returns
    -------
    Free parameters × outputs of the function.
    """
    found = []
    for index in part.likelihood.free:
        step = 1e-5 * (1.0 + np.abs(part.values[:, index]))
        ends = []
        for sign in (1.0, -1.0):
            moved = np.array(part.values)
            moved[:, index] += sign * step
            ends.append(function(moved))
        found.append([(up - down) / (2 * step[:, None]) for up, down in zip(*ends, strict=True)])
    return found
