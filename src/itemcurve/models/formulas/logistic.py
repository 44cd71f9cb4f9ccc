"""The logistic models of right and wrong answers: Rasch, 1PL, 2PL, 3PL, 4PL.

P(y = 1 | θ) = c + (d − c) σ(aθ + e)          intercept form, used for estimation
             = c + (d − c) σ(a(θ − b))        difficulty form, b = −e/a

Birnbaum (1968); Barton and Lord (1981) for the upper asymptote d. With
r₁ = d·eᶻ/(c + d·eᶻ) and r₀ = (1−d)·eᶻ/((1−c) + (1−d)·eᶻ), z = aθ + e, all derivatives of the
log-odds η are products of r₁, r₀ and constants, and none of them cancels:

∂η/∂z = r₁ − r₀,   ∂η/∂c = (1−r₁)/c + (1−r₀)/(1−c),   ∂η/∂d = r₁/d + r₀/(1−d).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.families.bernoulli import Bernoulli
from itemcurve.families.contract import Family
from itemcurve.families.fractional import Fractional
from itemcurve.models.boundary import UNTREATED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.linear_predictor import (
    as_values,
    location,
    predictor,
    report,
    rescale,
    scale_of,
)
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Beta, Normal, Prior
from itemcurve.models.transforms import FREE, POSITIVE, PROBABILITY
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine

# Steeper than 30, a curve is a step to every sample that fits into a computer's memory.
DISCRIMINATION = ParameterSpec(
    "discrimination",
    Role.SLOPE,
    FREE,
    Normal(1.0, 1.0),
    start=1.0,
    limits=(-30.0, 30.0),
    excluded=(0.0,),
)
# A normal prior on the difficulty b = −e/a would wall off a = 0, and with it the way from a
# positive to a negative discrimination. On the intercept it does not; its spread matches
# b ~ N(0, 2²) at a ~ N(1, 1).
INTERCEPT = ParameterSpec("intercept", Role.INTERCEPT, FREE, Normal(0.0, 3.0))
DIFFICULTY = ParameterSpec("difficulty", Role.LOCATION, FREE, Normal(0.0, 1.0))
GUESSING = ParameterSpec(
    "guessing", Role.ASYMPTOTE, PROBABILITY, Beta(5.0, 17.0), start=0.15, excluded=(1.0,)
)
UPPER_ASYMPTOTE = ParameterSpec(
    "upper_asymptote", Role.ASYMPTOTE, PROBABILITY, Beta(17.0, 5.0), start=0.9, excluded=(0.0,)
)


_EDGES = ((3, 1.0), (2, 0.0))
_COLUMNS: Mapping[str, Role] = {
    "discrimination": Role.SLOPE,
    "difficulty": Role.LOCATION,
    "guessing": Role.ASYMPTOTE,
    "upper_asymptote": Role.ASYMPTOTE,
    "intercept": Role.INTERCEPT,
}


def with_difficulty(parameters: tuple[ParameterSpec, ...]) -> tuple[ParameterSpec, ...]:
    """Parameters with the difficulty in place of the intercept, which must not be set by anyone."""
    second = parameters[1]
    usual = (INTERCEPT.prior, DIFFICULTY.prior, None)
    if not second.is_free_everywhere or second.prior not in usual:
        raise ModelError(
            "Integrating items out describes them by difficulty, not by intercept.",
            "An intercept was held, or given a prior of its own.",
            "Use over='respondents'.",
        )
    difficulty = replace(DIFFICULTY, prior=None if second.prior is None else DIFFICULTY.prior)
    return (parameters[0], difficulty, *parameters[2:])


@dataclass(frozen=True)
class Logistic:
    """A logistic model; which of a, e (or b), c, d are free makes it the 1PL … 4PL."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    is_slope_common: bool = False
    form: Literal["intercept", "difficulty"] = "intercept"
    orientation: int = 1
    is_fractional: bool = False
    dimensions: ClassVar[int] = 1
    ability_prior: ClassVar[Prior] = Normal(0.0, 3.0)
    """N(0, 3²) in units of the spread of difficulties: keeps perfect scores finite."""
    boundary: ClassVar[Boundary] = UNTREATED
    columns: ClassVar[Mapping[str, Role]] = _COLUMNS

    @property
    def family(self) -> Family:
        """Right or wrong, or scores in between under log-loss."""
        return Fractional() if self.is_fractional else Bernoulli()

    @property
    def latent(self) -> LatentScale:
        """Intercepts absorb the origin; slopes, free or common, absorb the unit."""
        slope, second, *_ = self.parameters
        # Slopes that are no longer held at one are no longer the common slope of the 1PL.
        return scale_of(slope, second, self.is_slope_common and slope.fixed == 1.0)

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η = logit P."""
        xp = engine.xp
        z = predictor(self.form, abilities, values)
        if not self._has_asymptotes:
            return (z,)
        above, below = self._odds(engine, z, values)
        return (xp.log(above) - xp.log(below),)

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivative of η in a, e (or b), c or d."""
        guessing, upper = values[:, 2:3], values[:, 3:4]
        if index == 2:
            high, low = self._shares(engine, abilities, values)
            return ((1 - high) / guessing + (1 - low) / (1 - guessing),)
        if index == 3:
            high, low = self._shares(engine, abilities, values)
            return (high / upper + low / (1 - upper),)
        slope = self._link_slope(engine, abilities, values)
        if index == 0:
            centre = values[:, 1:2] if self.form == "difficulty" else 0.0
            return (slope * (abilities[..., 0] - centre),)
        return (slope if self.form == "intercept" else -values[:, 0:1] * slope,)

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """∂η/∂θ = a (r₁ − r₀)."""
        slope = values[:, 0:1] * self._link_slope(engine, abilities, values)
        return (engine.xp.broadcast_to(slope, (values.shape[0], abilities.shape[-2])),)

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """A slope grows with the unit of ability; an intercept moves with its origin."""
        return rescale(self.form, values, location, scale)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from item-rest correlations (as in the normal ogive), intercepts from means."""
        share = np.clip(summaries.means, 0.02, 0.98)
        correlation = np.clip(summaries.correlations, -0.75, 0.75)
        slope = 1.7 * correlation / np.sqrt(1 - correlation**2)
        specs = self.parameters
        if not specs[0].is_free or specs[0].transform is POSITIVE:
            slope = np.clip(np.abs(slope), 0.3, None)
        # A logit averaged over abilities is flatter than the logit at average ability.
        intercept = np.log(share / (1 - share)) * np.sqrt(1 + 0.35 * slope**2)
        second = intercept if self.form == "intercept" else -intercept / np.where(slope < 0, -1, 1)
        columns = [slope, second, *(np.full_like(share, spec.start) for spec in specs[2:])]
        return as_values(columns, specs)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """a, b, c, d and the intercept."""
        linear = report(self.form, values)
        asymptotes = {"guessing": values[:, 2], "upper_asymptote": values[:, 3]}
        return {name: {**linear, **asymptotes}[name] for name in self.columns}

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """Difficulty."""
        return location(self.form, values)

    def basis(
        self, engine: Engine, abilities: shapes.AbilityPoints
    ) -> shapes.BasisFunctions | None:
        """1 and θ, unless an asymptote bends the logit."""
        if self._has_asymptotes:
            return None
        return engine.xp.stack([engine.xp.ones_like(abilities[..., 0]), abilities[..., 0]])

    def basis_weights(self, engine: Engine, values: shapes.ItemValues) -> list[shapes.BasisWeights]:
        """Intercept and slope."""
        columns = self.report(values)
        return [engine.xp.stack([columns["intercept"], columns["discrimination"]], axis=1)]

    def population_form(self) -> Self:
        """Items described by difficulty: where a population of items has a centre and a spread."""
        return replace(self, form="difficulty", parameters=with_difficulty(self.parameters))

    def log_loss_form(self) -> Self | None:
        """Scores in [0, 1] on the same curves."""
        return replace(self, is_fractional=True)

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """B ~ N(0, 1), log a ~ N(0, 0.4²), c ~ Beta(5, 17), d ~ Beta(17, 5) where free."""
        slope = np.exp(0.4 * rng.normal(size=items))
        difficulty = rng.normal(size=items)
        columns = [slope, difficulty, rng.beta(5, 17, size=items), rng.beta(17, 5, size=items)]
        values = as_values(columns, self.parameters)
        if self.form == "intercept" and self.parameters[1].is_free_everywhere:
            values[:, 1] = -values[:, 0] * values[:, 1]
        return values

    def simpler(self) -> Self | None:
        """With its last asymptote at the edge: no slipping, then no guessing."""
        for index, edge in _EDGES:
            if self.parameters[index].fixed != edge:
                specs = list(self.parameters)
                specs[index] = replace(specs[index], fixed=edge, prior=None)
                return replace(self, parameters=tuple(specs))
        return None

    def extend(self, values: shapes.ItemValues, distance: float) -> shapes.ItemValues:
        """Move the asymptote that `simpler` held at its edge inwards, or to where it is held."""
        moved = np.array(values, dtype=float)
        for index, edge in _EDGES:
            held = self.parameters[index].fixed
            if held != edge:
                inner = self.parameters[index].held(len(moved))
                moved[:, index] = np.where(np.isnan(inner), abs(edge - distance), inner)
                break
        return moved

    @property
    def _has_asymptotes(self) -> bool:
        return (self.parameters[2].fixed, self.parameters[3].fixed) != (0.0, 1.0)

    def _odds(
        self, engine: Engine, z: shapes.Curve, values: shapes.ItemValues
    ) -> tuple[shapes.Curve, shapes.Curve]:
        """P and 1 − P, both times 1 + eᶻ: c + d·eᶻ and (1−c) + (1−d)·eᶻ."""
        guessing, upper = values[:, 2:3], values[:, 3:4]
        # Beyond ±600 the curve has long reached its asymptote, and eᶻ would leave the range.
        growth = engine.xp.exp(engine.xp.clip(z, -600.0, 600.0))
        return guessing + upper * growth, (1 - guessing) + (1 - upper) * growth

    def _shares(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> tuple[shapes.Curve, shapes.Curve]:
        """r₁ and r₀ of the module's formula."""
        guessing = values[:, 2:3]
        above, below = self._odds(engine, predictor(self.form, abilities, values), values)
        return 1 - guessing / above, 1 - (1 - guessing) / below

    def _link_slope(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> shapes.CurveSlope:
        if not self._has_asymptotes:
            return engine.xp.ones((1, abilities.shape[-2]))
        high, low = self._shares(engine, abilities, values)
        return high - low


_NO_GUESSING = replace(GUESSING, prior=None, fixed=0.0)
_NO_SLIPPING = replace(UPPER_ASYMPTOTE, prior=None, fixed=1.0)
_UNIT_SLOPE = replace(DISCRIMINATION, prior=None, fixed=1.0)

# Slope 1 and abilities N(0, 1).
RASCH = Logistic("rasch", (_UNIT_SLOPE, INTERCEPT, _NO_GUESSING, _NO_SLIPPING))
# One slope for all items, estimated as the standard deviation of abilities.
ONE_PARAMETER = replace(RASCH, name="1pl", is_slope_common=True)
TWO_PARAMETER = Logistic("2pl", (DISCRIMINATION, INTERCEPT, _NO_GUESSING, _NO_SLIPPING))
THREE_PARAMETER = Logistic("3pl", (DISCRIMINATION, INTERCEPT, GUESSING, _NO_SLIPPING))
FOUR_PARAMETER = Logistic("4pl", (DISCRIMINATION, INTERCEPT, GUESSING, UPPER_ASYMPTOTE))
# Scores in [0, 1] on the curves of the 2PL and the 1PL.
FRACTIONAL_TWO_PARAMETER = replace(TWO_PARAMETER, name="fractional-2pl", is_fractional=True)
FRACTIONAL_ONE_PARAMETER = replace(ONE_PARAMETER, name="fractional-1pl", is_fractional=True)
