"""Scores whose logit is normal around a line in ability.

logit y ~ N(a(θ − b), s²), s per item: Song and Flach (2021), eq. 1. Estimated as aθ + e.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from itemcurve.families.contract import Family
from itemcurve.families.logit_normal import LogitNormal
from itemcurve.models.boundary import CENSORED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.linear_predictor import (
    COLUMNS,
    Form,
    as_values,
    away_from_zero,
    location,
    logit_of_mean,
    predictor,
    predictor_slope,
    report,
    rescale,
    scale_of,
)
from itemcurve.models.formulas.logistic import DIFFICULTY, DISCRIMINATION, INTERCEPT
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import LogNormal, Normal, Prior
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine

# A score is so informative that the posterior of an item is narrow in all three parameters: a
# grid over the population of items would be far too coarse.
NOISE = ParameterSpec(
    "noise", Role.SPREAD, POSITIVE, LogNormal(-1.0, 1.0), start=0.4, needs_few_nodes=False
)


@dataclass(frozen=True)
class LogitNormalItems:
    """Scores in (0, 1) with normal noise on the logit scale."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    form: Form = "intercept"
    orientation: int = 1
    dimensions: ClassVar[int] = 1
    family: ClassVar[Family] = LogitNormal()
    ability_prior: ClassVar[Prior] = Normal(0.0, 3.0)
    """N(0, 3²) in units of the spread of difficulties."""
    columns: ClassVar[Mapping[str, Role]] = {**COLUMNS, "noise": Role.SPREAD}
    boundary: Boundary = CENSORED

    @property
    def latent(self) -> LatentScale:
        """Intercepts absorb the origin, slopes the unit."""
        return scale_of(self.parameters[0], self.parameters[1])

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η = (μ/s², −1/(2s²)), μ = a(θ − b)."""
        precision = values[:, 2:3] ** -2.0
        centre = predictor(self.form, abilities, values)
        return centre * precision, -precision / 2 + 0.0 * centre

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of η in a, e (or b), s."""
        precision = values[:, 2:3] ** -2.0
        centre = predictor(self.form, abilities, values)
        if index == 2:
            growth = precision / values[:, 2:3]
            return -2 * centre * growth, growth + 0.0 * centre
        slope = predictor_slope(self.form, abilities, values, index)
        return slope * precision + 0.0 * centre, 0.0 * centre

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """∂η/∂θ = (a/s², 0)."""
        zero = 0.0 * predictor(self.form, abilities, values)
        return values[:, 0:1] * values[:, 2:3] ** -2.0 + zero, zero

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """A slope grows with the unit of ability; an intercept moves with its origin."""
        return rescale(self.form, values, location, scale)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Intercepts from means; slope and noise share a unit variance by the correlation."""
        correlation = np.clip(summaries.correlations, -0.95, 0.95)
        slope = away_from_zero(correlation, self.parameters[0])
        intercept = logit_of_mean(summaries.means)
        second = intercept if self.form == "intercept" else -intercept / slope
        return as_values([slope, second, np.sqrt(1 - correlation**2)], self.parameters)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty, noise and intercept."""
        return {**report(self.form, values), "noise": values[:, 2]}

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """Difficulty, on the scale of ability."""
        return location(self.form, values)

    def population_form(self) -> Self:
        """Items described by difficulty."""
        difficulty = replace(DIFFICULTY, fixed=self.parameters[1].fixed)
        parameters = (self.parameters[0], difficulty, self.parameters[2])
        return replace(self, form="difficulty", parameters=parameters)

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """Draw b ~ N(0, 1), log a ~ N(0, 0.4²), log s ~ N(−1, 0.5²)."""
        slope, difficulty = np.exp(0.4 * rng.normal(size=items)), rng.normal(size=items)
        noise = np.exp(0.5 * rng.normal(size=items) - 1.0)
        values = as_values([slope, difficulty, noise], self.parameters)
        if self.form == "intercept" and self.parameters[1].is_free_everywhere:
            values[:, 1] = -values[:, 0] * values[:, 1]
        return values


LOGIT_NORMAL = LogitNormalItems("logit-normal", (DISCRIMINATION, INTERCEPT, NOISE))
