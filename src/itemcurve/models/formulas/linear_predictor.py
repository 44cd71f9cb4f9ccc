"""Models in which ability enters as z = aθ + e, or z = a(θ − b): what they share.

Parameters stand in the order discrimination, intercept (or difficulty), then others.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from itemcurve.models.contract import LatentScale
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics import shapes

Form = Literal["intercept", "difficulty"]


def predictor(
    form: Form, abilities: shapes.AbilityPoints, values: shapes.ItemValues
) -> shapes.Curve:
    """Give z (items × abilities)."""
    slope, second, ability = values[:, 0:1], values[:, 1:2], abilities[..., 0]
    return slope * (ability - second) if form == "difficulty" else slope * ability + second


def predictor_slope(
    form: Form, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
) -> shapes.CurveSlope:
    """Derivative of z in the first or second parameter (items or 1 × abilities)."""
    if index == 0:
        ability = abilities[..., 0].reshape(-1, abilities.shape[-2])
        return ability - values[:, 1:2] if form == "difficulty" else ability
    return -values[:, 0:1] if form == "difficulty" else np.ones((1, 1))


def rescale(
    form: Form, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
) -> shapes.ItemValues:
    """Parameters for abilities measured as (θ − location)/scale, in the arrays' own engine."""
    slope, second, *others = (values[:, index] for index in range(values.shape[1]))
    moved = (second - location) / scale if form == "difficulty" else second + slope * location
    return values.__array_namespace__().stack([slope * scale, moved, *others], axis=1)


def scale_of(
    slope: ParameterSpec, second: ParameterSpec, is_slope_common: bool = False
) -> LatentScale:
    """Intercepts (or difficulties) absorb the origin; slopes, free or common, absorb the unit.

    Where some items are held, they fix what the others would absorb, and the population of
    abilities is estimated on their scale.
    """
    return LatentScale(
        shifts=second.is_free_everywhere,
        stretches=slope.is_free_everywhere or is_slope_common,
        is_mean_free=second.is_mixed,
        is_sd_free=is_slope_common or slope.is_mixed,
    )


COLUMNS: Mapping[str, Role] = {
    "discrimination": Role.SLOPE,
    "difficulty": Role.LOCATION,
    "intercept": Role.INTERCEPT,
}


def location(form: Form, values: shapes.ItemValues) -> shapes.PerItem:
    """Difficulty b = −e/a (items)."""
    return report(form, values)["difficulty"]


def report(form: Form, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
    """Discrimination, difficulty and intercept, whichever form the values are in."""
    slope, second = values[:, 0], values[:, 1]
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        difficulty = second if form == "difficulty" else -second / slope
    return {
        "discrimination": slope,
        "difficulty": difficulty,
        "intercept": -slope * second if form == "difficulty" else second,
    }


def away_from_zero(
    slope: shapes.PerItem, spec: ParameterSpec, least: float = 0.3
) -> shapes.PerItem:
    """Starting slopes that leave no item without direction, positive where they must be."""
    sign = np.where(slope < 0, -1.0, 1.0)
    if not spec.is_free or spec.transform is POSITIVE:
        sign = np.ones_like(sign)
    return sign * np.maximum(np.abs(slope), least)


def as_values(columns: list[shapes.PerItem], specs: tuple[ParameterSpec, ...]) -> shapes.ItemValues:
    """Columns side by side, with fixed parameters where they are held (items × parameters)."""
    like = columns[0]
    found = []
    for column, spec in zip(columns, specs, strict=True):
        held = spec.held(len(like))
        found.append(np.where(np.isnan(held), column, held))
    return np.stack(found, axis=1)


def logit_of_mean(means: shapes.PerItem) -> shapes.PerItem:
    """Logit of mean responses, kept off the ends."""
    share = np.clip(means, 0.02, 0.98)
    return np.log(share / (1 - share))
