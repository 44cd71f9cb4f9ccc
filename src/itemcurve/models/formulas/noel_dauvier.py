"""The Beta model on an unbounded scale of ability: 2PL-ND.

y ~ Beta(m, 1/m),  m = exp(a(θ − b)/2),  so that E[y] = σ(a(θ − b))

Noel and Dauvier (2007) have a = 1; with a free it is the comparison of Chen et al. (2019).
Estimated as z = aθ + e, m = exp(z/2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from itemcurve.families.beta import Beta
from itemcurve.families.contract import Family
from itemcurve.models.boundary import CENSORED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas import linear_predictor as linear
from itemcurve.models.formulas.logistic import DIFFICULTY, DISCRIMINATION, INTERCEPT
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine

# Beyond, every response is at its end: exp(±40) only has to stay a number.
_LARGEST_EXPONENT = 40.0


@dataclass(frozen=True)
class NoelDauvier:
    """Scores in (0, 1) that pile up at both ends, on the scale of the logistic models."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    form: linear.Form = "intercept"
    orientation: int = 1
    dimensions: ClassVar[int] = 1
    family: ClassVar[Family] = Beta()
    ability_prior: ClassVar[Prior] = Normal(0.0, 3.0)
    """N(0, 3²) in units of the spread of difficulties."""
    columns: ClassVar[Mapping[str, Role]] = linear.COLUMNS
    boundary: Boundary = CENSORED

    @property
    def latent(self) -> LatentScale:
        """Intercepts absorb the origin, slopes the unit."""
        return linear.scale_of(self.parameters[0], self.parameters[1])

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η = (m, 1/m)."""
        half = linear.predictor(self.form, abilities, values) / 2
        half = engine.xp.clip(half, -_LARGEST_EXPONENT, _LARGEST_EXPONENT)
        return engine.xp.exp(half), engine.xp.exp(-half)

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of m and 1/m in a, and e (or b)."""
        slope = linear.predictor_slope(self.form, abilities, values, index)
        return self._along(engine, abilities, values, slope)

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of m and 1/m in ability."""
        return self._along(engine, abilities, values, values[:, 0:1])

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """A slope grows with the unit of ability; an intercept moves with its origin."""
        return linear.rescale(self.form, values, location, scale)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from item-rest correlations, intercepts from means."""
        slope = linear.away_from_zero(2.0 * summaries.correlations, self.parameters[0])
        intercept = linear.logit_of_mean(summaries.means)
        second = intercept if self.form == "intercept" else -intercept / slope
        return linear.as_values([slope, second], self.parameters)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty and intercept."""
        return linear.report(self.form, values)

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """Difficulty, on the scale of ability."""
        return linear.location(self.form, values)

    def population_form(self) -> Self:
        """Items described by difficulty."""
        difficulty = replace(DIFFICULTY, fixed=self.parameters[1].fixed)
        return replace(self, form="difficulty", parameters=(self.parameters[0], difficulty))

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """Draw b ~ N(0, 1), log a ~ N(0, 0.4²)."""
        slope, difficulty = np.exp(0.4 * rng.normal(size=items)), rng.normal(size=items)
        values = linear.as_values([slope, difficulty], self.parameters)
        if self.form == "intercept" and self.parameters[1].is_free_everywhere:
            values[:, 1] = -values[:, 0] * values[:, 1]
        return values

    def _along(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        slope: shapes.CurveSlope,
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of m and 1/m where z changes by `slope`."""
        z = linear.predictor(self.form, abilities, values)
        half = engine.xp.where(engine.xp.abs(z) < 2 * _LARGEST_EXPONENT, slope / 2, 0.0)
        rising, falling = self.natural(engine, abilities, values)
        return rising * half, -falling * half


TWO_PARAMETER_ND = NoelDauvier("2pl-nd", (DISCRIMINATION, INTERCEPT))
