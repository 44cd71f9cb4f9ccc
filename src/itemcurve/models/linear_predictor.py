"""Models in which ability enters as z = aθ + e, or z = a(θ − b): what they share.

Parameters stand in the order discrimination, intercept (or difficulty), then others.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from itemcurve.models.parameters import ParameterSpec
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics.engine import Array

Form = Literal["intercept", "difficulty"]


def predictor(form: Form, abilities: Array, values: Array) -> Array:
    """Give z (items × abilities)."""
    slope, second = values[:, 0:1], values[:, 1:2]
    return slope * (abilities - second) if form == "difficulty" else slope * abilities + second


def predictor_slope(form: Form, abilities: Array, values: Array, index: int) -> Array:
    """Derivative of z in the first or second parameter (items or 1 × abilities)."""
    if index == 0:
        if form == "difficulty":
            return abilities - values[:, 1:2]
        return abilities.reshape(-1, abilities.shape[-1])
    return -values[:, 0:1] if form == "difficulty" else np.ones((1, 1))


def rescale(form: Form, values: Array, location: Array, scale: Array) -> Array:
    """Parameters for abilities measured as (θ − location)/scale, in the arrays' own engine."""
    slope, second, *others = (values[:, index] for index in range(values.shape[1]))
    moved = (second - location) / scale if form == "difficulty" else second + slope * location
    return values.__array_namespace__().stack([slope * scale, moved, *others], axis=1)


def report(form: Form, values: Array) -> Mapping[str, Array]:
    """Discrimination, difficulty and intercept, whichever form the values are in."""
    slope, second = values[:, 0], values[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        difficulty = second if form == "difficulty" else -second / slope
    return {
        "discrimination": slope,
        "difficulty": difficulty,
        "intercept": -slope * second if form == "difficulty" else second,
    }


def away_from_zero(slope: Array, spec: ParameterSpec, least: float = 0.3) -> Array:
    """Starting slopes that leave no item without direction, positive where they must be."""
    sign = np.where(slope < 0, -1.0, 1.0)
    if not spec.is_free or spec.transform is POSITIVE:
        sign = np.ones_like(sign)
    return sign * np.maximum(np.abs(slope), least)


def as_values(columns: list[Array], specs: tuple[ParameterSpec, ...]) -> Array:
    """Columns side by side, with fixed parameters where they are held (items × parameters)."""
    like = columns[0]
    held = [
        column if spec.fixed is None else np.broadcast_to(np.asarray(spec.fixed, float), like.shape)
        for column, spec in zip(columns, specs, strict=True)
    ]
    return np.stack(held, axis=1)


def logit_of_mean(means: Array) -> Array:
    """Logit of mean responses, kept off the ends."""
    share = np.clip(means, 0.02, 0.98)
    return np.log(share / (1 - share))
