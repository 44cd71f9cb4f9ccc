"""Plausible values of each kind of fit."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.estimation.prediction.plausible_values import (
    LogPrior,
    PlausibleValues,
    check_draws,
    draw_normally,
    draw_on_grid,
    known_log_prior,
    normal_log_prior,
)
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
    from itemcurve.estimation.groups.population_fit import PopulationFit
    from itemcurve.estimation.result import FitResult

_ABILITY = ("ability",)


def draw_abilities(fit: "FitResult", draws: int, seed: int) -> PlausibleValues:
    """Draw from a fit of one ability in one population."""
    check_draws(draws)
    if fit.estimates.draws is not None:
        known = np.asarray(fit.estimates.draws.abilities)
        known = known.reshape(-1, known.shape[-1])
        chosen = np.random.default_rng(seed).choice(len(known), draws, replace=draws > len(known))
        return _one(fit, known[chosen])
    if fit.estimates.over == "respondents":
        mean, sd = fit.bank.ability_mean, fit.bank.ability_sd
        ones = np.ones(fit.responses.shape[0])
        return _on_grid(fit, normal_log_prior(mean * ones, sd * ones), draws, seed)
    centre, error = fit.estimates.abilities, np.nan_to_num(fit.estimates.ability_errors)
    found = draw_normally(centre[:, None], error[:, None, None] ** 2, draws, seed)
    return _one(fit, found[:, :, 0])


def draw_in_populations(fit: "PopulationFit", draws: int, seed: int) -> PlausibleValues:
    """Draw with what is known of a respondent's group and covariates, and of the density."""
    check_draws(draws)
    if fit.density is not None:
        log_prior = known_log_prior(fit.density.abilities, fit.density.heights)
    else:
        codes = fit.group_codes.codes
        table, slopes = fit.covariates, fit.slopes.estimate
        shift = (table.values * table.units) @ slopes
        log_prior = normal_log_prior(fit.moments.mean[codes] + shift, fit.moments.sd[codes])
    return _on_grid(fit.fit, log_prior, draws, seed)


def draw_several(fit: "DimensionsFit", draws: int, seed: int) -> PlausibleValues:
    """Draw all abilities of each respondent together, from their normal posterior."""
    check_draws(draws)
    found = draw_normally(fit.ability_points, fit.ability_covariance, draws, seed)
    return PlausibleValues(fit.responses.respondents, fit.names, found)


def _on_grid(fit: "FitResult", log_prior: LogPrior, draws: int, seed: int) -> PlausibleValues:
    around = fit.estimates.abilities, fit.estimates.ability_errors
    return _one(fit, draw_on_grid(fit.bank, fit.responses, around, log_prior, draws, seed))


def _one(fit: "FitResult", values: Array) -> PlausibleValues:
    return PlausibleValues(fit.responses.respondents, _ABILITY, values[:, :, None])
