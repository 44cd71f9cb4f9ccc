"""The log posterior density of abilities, items and their population, with exact gradients.

log p(θ, x, s | y) = Σ_k C_k · g_k(θ, x) + log p(x | s) + log p(θ | s) + log p(s)

It is the same sum of channels × curves that every method sees; its gradient is put together from
the exact slopes of the curves, so that nothing, not even the series of a censored tail, is
differentiated by machine. θ are abilities, x the items' unbounded coordinates, s the means and
log standard deviations of whichever population is estimated.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.identification.latent_population import (
    STANDARD,
    ability_population,
    item_population,
)
from itemcurve.estimation.identification.population import Coordinate, Population
from itemcurve.models.contract import ItemModel, has_free_slope
from itemcurve.models.free_coordinates import values_at
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.parameters import Role
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import Array, Engine, as_dense
from itemcurve.numerics.shapes import (
    ItemCoordinates,
    ItemsByRespondents,
    ItemValues,
    PerRespondent,
    PerRow,
    State,
)
from itemcurve.responses.matrix import Responses

Side = Literal["respondents", "items", "none"]
_PADDED = 32


class CellData(NamedTuple):
    """Responses as arrays.

    Attributes
    ----------
    channels : C_1 … C_K and the weight (items × respondents each).
    at_bounds : of each bound, item, respondent and weight of the responses that lie there.
    """

    channels: tuple[ItemsByRespondents, ...]
    at_bounds: tuple[tuple[Array, Array, Array], ...]


@dataclass(frozen=True)
class Posterior:
    """What is sampled; instances are hashable, because compiled code is cached by them.

    Attributes
    ----------
    ability : describes the abilities.
    items : describe the free coordinates of the items, one each.
    """

    likelihood: Likelihood
    ability: Coordinate
    items: tuple[Coordinate, ...]
    side: Side

    @classmethod
    def build(cls, model: ItemModel, side: Side) -> "Posterior":
        """Set up the posterior with the location and spread of one side, or none, estimated."""
        form = model.population_form() if side == "items" else model
        likelihood = Likelihood(form)
        _refuse_flat(likelihood)
        if side == "items":
            return cls(likelihood, Coordinate(form.ability_prior), item_population(form), side)
        items = tuple(Coordinate(_prior(form, index)) for index in likelihood.free)
        return cls(likelihood, _abilities(form, side), items, side)

    @property
    def population(self) -> Population:
        """The coordinates together: abilities, then items."""
        return Population((self.ability, *self.items))

    def data(self, responses: Responses) -> "CellData":
        """The responses as the density takes them."""
        channels = []
        for channel in self.likelihood.channels(responses):
            dense = np.ones(responses.shape) if channel is None else channel
            channels.append(np.ascontiguousarray(np.asarray(as_dense(dense), dtype=float).T))
        first = len(self.likelihood.model.family.statistics) + 1
        return CellData(tuple(channels[:first]), tuple(map(_at_bound, channels[first:])))

    def log_density(
        self,
        engine: Engine,
        abilities: PerRespondent,
        x: ItemCoordinates,
        state: State,
        held: ItemValues,
        data: "CellData",
    ) -> Array:
        """Log posterior density up to a constant, of one draw.

        Parameters
        ----------
        abilities, x, state : respondents; items × free; free means and log sds.
        held : values of all item parameters, of which the held ones count (items × parameters).
        """
        total = _summed_curves(self.likelihood, engine)(abilities, x, held, data)
        (mean, log_sd), *populations = self._moments(state)
        mean, left_mean = (mean, 0.0) if self.is_centred else (0.0, mean)
        log_sd, left_sd = (log_sd, 0.0) if self.is_scaled else (0.0, log_sd)
        total = total + _log_prior(engine, self.ability, abilities, (left_mean, left_sd))
        raw = x
        if self.is_centred or self.is_scaled:
            raw, volume = self._raw_items(engine, x, held, mean, log_sd)
            total = total + volume
        for index, (coordinate, moments) in enumerate(zip(self.items, populations, strict=True)):
            total = total + _log_prior(engine, coordinate, raw[:, index], moments)
        gap = state - self.population.start()
        return total - 0.5 * (gap * gap).sum()

    @property
    def is_centred(self) -> bool:
        """Whether abilities are sampled as deviations from their population's mean."""
        return self.ability.is_mean_free and self.likelihood.model.latent.shifts

    @property
    def is_scaled(self) -> bool:
        """Whether abilities are sampled in units of their population's spread."""
        model = self.likelihood.model
        return self.ability.is_sd_free and model.latent.stretches and has_free_slope(model)

    def _moments(self, state: State) -> list[tuple[Array | float, Array | float]]:
        """Mean and log standard deviation of every coordinate; (0, 0) where it has none."""
        found: list[tuple[Array | float, Array | float]] = []
        position = 0
        for coordinate in (self.ability, *self.items):
            prior = coordinate.prior
            mean, log_sd = (
                (prior.mean, float(np.log(prior.sd))) if isinstance(prior, Normal) else (0.0, 0.0)
            )
            if coordinate.is_mean_free:
                mean, position = state[position], position + 1
            if coordinate.is_sd_free:
                log_sd, position = state[position], position + 1
            found.append((mean, log_sd))
        return found

    def _raw_items(
        self,
        engine: Engine,
        x: ItemCoordinates,
        held: ItemValues,
        mean: Array | float,
        log_sd: Array | float,
    ) -> tuple[ItemCoordinates, Array | float]:
        """Coordinates on the scale that the items' priors speak of, and the change of volume.

        The data know items on the standardised scale of ability far better than origin and unit
        of the raw one, so the former are sampled: in raw coordinates all items and abilities
        would have to move together, and chains would crawl.
        """
        xp, model = engine.xp, self.likelihood.model
        values = values_at(engine, self.likelihood.model, x, held)
        raw = model.rescale(values, -mean * xp.exp(-log_sd), xp.exp(-log_sd))
        columns, volume = [], 0.0
        for index in self.likelihood.free:
            transform = model.parameters[index].transform
            columns.append(transform.coordinate(engine, raw[:, index]))
            if model.parameters[index].role is Role.SLOPE:
                slopes = [transform.slope(engine, v[:, index]) for v in (values, raw)]
                volume = (xp.log(slopes[0]) - xp.log(slopes[1]) - log_sd).sum()
        return xp.stack(columns, axis=1), volume


