"""Errors from 0 upwards: the Gamma family."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.families.contract import Tail
from itemcurve.families.support import FROM_ZERO, Ranged, Support
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.gamma_functions import digamma, log_gamma, trigamma
from itemcurve.numerics.lower_tails import log_gamma_tail
from itemcurve.numerics.shapes import SameShape


def _log(values: Array) -> Array:
    return np.log(values, dtype=float)


def _response(values: Array) -> Array:
    return values


@dataclass(frozen=True)
class Gamma(Ranged):
    """y ∈ (0, ∞); T = (log y, y), η = (α, −β), A = ln Γ(α) − α ln β, β the rate.

    The base measure is h = −log y.
    """

    name: str = "gamma"
    support: ClassVar[Support] = FROM_ZERO
    is_continuous: ClassVar[bool] = True
    is_quasi: ClassVar[bool] = False

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """T = (log y, y)."""
        return _log, _response

    def log_base(self, values: SameShape) -> SameShape:
        """The base measure, h = −log y."""
        return -_log(values)

    def check(self, values: Array) -> None:
        """Refuse anything below 0 or infinite."""
        wrong = values[~((values >= 0) & (values < np.inf))]
        if wrong.size:
            raise ResponsesError(
                "Models of errors need responses that are 0 or more, and finite.",
                f"Found {wrong.size:,} others, the first is {wrong[0]:g}.",
                "Take absolute errors.",
            )

    def log_partition(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """A = ln Γ(α) − α ln β."""
        return log_gamma(engine, eta[0]) - eta[0] * engine.xp.log(-eta[1])

    def mean_statistics(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[SameShape]:
        """E[T] = (ψ(α) − ln β, α/β)."""
        shape, rate = eta[0], -eta[1]
        return digamma(engine, shape) - engine.xp.log(rate), shape / rate

    def covariance(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[Sequence[SameShape]]:
        """Cov[T] = [[ψ′(α), 1/β], [1/β, α/β²]]."""
        shape, rate = eta[0], -eta[1]
        return (trigamma(engine, shape), 1.0 / rate), (1.0 / rate, shape / rate**2)

    def mean(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """E[y] = α/β."""
        return -eta[0] / eta[1]

    def variance(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """Var[y] = α/β²."""
        return eta[0] / eta[1] ** 2

    def cumulative(self, eta: Sequence[SameShape], values: Array) -> Array:
        """Regularised incomplete Gamma function."""
        from scipy.special import gammainc

        return gammainc(eta[0], -eta[1] * values)

    def quantile(self, eta: Sequence[SameShape], share: float) -> SameShape:
        """Its inverse, divided by the rate."""
        from scipy.special import gammaincinv

        return -gammaincinv(eta[0], share) / eta[1]

    def tails(
        self, engine: Engine, eta: Sequence[SameShape], bounds: tuple[float, float], order: int
    ) -> Sequence[Tail]:
        """P(y ≤ lower); there is no upper end."""
        # The rate enters as x = β · bound = −η₂ · bound.
        chain = -bounds[0]
        tail = log_gamma_tail(engine, eta[0], eta[1] * chain, order)
        if order == 0:
            return (Tail(tail.value),)
        slope = (tail.slope[0], tail.slope[1] * chain)
        if order == 1:
            return (Tail(tail.value, slope),)
        own, mixed, other = tail.curvature
        curvature = ((own, mixed * chain), (mixed * chain, other * chain**2))
        return (Tail(tail.value, slope, curvature),)

    def sample(self, rng: np.random.Generator, eta: Sequence[SameShape]) -> SameShape:
        """Draw errors."""
        return rng.gamma(eta[0], -1.0 / eta[1])
