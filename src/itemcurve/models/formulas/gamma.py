"""Γ: errors from 0 upwards, with ability and difficulty in (0, 1).

e ~ Gamma(α, β),  α = c(δ/θ)^a,  β = ((1−δ)/(1−θ))^a  (shape, rate)

Moraes, Reinaldo, Prudêncio and Silva Filho (Γ-IRT). c is an item's own size of errors, known and
held fixed. An error divided by c has c times the rate, Gamma(α, cβ), and the expected value
(odds δ / odds θ)^a; the paper's equation 8 leaves that c out of the rate. `gamma` is the model of
raw errors as printed, `gamma-normalised` that of errors already divided by c.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from itemcurve.families.contract import Family
from itemcurve.families.gamma import Gamma
from itemcurve.models.boundary import CENSORED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.linear_predictor import as_values, away_from_zero
from itemcurve.models.formulas.unit_ability import (
    ABILITY_PRIOR,
    COLUMNS,
    DIFFICULTY,
    DISCRIMINATION,
    UNIT_SCALE,
    location,
    log_ratios,
    power,
    power_slope,
    refuse_rescaling,
    report,
)
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Beta, Prior
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine

ERROR_SIZE = ParameterSpec("error_size", Role.SPREAD, POSITIVE, None, fixed=1.0, start=1.0)


@dataclass(frozen=True)
class GammaErrors:
    """Errors of respondents; abilities are logits of the paper's θ, and errors fall with them."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    is_normalised: bool = False
    orientation: int = -1
    dimensions: ClassVar[int] = 1
    family: ClassVar[Family] = Gamma()
    latent: ClassVar[LatentScale] = UNIT_SCALE
    """An absolute scale, on which the population has a free mean and spread."""
    ability_prior: ClassVar[Prior] = ABILITY_PRIOR
    """θ ~ Beta(1, 1)."""
    columns: ClassVar[Mapping[str, Role]] = {**COLUMNS, "error_size": Role.SPREAD}
    boundary: Boundary = CENSORED

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η = (α, −β)."""
        slope = values[:, 0:1]
        shape_size, rate_size = self._sizes(values)
        rise, fall = log_ratios(engine, abilities, values)
        shape, rate = power(engine, -slope * rise), power(engine, -slope * fall)
        return shape_size * shape, -rate_size * rate

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of α and −β in a, δ or c."""
        slope, difficulty = values[:, 0:1], values[:, 1:2]
        if index == 2:
            shape, rate = self.natural(engine, abilities, values)
            size = values[:, 2:3]
            return shape / size, rate / size * float(self.is_normalised)
        rise, fall = log_ratios(engine, abilities, values)
        changes = (-rise, -fall) if index == 0 else (slope / difficulty, -slope / (1 - difficulty))
        return self._along(engine, abilities, values, changes)

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """∂α/∂t = −aα(1−θ), ∂β/∂t = aβθ."""
        slope, expit = values[:, 0:1], engine.special.expit
        changes = -slope * expit(-abilities[..., 0]), slope * expit(abilities[..., 0])
        return self._along(engine, abilities, values, changes)

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """Nothing but the scale as it is."""
        return refuse_rescaling(values, location, scale)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from item-rest correlations; δ where an able-by-half respondent has the mean."""
        slope = away_from_zero(1.5 * summaries.correlations, self.parameters[0])
        held = self.parameters[2].held(len(slope))
        size = np.where(np.isnan(held) | self.is_normalised, 1.0, held)
        share = summaries.means / size
        logit = np.clip(np.log(np.clip(share, 1e-3, 1e3)) / slope, -3.0, 3.0)
        columns = [slope, 1 / (1 + np.exp(-logit)), np.ones_like(slope)]
        return as_values(columns, self.parameters)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty in (0, 1) and on the logit scale, size of errors."""
        return {**report(values), "error_size": values[:, 2]}

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """Difficulty, on the scale of ability."""
        return location(values)

    def population_form(self) -> Self:
        """The same: difficulty and discrimination describe a population of items already."""
        return self

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """δ ~ U(0, 1), a ~ |N(0, 1)|: the paper's simulation."""
        slope, difficulty = np.abs(rng.normal(size=items)), rng.random(items)
        columns = [slope, np.clip(difficulty, 1e-4, 1 - 1e-4), np.ones(items)]
        return as_values(columns, self.parameters)

    def _sizes(self, values: shapes.ItemValues) -> tuple[shapes.ItemColumn, shapes.ItemColumn]:
        size = values[:, 2:3]
        return size, size if self.is_normalised else 1.0 + 0.0 * size

    def _along(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        changes: tuple[shapes.CurveSlope, shapes.CurveSlope],
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of α and −β where their exponents change by these."""
        slope = values[:, 0:1]
        shape_size, rate_size = self._sizes(values)
        rise, fall = log_ratios(engine, abilities, values)
        return (
            shape_size * power_slope(engine, -slope * rise, changes[0]),
            -rate_size * power_slope(engine, -slope * fall, changes[1]),
        )


# The scale of Γ hangs on the data by a thread: a density of logit δ would pull all difficulties
# inwards and the scale with them (slope 0.76 instead of 0.93 over 200 respondents × 40 items).
_DIFFICULTY = replace(DIFFICULTY, prior=Beta(1.0, 1.0))
GAMMA = GammaErrors("gamma", (DISCRIMINATION, _DIFFICULTY, ERROR_SIZE))
GAMMA_NORMALISED = replace(GAMMA, name="gamma-normalised", is_normalised=True)
