"""β³: scores in (0, 1), with ability and difficulty in (0, 1) too.

y ~ Beta(α, β),  α = (θ/δ)^a,  β = ((1−θ)/(1−δ))^a,  E[y] = σ(a(logit θ − logit δ))

Chen, Silva Filho, Prudêncio, Diethe and Flach (2019), eq. 1-3. Discrimination a may have either
sign; a negative one finds items with a wrong label. For right and wrong answers under log-loss
β³ is the 2PL on the logit scale.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from itemcurve.families.beta import Beta
from itemcurve.families.contract import Family
from itemcurve.models.boundary import CENSORED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.fractional_beta3 import FractionalBeta3
from itemcurve.models.formulas.linear_predictor import as_values, away_from_zero, logit_of_mean
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
from itemcurve.models.priors import Prior
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine


@dataclass(frozen=True)
class Beta3:
    """Scores in (0, 1); abilities are logits of the paper's θ."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    orientation: int = 1
    dimensions: ClassVar[int] = 1
    family: ClassVar[Family] = Beta()
    latent: ClassVar[LatentScale] = UNIT_SCALE
    """An absolute scale, on which the population has a free mean and spread."""
    ability_prior: ClassVar[Prior] = ABILITY_PRIOR
    """θ ~ Beta(1, 1)."""
    columns: ClassVar[Mapping[str, Role]] = COLUMNS
    boundary: Boundary = CENSORED

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η = (α, β)."""
        slope = values[:, 0:1]
        rise, fall = log_ratios(engine, abilities, values)
        return power(engine, slope * rise), power(engine, slope * fall)

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of α and β in a or δ."""
        slope, difficulty = values[:, 0:1], values[:, 1:2]
        rise, fall = log_ratios(engine, abilities, values)
        changes = (rise, fall) if index == 0 else (-slope / difficulty, slope / (1 - difficulty))
        return (
            power_slope(engine, slope * rise, changes[0]),
            power_slope(engine, slope * fall, changes[1]),
        )

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """∂α/∂t = aα(1−θ), ∂β/∂t = −aβθ."""
        slope = values[:, 0:1]
        rise, fall = log_ratios(engine, abilities, values)
        expit = engine.special.expit
        return (
            power_slope(engine, slope * rise, slope * expit(-abilities[..., 0])),
            power_slope(engine, slope * fall, -slope * expit(abilities[..., 0])),
        )

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """Nothing but the scale as it is."""
        return refuse_rescaling(values, location, scale)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from item-rest correlations; δ where an able-by-half respondent has the mean."""
        slope = away_from_zero(1.5 * summaries.correlations, self.parameters[0])
        logit = np.clip(-logit_of_mean(summaries.means) / slope, -3.0, 3.0)
        return as_values([slope, 1 / (1 + np.exp(-logit))], self.parameters)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty in (0, 1) and on the logit scale."""
        return report(values)

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """Difficulty, on the scale of ability."""
        return location(values)

    def population_form(self) -> Self:
        """The same: difficulty and discrimination describe a population of items already."""
        return self

    def log_loss_form(self) -> FractionalBeta3:
        """β³'s curves under log-loss."""
        return FractionalBeta3(self.name, self.parameters)

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """δ ~ U(0, 1), a ~ N(1, 1): the paper's priors."""
        slope, difficulty = rng.normal(1.0, 1.0, size=items), rng.random(items)
        return as_values([slope, np.clip(difficulty, 1e-4, 1 - 1e-4)], self.parameters)


BETA3 = Beta3("beta3", (DISCRIMINATION, DIFFICULTY))
