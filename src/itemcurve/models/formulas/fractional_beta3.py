"""β³'s curves for scores in [0, 1] under log-loss: the 2PL with ability and difficulty in (0, 1).

E[y] = σ(a(logit θ − logit δ)), Bernoulli quasi-likelihood

Chen et al. (2019), eq. 3 and 4; the loss is that of their maximum likelihood and of birt-gd. What
fixes the scale here are the priors alone (θ, δ ~ Beta(1, 1), a ~ N(1, 1)): without them origin and
unit of the logits are open, as in the 2PL.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from itemcurve.families.contract import Family
from itemcurve.families.fractional import Fractional
from itemcurve.models.boundary import UNTREATED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.linear_predictor import as_values, away_from_zero, logit_of_mean
from itemcurve.models.formulas.unit_ability import (
    DIFFICULTY,
    DISCRIMINATION,
    UNIT_SCALE,
    UnitAbility,
)
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine

_OPEN_SCALE = replace(UNIT_SCALE, is_open=True)


@dataclass(frozen=True)
class FractionalBeta3(UnitAbility):
    """Scores in [0, 1], the ends included; abilities are logits of the paper's θ."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    orientation: int = 1
    family: ClassVar[Family] = Fractional()
    latent: ClassVar[LatentScale] = _OPEN_SCALE
    boundary: ClassVar[Boundary] = UNTREATED

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η = a(t − logit δ)."""
        return (values[:, 0:1] * (abilities[..., 0] - engine.special.logit(values[:, 1:2])),)

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivative of η in a or δ."""
        slope, difficulty = values[:, 0:1], values[:, 1:2]
        if index == 0:
            return (abilities[..., 0] - engine.special.logit(difficulty),)
        change = -slope / (difficulty * (1 - difficulty))
        return (engine.xp.broadcast_to(change, (values.shape[0], abilities.shape[-2])),)

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """∂η/∂t = a."""
        shape = values.shape[0], abilities.shape[-2]
        return (engine.xp.broadcast_to(values[:, 0:1], shape),)

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """A slope grows with the unit of the logits; difficulties move with their origin."""
        difficulty = np.clip(values[:, 1], 1e-15, 1 - 1e-15)
        logit = (np.log(difficulty) - np.log1p(-difficulty) - location) / scale
        # Kept inside (0, 1) whatever the unit.
        moved = 1 / (1 + np.exp(-np.clip(logit, -30.0, 30.0)))
        return np.stack([values[:, 0] * scale, moved], axis=1)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from item-rest correlations; δ where an able-by-half respondent has the mean."""
        slope = away_from_zero(1.5 * summaries.correlations, self.parameters[0])
        logit = np.clip(-logit_of_mean(summaries.means) / slope, -3.0, 3.0)
        return as_values([slope, 1 / (1 + np.exp(-logit))], self.parameters)

    def log_loss_form(self) -> Self:
        """The same."""
        return self

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """δ ~ U(0, 1), a ~ N(1, 1): the paper's priors."""
        slope, difficulty = rng.normal(1.0, 1.0, size=items), rng.random(items)
        return as_values([slope, np.clip(difficulty, 1e-4, 1 - 1e-4)], self.parameters)


FRACTIONAL_BETA3 = FractionalBeta3("fractional-beta3", (DISCRIMINATION, DIFFICULTY))
