"""Constraints of parameters: how an unbounded coordinate gives the reported value."""

from collections.abc import Callable
from dataclasses import dataclass

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import SameShape


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


# Functions with names, not lambdas: results travel between processes.
def _same(engine: Engine, x: SameShape) -> SameShape:
    return x


def _one(engine: Engine, value: SameShape) -> SameShape:
    return engine.xp.ones_like(value)


def _exp(engine: Engine, x: SameShape) -> SameShape:
    return engine.xp.exp(x)


def _log(engine: Engine, value: SameShape) -> SameShape:
    return engine.xp.log(value)


def _expit(engine: Engine, x: SameShape) -> SameShape:
    return engine.special.expit(x)


def _logit(engine: Engine, value: SameShape) -> SameShape:
    return engine.special.logit(value)


def _expit_slope(engine: Engine, value: SameShape) -> SameShape:
    return value * (1.0 - value)


FREE = Transform("free", value=_same, coordinate=_same, slope=_one, bounds=(-100.0, 100.0))
POSITIVE = Transform("positive", value=_exp, coordinate=_log, slope=_same, bounds=(-7.0, 4.6))
PROBABILITY = Transform(
    "probability", value=_expit, coordinate=_logit, slope=_expit_slope, bounds=(-25.0, 25.0)
)
