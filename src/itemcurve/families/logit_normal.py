"""Scores between 0 and 1 whose logit is normal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log, pi
from typing import ClassVar

import numpy as np

from itemcurve.families.contract import Tail
from itemcurve.families.support import UNIT, Ranged, Support
from itemcurve.families.unit_interval import check_unit_interval
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.hermite import gauss_hermite
from itemcurve.numerics.shapes import SameShape

# Enough for E[y] to 1e-6 up to a standard deviation of 4 on the logit scale.
_HERMITE_POINTS = 61

_LEAST_VARIANCE = 1e-18


def _logit(values: Array) -> Array:
    return np.log(values, dtype=float) - np.log1p(-values, dtype=float)


def _squared_logit(values: Array) -> Array:
    return _logit(values) ** 2


@dataclass(frozen=True)
class LogitNormal(Ranged):
    """y ∈ (0, 1), z = logit y ~ N(μ, s²); T = (z, z²), η = (μ/s², −1/(2s²)).

    A = μ²/(2s²) + ln s, and the base measure is h = −½ ln 2π − log y − log(1−y).
    """

    name: str = "logit-normal"
    support: ClassVar[Support] = UNIT
    is_continuous: ClassVar[bool] = True
    is_quasi: ClassVar[bool] = False

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """T = (z, z²)."""
        return _logit, _squared_logit

    def log_base(self, values: SameShape) -> SameShape:
        """The base measure, h = −½ ln 2π − log y − log(1−y)."""
        return -np.log(values, dtype=float) - np.log1p(-values, dtype=float) - log(2 * pi) / 2

    def check(self, values: Array) -> None:
        """Refuse anything outside [0, 1]."""
        check_unit_interval(values)

    def log_partition(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """A = −η₁²/(4η₂) − ½ ln(−2η₂)."""
        return -(eta[0] ** 2) / (4 * eta[1]) - engine.xp.log(-2 * eta[1]) / 2

    def mean_statistics(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[SameShape]:
        """E[T] = (μ, μ² + s²)."""
        centre, variance = _moments(eta)
        return centre, centre**2 + variance

    def covariance(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[Sequence[SameShape]]:
        """Cov[T] = [[s², 2μs²], [2μs², 2s⁴ + 4μ²s²]]."""
        centre, variance = _moments(eta)
        mixed = 2 * centre * variance
        return (variance, mixed), (mixed, 2 * variance**2 + 4 * centre**2 * variance)

    def mean(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """E[y] = ∫ σ(z) φ(z | μ, s²) dz, by Gauss-Hermite quadrature."""
        return _expected(engine, eta, 1)

    def variance(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """Var[y] = E[σ(z)²] − E[y]², by the same quadrature; rounding must not make it negative."""
        found = _expected(engine, eta, 2) - self.mean(engine, eta) ** 2
        return engine.xp.maximum(found, _LEAST_VARIANCE)

    def cumulative(self, eta: Sequence[SameShape], values: Array) -> Array:
        """Φ((logit y − μ)/s)."""
        from scipy.special import logit, ndtr

        centre, variance = _moments(eta)
        return ndtr((logit(values) - centre) / np.sqrt(variance))

    def quantile(self, eta: Sequence[SameShape], share: float) -> SameShape:
        """σ(μ + s Φ⁻¹(share))."""
        from scipy.special import expit, ndtri

        centre, variance = _moments(eta)
        return expit(centre + np.sqrt(variance) * ndtri(share))

    def tails(
        self, engine: Engine, eta: Sequence[SameShape], bounds: tuple[float, float], order: int
    ) -> Sequence[Tail]:
        """Φ(u) and Φ(−u) with u = (logit bound − μ)/s."""
        lower, upper = (log(bound / (1 - bound)) for bound in bounds)
        return _tail(engine, eta, lower, 1.0), _tail(engine, eta, upper, -1.0)

    def sample(self, rng: np.random.Generator, eta: Sequence[SameShape]) -> SameShape:
        """Draw scores."""
        from scipy.special import expit

        centre, variance = _moments(eta)
        return expit(rng.normal(centre, np.sqrt(variance)))


def _moments(eta: Sequence[SameShape]) -> tuple[SameShape, SameShape]:
    """μ and s²."""
    variance = -0.5 / eta[1]
    return eta[0] * variance, variance


def _expected(engine: Engine, eta: Sequence[SameShape], power: int) -> SameShape:
    """E[y^power]."""
    centre, variance = _moments(eta)
    spread = engine.xp.sqrt(variance)
    total = engine.xp.zeros_like(centre)
    for node, log_weight in zip(*gauss_hermite(_HERMITE_POINTS), strict=True):
        weight = exp(log_weight - node**2 / 2) / (2 * pi) ** 0.5
        total = total + weight * engine.special.expit(centre + spread * node) ** power
    return total


def _tail(engine: Engine, eta: Sequence[SameShape], bound: float, sign: float) -> Tail:
    """Give log Φ(±u); with p = 1/s² = −2η₂, u = bound·√p − η₁/√p."""
    xp = engine.xp
    p = -2 * eta[1]
    root = xp.sqrt(p)
    u = sign * (bound * root - eta[0] / root)
    value = engine.special.log_ndtr(u)
    mills = xp.exp(-(u**2) / 2 - log(2 * pi) / 2 - value)
    bend = -mills * (u + mills)
    # First and second derivatives of u in η₁ and η₂ (dp = −2 dη₂).
    first = -sign / root
    second = -sign * (bound / root + eta[0] / (p * root))
    mixed = -sign / (p * root)
    last = -sign * (bound / (p * root) + 3 * eta[0] / (p**2 * root))
    cross = bend * first * second + mills * mixed
    return Tail(
        value,
        (mills * first, mills * second),
        ((bend * first**2, cross), (cross, bend * second**2 + mills * last)),
    )
