"""Models with ability θ and difficulty δ in (0, 1): what β³ and Γ share.

Ability is estimated as t = logit θ; the difficulty's own coordinate is logit δ too. The curves
are powers (θ/δ)^a and ((1−θ)/(1−δ))^a, which fix origin and unit of the scale: there is nothing
to standardise, and (1−θ, 1−δ, −a) is no symmetry (it keeps the mean and changes the density).
Parameters stand in the order discrimination, difficulty, then others.
"""

from collections.abc import Mapping

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.models.contract import LatentScale
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import LogitBeta, Normal
from itemcurve.models.transforms import FREE, PROBABILITY
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, Engine

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


def log_ratios(
    engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
) -> tuple[shapes.Curve, shapes.Curve]:
    """log(θ/δ) and log((1−θ)/(1−δ)) (items × abilities)."""
    xp = engine.xp
    ability, difficulty = abilities[..., 0], values[:, 1:2]
    rise = -xp.logaddexp(0.0, -ability) - xp.log(difficulty)
    fall = -xp.logaddexp(0.0, ability) - xp.log1p(-difficulty)
    return rise, fall


def power(engine: Engine, exponent: shapes.SameShape) -> shapes.SameShape:
    """Exponential function, kept a number."""
    xp = engine.xp
    # Not `clip`, whose checks take longer than the work on arrays of a block.
    return xp.exp(xp.minimum(xp.maximum(exponent, -_LARGEST_EXPONENT), _LARGEST_EXPONENT))


def power_slope(engine: Engine, exponent: Array, slope: Array) -> shapes.SameShape:
    """Derivative of `power` where its exponent changes by `slope`."""
    is_inside = engine.xp.abs(exponent) < _LARGEST_EXPONENT
    return power(engine, exponent) * engine.xp.where(is_inside, slope, 0.0)


def refuse_rescaling(
    values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
) -> shapes.ItemValues:
    """Give the values back: this scale has its own origin and unit."""
    if float(location) != 0.0 or float(scale) != 1.0:
        raise ModelError(
            "Abilities in (0, 1) have an absolute scale.",
            f"Asked for another origin ({location:g}) or unit ({scale:g}).",
            "Leave the scale as it is.",
        )
    return np.array(values, dtype=float)


COLUMNS: Mapping[str, Role] = {
    "discrimination": Role.SLOPE,
    "difficulty": Role.LOCATION,
    "difficulty_logit": Role.LOCATION,
}


def location(values: shapes.ItemValues) -> shapes.PerItem:
    """The logit of the difficulty: abilities are logits too (items)."""
    return report(values)["difficulty_logit"]


def report(values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
    """Discrimination, difficulty in (0, 1) and on the logit scale."""
    difficulty = values[:, 1]
    with np.errstate(divide="ignore"):
        logit = np.log(difficulty) - np.log1p(-difficulty)
    return {
        "discrimination": values[:, 0],
        "difficulty": difficulty,
        "difficulty_logit": logit,
    }
