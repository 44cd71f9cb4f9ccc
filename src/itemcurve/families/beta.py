"""Scores between 0 and 1: the Beta family."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from itemcurve.families.contract import Tail
from itemcurve.families.support import UNIT, Ranged, Support
from itemcurve.families.unit_interval import check_unit_interval
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.gamma_functions import digamma, log_beta, trigamma
from itemcurve.numerics.lower_tails import LogTail, log_beta_tail
from itemcurve.numerics.shapes import SameShape


def _log(values: Array) -> Array:
    return np.log(values, dtype=float)


def _log_rest(values: Array) -> Array:
    return np.log1p(-values, dtype=float)


@dataclass(frozen=True)
class Beta(Ranged):
    """y ∈ (0, 1); T = (log y, log(1−y)), η = (α, β), A = ln B(α, β).

    The base measure is h = −log y − log(1−y).
    """

    name: str = "beta"
    support: ClassVar[Support] = UNIT
    is_continuous: ClassVar[bool] = True
    is_quasi: ClassVar[bool] = False

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """T = (log y, log(1−y))."""
        return _log, _log_rest

    def log_base(self, values: SameShape) -> SameShape:
        """The base measure, h = −log y − log(1−y)."""
        return -_log(values) - _log_rest(values)

    def check(self, values: Array) -> None:
        """Refuse anything outside [0, 1]."""
        check_unit_interval(values)

    def log_partition(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """A = ln B(α, β)."""
        return log_beta(engine, eta[0], eta[1])

    def mean_statistics(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[SameShape]:
        """E[T] = (ψ(α) − ψ(α+β), ψ(β) − ψ(α+β))."""
        joint = digamma(engine, eta[0] + eta[1])
        return digamma(engine, eta[0]) - joint, digamma(engine, eta[1]) - joint

    def covariance(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[Sequence[SameShape]]:
        """Cov[T] = diag(ψ′(α), ψ′(β)) − ψ′(α+β)."""
        first, second, joint = (trigamma(engine, v) for v in (eta[0], eta[1], eta[0] + eta[1]))
        return (first - joint, -joint), (-joint, second - joint)

    def mean(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """E[y] = α/(α+β)."""
        return eta[0] / (eta[0] + eta[1])

    def variance(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """Var[y] = m (1 − m)/(α + β + 1), m the mean."""
        mean = self.mean(engine, eta)
        return mean * (1 - mean) / (eta[0] + eta[1] + 1)

    def cumulative(self, eta: Sequence[SameShape], values: Array) -> Array:
        """Regularised incomplete Beta function."""
        from scipy.special import betainc

        return betainc(eta[0], eta[1], values)

    def quantile(self, eta: Sequence[SameShape], share: float) -> SameShape:
        """Its inverse."""
        from scipy.special import betaincinv

        return betaincinv(eta[0], eta[1], share)

    def tails(
        self, engine: Engine, eta: Sequence[SameShape], bounds: tuple[float, float], order: int
    ) -> Sequence[Tail]:
        """P(y ≤ lower), and P(y ≥ upper) as the lower tail of 1 − y."""
        lower = log_beta_tail(engine, eta[0], eta[1], bounds[0], order)
        upper = log_beta_tail(engine, eta[1], eta[0], 1.0 - bounds[1], order)
        return _tail(lower), _turned(_tail(upper))

    def sample(self, rng: np.random.Generator, eta: Sequence[SameShape]) -> SameShape:
        """Draw scores; those too close to an end for a 64-bit number are that end."""
        return rng.beta(eta[0], eta[1])


def _tail(tail: LogTail) -> Tail:
    if not tail.curvature:
        return Tail(tail.value, tail.slope)
    own, mixed, other = tail.curvature
    return Tail(tail.value, tail.slope, ((own, mixed), (mixed, other)))


def _turned(tail: Tail) -> Tail:
    """Exchange the two natural parameters."""
    curvature = [row[::-1] for row in tail.curvature[::-1]]
    return Tail(tail.log_probability, tail.slope[::-1], curvature)
