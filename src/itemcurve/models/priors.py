"""Prior distributions of item parameters, in the metric in which people state them.

A prior sees the parameter's unbounded coordinate `x` (the value itself, its logarithm or its
logit). `log_density` is the density in the stated metric, which is what a posterior mode adds to
the log-likelihood; `log_measure` is the density in `x`, which is what an integral over `x` needs.
They differ for `Beta` only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, lgamma, log, pi
from typing import Any, Protocol, overload

from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.shapes import SameShape


class Prior(Protocol):
    """A log density with its first two derivatives in the unbounded coordinate."""

    def log_density(self, engine: Engine, x: SameShape) -> SameShape:
        """Log density in the stated metric."""

    def slope(self, engine: Engine, x: SameShape) -> SameShape:
        """Its derivative in x."""

    def curvature(self, engine: Engine, x: SameShape) -> SameShape:
        """Its second derivative in x."""

    def log_measure(self, engine: Engine, x: SameShape) -> SameShape:
        """Log density of x itself."""


@dataclass(frozen=True)
class Normal:
    """The unbounded coordinate is normal: of a free parameter, that is the parameter itself."""

    mean: float
    sd: float

    def __post_init__(self) -> None:
        """Refuse what is no distribution."""
        if not (isfinite(self.mean) and isfinite(self.sd) and self.sd > 0):
            raise ModelError(
                f"{type(self).__name__} needs a finite mean and a standard deviation above 0.",
                f"Got mean={self.mean}, sd={self.sd}.",
                "Use None for no prior.",
            )

    def log_density(self, engine: Engine, x: SameShape) -> SameShape:
        """−½((x − mean)/sd)² − log(sd √2π)."""
        height = -0.5 * ((x - self.mean) / self.sd) ** 2
        return height - _log(engine, self.sd) - 0.5 * log(2 * pi)

    def slope(self, engine: Engine, x: SameShape) -> SameShape:
        """−(x − mean)/sd²."""
        return (self.mean - x) / self.sd**2

    def curvature(self, engine: Engine, x: SameShape) -> SameShape:
        """−1/sd²."""
        return engine.xp.full_like(x, -1.0 / self.sd**2)

    def log_measure(self, engine: Engine, x: SameShape) -> SameShape:
        """Equal to the stated density."""
        return self.log_density(engine, x)


@dataclass(frozen=True)
class LogNormal(Normal):
    """The logarithm of a positive parameter is normal; the density is that of the logarithm."""


@dataclass(frozen=True)
class LogitNormal(Normal):
    """The logit of a probability is normal; the density is that of the logit."""


@dataclass(frozen=True)
class Beta:
    """A probability v = σ(x) follows Beta(alpha, beta); the density is that of v."""

    alpha: float
    beta: float

    def __post_init__(self) -> None:
        """Refuse what is no distribution."""
        if not (0 < self.alpha < inf and 0 < self.beta < inf):
            raise ModelError(
                "Beta needs two finite parameters above 0.",
                f"Got alpha={self.alpha}, beta={self.beta}.",
                "Use None for no prior.",
            )

    def log_density(self, engine: Engine, x: SameShape) -> SameShape:
        """(α−1) log v + (β−1) log(1−v) − log B(α, β)."""
        return _log_beta_kernel(engine, x, self.alpha - 1, self.beta - 1) - self._norm(engine)

    def slope(self, engine: Engine, x: SameShape) -> SameShape:
        """(α−1) − (α+β−2) v."""
        return (self.alpha - 1) - (self.alpha + self.beta - 2) * engine.special.expit(x)

    def curvature(self, engine: Engine, x: SameShape) -> SameShape:
        """−(α+β−2) v (1−v)."""
        value = engine.special.expit(x)
        return -(self.alpha + self.beta - 2) * value * (1 - value)

    def log_measure(self, engine: Engine, x: SameShape) -> SameShape:
        """Density of x = logit v: one more factor v (1−v)."""
        return _log_beta_kernel(engine, x, self.alpha, self.beta) - self._norm(engine)

    def _norm(self, engine: Engine) -> float:
        """Log B(α, β)."""
        total = _log_gamma(engine, self.alpha + self.beta)
        return _log_gamma(engine, self.alpha) + _log_gamma(engine, self.beta) - total


@dataclass(frozen=True)
class LogitBeta(Beta):
    """A probability v = σ(x) follows Beta(alpha, beta); the density is that of the logit x.

    With it a posterior mode is taken on the logit scale, where Beta(1, 1) is the logistic density
    and keeps estimates off the ends.
    """

    def log_density(self, engine: Engine, x: SameShape) -> SameShape:
        """Equal to the density of x: α log v + β log(1−v) − log B(α, β)."""
        return self.log_measure(engine, x)

    def slope(self, engine: Engine, x: SameShape) -> SameShape:
        """α − (α+β) v."""
        return self.alpha - (self.alpha + self.beta) * engine.special.expit(x)

    def curvature(self, engine: Engine, x: SameShape) -> SameShape:
        """−(α+β) v (1−v)."""
        value = engine.special.expit(x)
        return -(self.alpha + self.beta) * value * (1 - value)


@overload
def on_coordinate(prior: Prior) -> Prior: ...


@overload
def on_coordinate(prior: None) -> None: ...


def on_coordinate(prior: Prior | None) -> Prior | None:
    """Give the prior whose stated density is that of the unbounded coordinate."""
    return LogitBeta(prior.alpha, prior.beta) if type(prior) is Beta else prior


Kind = type | Prior | None
"""A prior without its numbers."""


def split_prior(prior: Prior | None) -> tuple[Kind, tuple[Any, ...]]:
    """Which distribution a prior is, and the numbers that compiled code takes as arrays.

    A search with other numbers is then no other program. A prior of another kind than those here
    is given whole, without numbers.
    """
    if not isinstance(prior, Normal | Beta):
        return prior, ()
    return type(prior), tuple(getattr(prior, name) for name in _names(type(prior)))


def join_prior(kind: Kind, numbers: Sequence[Any]) -> Any:
    """The prior of this kind with these numbers, which are not looked at."""
    if not isinstance(kind, type):
        return kind
    found: Any = object.__new__(kind)
    # Its own dictionary: it is asked for some thousand times by the fit of a small table.
    found.__dict__.update(zip(_names(kind), numbers, strict=True))
    return found


def _names(kind: Any) -> Iterable[str]:
    # What `dataclasses.fields` looks through anew each time.
    names: Iterable[str] = kind.__dataclass_fields__
    return names


def _log(engine: Engine, number: float) -> float:
    """The logarithm of a number, or of arrays of them."""
    return log(number) if isinstance(number, float | int) else engine.xp.log(number)


def _log_gamma(engine: Engine, number: float) -> float:
    return lgamma(number) if isinstance(number, float | int) else engine.special.gammaln(number)


def _log_beta_kernel(engine: Engine, x: SameShape, left: float, right: float) -> SameShape:
    log_value = -engine.xp.logaddexp(0.0, -x)
    return left * log_value + right * (log_value - x)
