"""Errors from 0 upwards of which only the mean is described: the Poisson quasi-likelihood."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.families.contract import Tail
from itemcurve.families.support import FROM_ZERO, Ranged, Support
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import SameShape

# Beyond e^±30 a mean is 0 or infinite beside any other.
_FURTHEST = 30.0


def _response(values: Array) -> Array:
    return values


@dataclass(frozen=True)
class QuasiPoisson(Ranged):
    """y ≥ 0, the end included; T = y, η = log μ, A = e^η.

    log f = y log μ − μ is highest at the right mean whatever the distribution around it (Gourieroux
    et al. 1984), so errors need not be counts. Its curvature is not the inverse of a variance:
    standard errors are those of the sandwich.
    """

    name: str = "quasi-poisson"
    support: ClassVar[Support] = FROM_ZERO
    is_continuous: ClassVar[bool] = False
    is_quasi: ClassVar[bool] = True

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """T = y."""
        return (_response,)

    def log_base(self, values: SameShape) -> SameShape:
        """Zero: a quasi-likelihood has no base measure."""
        return np.zeros(values.shape)

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
        """A = e^η."""
        return engine.xp.exp(engine.xp.clip(eta[0], -_FURTHEST, _FURTHEST))

    def mean_statistics(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[SameShape]:
        """E[T] = e^η."""
        return (self.log_partition(engine, eta),)

    def covariance(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[Sequence[SameShape]]:
        """Cov[T] = e^η."""
        return ((self.log_partition(engine, eta),),)

    def mean(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """E[y] = e^η."""
        return self.log_partition(engine, eta)

    def variance(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """Var[y] = e^η, were errors counts."""
        return self.log_partition(engine, eta)

    def cumulative(self, eta: Sequence[SameShape], values: Array) -> Array:
        """P(error ≤ values), were errors exponential: one distribution with that mean."""
        return -np.expm1(-np.maximum(values, 0.0) * np.exp(-eta[0]))

    def quantile(self, eta: Sequence[SameShape], share: float) -> SameShape:
        """Its inverse."""
        return -np.log1p(-share) * np.exp(eta[0])

    def tails(
        self, engine: Engine, eta: Sequence[SameShape], bounds: tuple[float, float], order: int
    ) -> Sequence[Tail]:
        """None: the end is an ordinary response."""
        return ()

    def sample(self, rng: np.random.Generator, eta: Sequence[SameShape]) -> SameShape:
        """Draw exponential errors: one of the distributions with that mean."""
        return rng.exponential(np.exp(eta[0]))
