"""What calibration leaves for later: the population of abilities, and doubt about the items."""

import numpy as np

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


def item_doubt(bank: Bank, ability: float) -> Array:
    """Variance that each item's uncertain parameters give its part of the score equation (items).

    The score of item j at ability θ moves by −c_j·(error of its parameters), with
    c = Jθᵀ Cov[T] Jω the expected mixed derivative; the variance is cᵀVc. Divided by the squared
    information of a test it is the share of the ability's variance that calibration is to blame
    for. Parameters without a known covariance count as known.
    """
    found = np.zeros(len(bank))
    for part in bank.parts:
        slopes = _mixed_information(part, np.array([ability]))
        found[part.positions] = _quadratic(slopes, part.covariance)
    return found


def expected_doubt(bank: Bank, ability: float) -> Array:
    """Variance of each item's expected response that its uncertain parameters cause (items)."""
    found = np.zeros(len(bank))
    for part in bank.parts:
        slopes = _expected_slopes(part, np.array([ability]))
        found[part.positions] = _quadratic(slopes, part.covariance)
    return found


def _quadratic(slopes: Array, covariance: Array) -> Array:
    value = np.einsum("ji,jik,jk->j", slopes, np.nan_to_num(covariance), slopes)
    return np.maximum(np.nan_to_num(value), 0.0)


def _mixed_information(part: BankPart, ability: Array) -> Array:
    """Jθᵀ Cov[T] Jω (items × free parameters)."""
    likelihood, model = part.likelihood, part.model
    eta = model.natural(NUMPY, ability, part.values)
    covariance = model.family.covariance(NUMPY, eta)
    rise = model.ability_jacobian(NUMPY, ability, part.values)
    columns = []
    for index in likelihood.free:
        jacobian = model.item_jacobian(NUMPY, ability, part.values, index)
        total = sum(
            rise[i] * covariance[i][k] * jacobian[k]
            for i in range(len(rise))
            for k in range(len(rise))
        )
        columns.append(np.broadcast_to(total, (len(part.positions), 1))[:, 0])
    return np.stack(columns, axis=1) if columns else np.zeros((len(part.positions), 0))


def _expected_slopes(part: BankPart, ability: Array) -> Array:
    """Derivatives of E[y] in the free parameters, by central differences (items × free)."""
    columns = []
    for index in part.likelihood.free:
        step = 1e-5 * (1.0 + np.abs(part.values[:, index]))
        ends = []
        for sign in (1.0, -1.0):
            moved = np.array(part.values)
            moved[:, index] += sign * step
            ends.append(part.likelihood.expected_response(NUMPY, ability, moved)[:, 0])
        columns.append((ends[0] - ends[1]) / (2 * step))
    return np.stack(columns, axis=1) if columns else np.zeros((len(part.positions), 0))
