"""Estimates from draws: reported scale, means, standard deviations, diagnostics."""

from typing import Annotated

import numpy as np

from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.identification.starting_values import reflection
from itemcurve.estimation.mcmc.nuts import Trace
from itemcurve.estimation.mcmc.sampled_density import Posterior
from itemcurve.estimation.pointwise_log_likelihood import CellDensities
from itemcurve.estimation.posterior_draws import Draws, effective_size, split_rhat
from itemcurve.estimation.status import FitStatus
from itemcurve.models.contract import ItemModel
from itemcurve.models.parameters import Role
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import (
    ItemMatrices,
    ItemValues,
    PerDraw,
    PerItem,
    PerRespondent,
    axes,
)
from itemcurve.responses.matrix import Responses

_QUANTILES = (0.05, 0.95)
# Quantiles a standard deviation to either side of the centre of a normal distribution.
_ONE_SD = (0.15865525393145707, 0.8413447460685429)


def summarise(
    posterior: Posterior, responses: Responses, trace: Trace, max_rhat: float
) -> Estimates:
    """Give posterior means and standard deviations of what was sampled."""
    model = posterior.likelihood.model
    draws = _reported(posterior, responses, trace)
    flat = draws.values.reshape(-1, *draws.values.shape[2:])
    abilities = draws.abilities.reshape(-1, draws.abilities.shape[2])
    values, free = flat.mean(axis=0), posterior.likelihood.free
    log_likelihood = _log_likelihood(posterior, responses, abilities.mean(axis=0), values)
    rhats, sizes = _diagnose(draws, free)
    diagnostics = _diagnostics(trace, draws, rhats, sizes)
    return Estimates(
        model=model,
        values=values,
        covariance=_covariances(flat[:, :, list(free)]),
        item_columns=dict(model.report(values)),
        item_errors=_errors(model, flat),
        item_extras={
            **_extras(model, flat),
            "rhat": rhats["items"].max(axis=1),
            "ess": sizes["items"].min(axis=1),
        },
        ability_points=abilities.mean(axis=0)[:, None],
        ability_point_errors=abilities.std(axis=0, ddof=1)[:, None],
        respondent_extras={
            **dict(zip(("ability_lower", "ability_upper"), _quantiles(abilities), strict=True)),
            "rhat": rhats["abilities"],
            "ess": sizes["abilities"],
        },
        log_likelihood=log_likelihood,
        objective="joint posterior, sampled; log-likelihood given abilities and items at their "
        "posterior means",
        objective_value=log_likelihood,
        n_parameters=abilities.shape[1] + flat.shape[1] * len(free) + trace.state.shape[2],
        status=_status(diagnostics, max_rhat),
        iterations=trace.diverging.shape[1],
        over="everything",
        standard_errors="posterior standard deviations",
        population={name: float(column.mean()) for name, column in draws.population.items()},
        at_bound=np.zeros(flat.shape[1], dtype=bool),
        diagnostics=diagnostics,
        draws=draws,
    )


def _reported(posterior: Posterior, responses: Responses, trace: Trace) -> Draws:
    """Draws on the reported scale: every draw is standardised by itself.

    Where the population of abilities is estimated, by its mean and spread; where that of the
    items is, by the mean and spread of the abilities drawn.
    """
    likelihood = posterior.likelihood
    model = likelihood.model
    chains, n_draws, n_items = trace.x.shape[:3]
    values = np.broadcast_to(trace.held, (chains, n_draws, *trace.held.shape)).copy()
    for column, index in enumerate(likelihood.free):
        transform = model.parameters[index].transform
        values[..., index] = transform.value(NUMPY, trace.x[..., column])
    population = _population(posterior, trace.state)
    location, unit = _scale(posterior, trace, population)
    abilities = (trace.abilities - location[..., None]) / unit[..., None]
    sign = reflection(abilities.mean(axis=(0, 1)), responses, model)
    if model.latent.shifts or model.latent.stretches:
        moves = [np.repeat(part.ravel(), n_items) for part in (location, sign * unit)]
        rows = values.reshape(-1, values.shape[-1])
        values = model.rescale(rows, *moves).reshape(values.shape)
    return Draws(sign * abilities, values, trace.diverging, population)


def _scale(
    posterior: Posterior, trace: Trace, population: dict[str, PerDraw]
) -> tuple[PerDraw, PerDraw]:
    """Origin and unit of each draw's abilities (chains × draws each)."""
    latent = posterior.likelihood.model.latent
    zero = np.zeros(trace.abilities.shape[:2])
    if posterior.side == "items":
        location, unit = trace.abilities.mean(axis=2), trace.abilities.std(axis=2)
    else:
        # What was sampled on the standardised scale already is on the reported one.
        location = zero if posterior.is_centred else population.get("ability_mean", zero)
        unit = zero + 1.0 if posterior.is_scaled else population.get("ability_sd", zero + 1.0)
    return (location if latent.shifts else zero), (unit if latent.stretches else zero + 1.0)


