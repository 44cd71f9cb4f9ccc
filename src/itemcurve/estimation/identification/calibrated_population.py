"""The population of abilities that items were calibrated on: what new respondents start from."""

import numpy as np

from itemcurve.estimation.estimates import Estimates

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
