"""Models with ability θ and difficulty δ in (0, 1): what β³ and Γ share.

Ability is estimated as t = logit θ; the difficulty's own coordinate is logit δ too. The curves
are powers (θ/δ)^a and ((1−θ)/(1−δ))^a, which fix origin and unit of the scale: there is nothing
to standardise, and (1−θ, 1−δ, −a) is no symmetry (it keeps the mean and changes the density).
Parameters stand in the order discrimination, difficulty, then others.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.models.contract import LatentScale
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import LogitBeta, Normal, Prior
from itemcurve.models.transforms import FREE, PROBABILITY
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine

# The papers' priors, as densities of logit δ, where estimates live: with the mode taken
# in δ itself the scale of β³ stretches (by 1.22 over 100 respondents × 20 items, and intervals of a
# cover 58 %; by 0.99 and 94 % this way).
# Limits: beyond them a curve is a step at the end of the scale.
DISCRIMINATION = ParameterSpec(
    "discrimination",
    Role.SLOPE,
    FREE,
    Normal(1.0, 1.0),
    start=1.0,
    limits=(-8.0, 8.0),
    excluded=(0.0,),
)
DIFFICULTY = ParameterSpec(
    "difficulty", Role.LOCATION, PROBABILITY, LogitBeta(1.0, 1.0), start=0.5, limits=(-9.0, 9.0)
)
UNIT_SCALE = LatentScale(
    shifts=False, stretches=False, is_mean_free=True, is_sd_free=True, is_logit=True
)
ABILITY_PRIOR = LogitBeta(1.0, 1.0)

_LARGEST_EXPONENT = 40.0


class UnitAbility:
    """One ability in (0, 1), and items told by discrimination and difficulty there."""

    dimensions: ClassVar[int] = 1
    latent: ClassVar[LatentScale] = UNIT_SCALE
    """Logits of (0, 1), on which the population has a free mean and spread."""
    ability_prior: ClassVar[Prior] = ABILITY_PRIOR
    """θ ~ Beta(1, 1)."""
    columns: ClassVar[Mapping[str, Role]] = {
        "discrimination": Role.SLOPE,
        "difficulty": Role.LOCATION,
        "difficulty_logit": Role.LOCATION,
    }

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty in (0, 1) and on the logit scale."""
        difficulty = values[:, 1]
        with np.errstate(divide="ignore"):
            logit = np.log(difficulty) - np.log1p(-difficulty)
        return {
            "discrimination": values[:, 0],
            "difficulty": difficulty,
            "difficulty_logit": logit,
        }

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """The logit of the difficulty: abilities are logits too (items)."""
        return self.report(values)["difficulty_logit"]

    def population_form(self) -> Self:
        """The same: difficulty and discrimination describe a population of items already."""
        return self


class PowersOfOdds(UnitAbility):
    """What β³ and Γ share: η₁ = c₁(θ/δ)^±a and η₂ = c₂((1−θ)/(1−δ))^±a.

    The exponents rise with ability as the model is oriented. Whoever inherits is a frozen dataclass
    with `orientation`, and may give sizes c of its own.
    """

    orientation: int

    def sizes(self, values: shapes.ItemValues) -> tuple[shapes.ItemColumn | float, ...]:
        """c₁ and c₂."""
        return 1.0, 1.0

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η = (η₁, η₂)."""
        exponents = self._exponents(engine, abilities, values)
        pairs = zip(self.sizes(values), exponents, strict=True)
        return tuple(size * _power(engine, exponent) for size, exponent in pairs)

    def growing(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        eta: Sequence[shapes.Curve],
    ) -> Sequence[shapes.Curve]:
        """η, but 0 where it is held because numbers end."""
        pairs = zip(eta, self._exponents(engine, abilities, values), strict=True)
        xp = engine.xp
        return tuple(xp.where(xp.abs(e) < _LARGEST_EXPONENT, own, 0.0) for own, e in pairs)

    def log_slopes(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        index: int | None,
    ) -> Sequence[shapes.CurveSlope]:
        """∂ log|η_k| in a or δ, or in the logit of θ: ±a(1−θ) and ∓aθ."""
        sign, difficulty = float(self.orientation), values[:, 1:2]
        if index == 0:
            return tuple(sign * ratio for ratio in _log_ratios(engine, abilities, values))
        slope = sign * values[:, 0:1]
        if index is not None:
            return -slope / difficulty, slope / (1 - difficulty)
        ability, expit = abilities[..., 0], engine.special.expit
        return slope * expit(-ability), -slope * expit(ability)

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of η_k in an item parameter."""
        return self._slopes(engine, abilities, values, index)

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of η_k in the logit of θ."""
        return self._slopes(engine, abilities, values, None)

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """Give the values back: this scale has its own origin and unit."""
        if float(location) != 0.0 or float(scale) != 1.0:
            raise ModelError(
                "Abilities in (0, 1) have an absolute scale.",
                f"Asked for another origin ({location:g}) or unit ({scale:g}).",
                "Leave the scale as it is.",
            )
        return np.array(values, dtype=float)

    def _slopes(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        index: int | None,
    ) -> Sequence[shapes.CurveSlope]:
        eta = self.natural(engine, abilities, values)
        pairs = zip(
            self.growing(engine, abilities, values, eta),
            self.log_slopes(engine, abilities, values, index),
            strict=True,
        )
        return tuple(own * slope for own, slope in pairs)

    def _exponents(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        slope = float(self.orientation) * values[:, 0:1]
        return tuple(slope * ratio for ratio in _log_ratios(engine, abilities, values))


def _log_ratios(
    engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
) -> tuple[shapes.Curve, shapes.Curve]:
    """log(θ/δ) and log((1−θ)/(1−δ)) (items × abilities)."""
    xp = engine.xp
    ability, difficulty = abilities[..., 0], values[:, 1:2]
    rise = -xp.logaddexp(0.0, -ability) - xp.log(difficulty)
    fall = -xp.logaddexp(0.0, ability) - xp.log1p(-difficulty)
    return rise, fall


def _power(engine: Engine, exponent: shapes.SameShape) -> shapes.SameShape:
    """Exponential function, kept a number."""
    xp = engine.xp
    # Not `clip`, whose checks take longer than the work on arrays of a block.
    return xp.exp(xp.minimum(xp.maximum(exponent, -_LARGEST_EXPONENT), _LARGEST_EXPONENT))
