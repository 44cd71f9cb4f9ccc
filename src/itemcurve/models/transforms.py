"""Constraints of parameters: how an unbounded coordinate gives the reported value."""

from collections.abc import Callable
from dataclasses import dataclass

from itemcurve.numerics.engine import Array, Engine


@dataclass(frozen=True)
class Transform:
    """A smooth increasing map from the real line onto a parameter's range."""

    name: str
    value: Callable[[Engine, Array], Array]
    coordinate: Callable[[Engine, Array], Array]
    slope: Callable[[Engine, Array], Array]
    """Derivative of the value in its coordinate, as a function of the *value*."""
    bounds: tuple[float, float]
    """Coordinates are kept inside: beyond them the value no longer changes to working accuracy."""


FREE = Transform(
    "free",
    value=lambda engine, x: x,
    coordinate=lambda engine, value: value,
    slope=lambda engine, value: engine.xp.ones_like(value),
    bounds=(-100.0, 100.0),
)
POSITIVE = Transform(
    "positive",
    value=lambda engine, x: engine.xp.exp(x),
    coordinate=lambda engine, value: engine.xp.log(value),
    slope=lambda engine, value: value,
    bounds=(-7.0, 4.6),
)
PROBABILITY = Transform(
    "probability",
    value=lambda engine, x: engine.special.expit(x),
    coordinate=lambda engine, value: engine.special.logit(value),
    slope=lambda engine, value: value * (1.0 - value),
    bounds=(-25.0, 25.0),
)