def _log_prior(
    engine: Engine, coordinate: Coordinate, x: PerRow, moments: tuple[Array | float, Array | float]
) -> Array:
    """Log density of a column, whose mean and log sd may be sampled too."""
    if not (coordinate.is_mean_free or coordinate.is_sd_free):
        return coordinate.prior.log_measure(engine, x).sum()
    mean, log_sd = moments
    z = (x - mean) * engine.xp.exp(-engine.xp.asarray(log_sd))
    return (STANDARD.log_measure(engine, z) - log_sd).sum()


@cache
def _summed_curves(likelihood: Likelihood, engine: Engine) -> Any:
    """Σ channels × curves as a function whose derivatives are the likelihood's own slopes."""
    import jax

    def total(
        abilities: PerRespondent, x: ItemCoordinates, held: ItemValues, data: CellData
    ) -> Array:
        return forward(abilities, x, held, data)[0]

    def forward(
        abilities: PerRespondent, x: ItemCoordinates, held: ItemValues, data: CellData
    ) -> tuple[Array, Any]:
        values = values_at(engine, likelihood.model, x, held)
        height, residuals = _height_and_residuals(likelihood, engine, abilities, values, data)
        jacobian = likelihood.ability_jacobian(engine, abilities, values)
        slope = sum((r * j).sum(axis=0) for r, j in zip(residuals, jacobian, strict=True))
        return height, (
            slope,
            likelihood.item_gradient_along(engine, abilities, values, residuals),
        )

    def backward(gradients: tuple[Array, Array], size: Array) -> tuple[Any, ...]:
        return size * gradients[0], size * gradients[1], None, None

    function = jax.custom_vjp(total)
    function.defvjp(forward, backward)
    return function


def _height_and_residuals(
    likelihood: Likelihood,
    engine: Engine,
    abilities: PerRespondent,
    values: ItemValues,
    data: CellData,
) -> tuple[Array, list[ItemsByRespondents]]:
    """Σ channels × curves and its derivatives in η (items × respondents each).

    Tails are costly, and only those of responses at a bound count.
    """
    family = likelihood.model.family
    eta = likelihood.natural(engine, abilities, values)
    *inner, weight = data.channels
    height = -(weight * family.log_partition(engine, eta)).sum()
    residuals = []
    for channel, part, mean in zip(inner, eta, family.mean_statistics(engine, eta), strict=True):
        height = height + (channel * part).sum()
        residuals.append(channel - weight * mean)
    for index, (rows, columns, weights) in enumerate(data.at_bounds):
        cells = [part[rows, columns] for part in eta]
        tail = likelihood.tails(engine, cells, 1)[index]
        height = height + (weights * tail.log_probability).sum()
        residuals = [
            r.at[rows, columns].add(weights * slope)
            for r, slope in zip(residuals, tail.slope, strict=True)
        ]
    return height, residuals


def _at_bound(weights: ItemsByRespondents) -> tuple[PerRow, PerRow, PerRow]:
    """Where responses lie at a bound, and their weights, filled up with weights of 0.

    Filled up, because code is compiled for arrays of one length.
    """
    rows, columns = np.nonzero(weights)
    size = -(-max(len(rows), 1) // _PADDED) * _PADDED
    places = np.zeros((2, size), dtype=np.int32)
    places[:, : len(rows)] = rows, columns
    padded = np.zeros(size)
    padded[: len(rows)] = weights[rows, columns]
    return places[0], places[1], padded


def _prior(model: ItemModel, index: int) -> Any:
    return model.parameters[index].prior


def _abilities(model: ItemModel, side: Side) -> Coordinate:
    """Abilities as over respondents, or with all priors as they are stated."""
    if side == "respondents":
        return ability_population(model, is_open=True)
    if model.latent.is_logit:
        return Coordinate(model.ability_prior)
    return Coordinate(STANDARD, is_sd_free=model.latent.is_sd_free)


def _refuse_flat(likelihood: Likelihood) -> None:
    specs = [likelihood.model.parameters[i] for i in likelihood.free]
    flat = [spec.name for spec in specs if spec.prior is None]
    if flat:
        raise ModelError(
            "Sampling needs a proper prior of every item parameter.",
            f"None was given for {', '.join(flat)}.",
            "Keep prior='default', or use the method marginal for maximum likelihood.",
        )
