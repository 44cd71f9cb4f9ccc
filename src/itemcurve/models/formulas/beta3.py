"""β³: scores in (0, 1), with ability and difficulty in (0, 1) too.

y ~ Beta(α, β),  α = (θ/δ)^a,  β = ((1−θ)/(1−δ))^a,  E[y] = σ(a(logit θ − logit δ))

Chen, Silva Filho, Prudêncio, Diethe and Flach (2019), eq. 1-3. Discrimination a may have either
sign; a negative one finds items with a wrong label. For right and wrong answers under log-loss
β³ is the 2PL on the logit scale.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from itemcurve.families.beta import Beta
from itemcurve.families.contract import Family
from itemcurve.models.boundary import CENSORED, Boundary
from itemcurve.models.formulas.fractional_beta3 import FractionalBeta3
from itemcurve.models.formulas.linear_predictor import as_values, away_from_zero, logit_of_mean
from itemcurve.models.formulas.unit_ability import (
    DIFFICULTY,
    DISCRIMINATION,
    PowersOfOdds,
)
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec
from itemcurve.numerics import shapes


@dataclass(frozen=True)
class Beta3(PowersOfOdds):
    """Scores in (0, 1); abilities are logits of the paper's θ."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    orientation: int = 1
    family: ClassVar[Family] = Beta()
    boundary: Boundary = CENSORED

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from item-rest correlations; δ where an able-by-half respondent has the mean."""
        slope = away_from_zero(1.5 * summaries.correlations, self.parameters[0])
        logit = np.clip(-logit_of_mean(summaries.means) / slope, -3.0, 3.0)
        return as_values([slope, 1 / (1 + np.exp(-logit))], self.parameters)

    def log_loss_form(self) -> FractionalBeta3:
        """β³'s curves under log-loss."""
        return FractionalBeta3(self.name, self.parameters)

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """δ ~ U(0, 1), a ~ N(1, 1): the paper's priors."""
        slope, difficulty = rng.normal(1.0, 1.0, size=items), rng.random(items)
        return as_values([slope, np.clip(difficulty, 1e-4, 1 - 1e-4)], self.parameters)


BETA3 = Beta3("beta3", (DISCRIMINATION, DIFFICULTY))