def _population(
    posterior: Posterior, state: Annotated[Array, axes("chains draws state")]
) -> dict[str, PerDraw]:
    """Means and standard deviations that were sampled, by name (chains × draws each)."""
    specs = posterior.likelihood.model.parameters
    names = ["ability", *(specs[i].name for i in posterior.likelihood.free)]
    found: dict[str, Array] = {}
    position = 0
    for name, coordinate in zip(names, (posterior.ability, *posterior.items), strict=True):
        if coordinate.is_mean_free:
            found[f"{name}_mean"] = state[..., position]
            position += 1
        if coordinate.is_sd_free:
            found[f"{name}_sd"] = np.exp(state[..., position])
            position += 1
            assert isinstance(coordinate.prior, Normal)
    return found


def _log_likelihood(
    posterior: Posterior, responses: Responses, abilities: PerRespondent, values: ItemValues
) -> float:
    densities = CellDensities.of(posterior.likelihood, responses)
    return float(densities.log_density(abilities, values).sum())


def _covariances(draws: Annotated[Array, axes("draws items free")]) -> ItemMatrices:
    """Posterior covariance of each item's parameters (items × free × free)."""
    centred = draws - draws.mean(axis=0)
    return np.einsum("dia,dib->iab", centred, centred) / (len(draws) - 1)


def _errors(
    model: ItemModel, draws: Annotated[Array, axes("draws items parameters")]
) -> dict[str, PerItem]:
    """Posterior standard deviations of parameters; of what is computed from them, half-widths.

    A difficulty −e/a has no standard deviation where a may be 0; half the width of its central
    68 % interval always exists.
    """
    rows = model.report(draws.reshape(-1, draws.shape[2]))
    own = {spec.name for spec in model.parameters}
    found = {}
    for name, column in rows.items():
        table = column.reshape(draws.shape[:2])
        if name in own:
            found[name] = table.std(axis=0, ddof=1)
        else:
            low, high = np.quantile(table, _ONE_SD, axis=0)
            found[name] = (high - low) / 2
    return found


def _extras(
    model: ItemModel, draws: Annotated[Array, axes("draws items parameters")]
) -> dict[str, PerItem]:
    """Posterior quantiles, and the probability that a discrimination is negative."""
    found = {}
    for index, spec in enumerate(model.parameters):
        if spec.is_free:
            lower, upper = _quantiles(draws[:, :, index])
            found[f"{spec.name}_lower"], found[f"{spec.name}_upper"] = lower, upper
        if spec.role is Role.SLOPE and spec.is_free:
            found["probability_negative"] = (draws[:, :, index] < 0).mean(axis=0)
    return found


def _quantiles(
    draws: Annotated[Array, axes("draws quantities")],
) -> list[Annotated[Array, axes("quantities")]]:
    return list(np.quantile(draws, _QUANTILES, axis=0))


def _diagnose(draws: Draws, free: tuple[int, ...]) -> tuple[dict[str, Array], dict[str, Array]]:
    """R-hat and effective size of abilities, items and population."""
    parts = {"abilities": draws.abilities, "items": draws.values[..., list(free)]}
    if draws.population:
        parts["population"] = np.stack(list(draws.population.values()), axis=-1)
    return (
        {name: split_rhat(part) for name, part in parts.items()},
        {name: effective_size(part) for name, part in parts.items()},
    )


def _diagnostics(
    trace: Trace, draws: Draws, rhats: dict[str, Array], sizes: dict[str, Array]
) -> dict[str, float]:
    return {
        "chains": float(trace.diverging.shape[0]),
        "draws": float(trace.diverging.shape[1]),
        "divergences": float(trace.diverging.sum()),
        "max_rhat": float(max(part.max() for part in rhats.values())),
        "min_ess": float(min(part.min() for part in sizes.values())),
        "mean_acceptance": float(trace.accept_probability.mean()),
        "mean_steps": float(trace.steps.mean()),
    }


def _status(diagnostics: dict[str, float], max_rhat: float) -> FitStatus:
    # Not "above": an R-hat that is not a number proves nothing.
    if not diagnostics["max_rhat"] <= max_rhat:
        return FitStatus.NOT_MIXED
    return FitStatus.DIVERGENT if diagnostics["divergences"] else FitStatus.CONVERGED
