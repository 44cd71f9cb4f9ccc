"""What calibration leaves for later: the population of abilities, and doubt about the items."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.estimation.bank import Bank, BankPart
from itemcurve.estimation.estimates import Estimates
from itemcurve.numerics.engine import NUMPY, Array

_LEAST_SD = 0.1


def ability_population(estimates: Estimates) -> tuple[float, float]:
    """Mean and standard deviation of the abilities that items were calibrated on.

    0 and 1 where the scale was standardised to them. An absolute scale keeps the population that
    was estimated with the items; where abilities were parameters, it is that of the abilities,
    less their own errors.
    """
    latent, population = estimates.model.latent, estimates.population
    abilities = np.asarray(estimates.abilities, dtype=float)
    mean = 0.0 if latent.shifts else population.get("ability_mean", float(abilities.mean()))
    if latent.stretches:
        return float(mean), 1.0
    if "ability_sd" in population:
        return float(mean), max(float(population["ability_sd"]), _LEAST_SD)
    errors = np.nan_to_num(np.asarray(estimates.ability_errors, dtype=float))
    variance = float(abilities.var() - np.mean(errors**2))
    return float(mean), float(np.sqrt(max(variance, _LEAST_SD**2)))


def item_doubt(bank: Bank, abilities: ArrayLike) -> Array:
    """Variance that each item's uncertain parameters give its part of the score equation.

    The score of item j at ability θ moves by −c_j·(error of its parameters), with
    c = Jθᵀ Cov[T] Jω the expected mixed derivative; the variance is cᵀVc. Divided by the squared
    information of a test it is the share of the ability's variance that calibration is to blame
    for. Parameters without a known covariance count as known.

    Returns
    -------
    Abilities × items.
    """
    return _doubt(bank, abilities, _mixed_information)


def expected_doubt(bank: Bank, abilities: ArrayLike) -> Array:
    """Variance of each expected response that uncertain parameters cause (abilities × items)."""
    return _doubt(bank, abilities, _expected_slopes)


def _doubt(
    bank: Bank, abilities: ArrayLike, slopes: Callable[[BankPart, Array], list[Array]]
) -> Array:
    points = np.atleast_1d(np.asarray(abilities, dtype=float))
    found = np.zeros((len(points), len(bank)))
    for part in bank.parts:
        covariance = np.nan_to_num(part.covariance)
        columns = slopes(part, points)
        total = np.zeros((len(part.positions), len(points)))
        for row, left in enumerate(columns):
            for column, right in enumerate(columns):
                total += left * covariance[:, row, column, None] * right
        found[:, part.positions] = np.maximum(np.nan_to_num(total), 0.0).T
    return found


def _mixed_information(part: BankPart, abilities: Array) -> list[Array]:
    """Jθᵀ Cov[T] Jω for each free parameter (items × abilities each)."""
    model = part.model
    eta = model.natural(NUMPY, abilities, part.values)
    covariance = model.family.covariance(NUMPY, eta)
    rise = model.ability_jacobian(NUMPY, abilities, part.values)
    size = range(len(rise))
    found = []
    for index in part.likelihood.free:
        jacobian = model.item_jacobian(NUMPY, abilities, part.values, index)
        found.append(sum(rise[i] * covariance[i][k] * jacobian[k] for i in size for k in size))
    return found


def _expected_slopes(part: BankPart, abilities: Array) -> list[Array]:
    """Derivatives of E[y] in the free parameters, by central differences (items × abilities)."""
    found = []
    for index in part.likelihood.free:
        step = 1e-5 * (1.0 + np.abs(part.values[:, index]))
        ends = []
        for sign in (1.0, -1.0):
            moved = np.array(part.values)
            moved[:, index] += sign * step
            ends.append(part.likelihood.expected_response(NUMPY, abilities, moved))
        found.append((ends[0] - ends[1]) / (2 * step[:, None]))
    return found
