"""What every exponential family gives.

log f(y | η) = Σ_k T_k(y) η_k − A(η) + h(y)
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from itemcurve.families.support import Support
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import SameShape


class Tail(NamedTuple):
    """Probability of a response beyond a bound, as a function of the natural parameters.

    Attributes
    ----------
    log_probability : its logarithm.
    slope : derivatives of the logarithm in η, K arrays; empty when not asked for.
    curvature : second derivatives, K × K arrays; empty when not asked for.
    """

    log_probability: SameShape
    slope: Sequence[SameShape] = ()
    curvature: Sequence[Sequence[SameShape]] = ()


class Family(Protocol):
    """A distribution of responses in natural parameters.

    `eta` is always a sequence of K arrays of one shape, one per natural parameter.
    """

    @property
    def name(self) -> str:
        """The family's name, as results show it."""

    @property
    def support(self) -> Support:
        """The range of responses, and shares of it."""

    @property
    def is_bounded(self) -> bool:
        """Whether there is a best response, as of scores; errors have no upper end."""

    def as_share(self, responses: SameShape) -> SameShape:
        """Responses as shares of their range, from 0 to 1; NaN where it has no upper end."""

    def from_share(self, shares: SameShape) -> SameShape:
        """Responses that are these shares of their range."""

    def is_end(self, responses: SameShape) -> SameShape:
        """Which responses lie at an end of the range."""

    def unbounded(self, means: SameShape) -> SameShape:
        """Mean responses on the real line, where abilities start."""

    @property
    def is_continuous(self) -> bool:
        """Whether responses have a density, which a response at a finite end does not."""

    @property
    def is_quasi(self) -> bool:
        """Whether only the mean of the responses is described, so that errors need a sandwich."""

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """The K sufficient statistics T_k as functions of an array of responses."""

    def log_base(self, values: SameShape) -> SameShape:
        """h(y), which no parameter enters."""

    def check(self, values: Array) -> None:
        """Raise `ResponsesError` unless every response lies in the support, ends included."""

    def log_partition(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """A(η)."""

    def mean_statistics(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[SameShape]:
        """E[T] = ∇A, K arrays."""

    def covariance(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[Sequence[SameShape]]:
        """Cov[T] = ∇²A, K × K arrays."""

    def mean(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """E[y], which is not E[T] in general."""

    def variance(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """Var[y], which is not Cov[T] in general."""

    def cumulative(self, eta: Sequence[SameShape], values: Array) -> Array:
        """P(response ≤ values)."""

    def quantile(self, eta: Sequence[SameShape], share: float) -> SameShape:
        """Give the smallest response that this share of responses does not exceed."""

    def tails(
        self, engine: Engine, eta: Sequence[SameShape], bounds: tuple[float, float], order: int
    ) -> Sequence[Tail]:
        """Probabilities at or beyond the bounds, for each finite end of the support, lower first.

        With `order` derivatives (0, 1 or 2). Empty for a family that is not continuous.
        """

    def sample(self, rng: np.random.Generator, eta: Sequence[SameShape]) -> SameShape:
        """Draw one response for each natural parameter."""


@runtime_checkable
class HasCovarianceImage(Protocol):
    """A family of many natural parameters, whose covariance is quickly multiplied by a vector."""

    def covariance_image(
        self, engine: Engine, eta: Sequence[SameShape], vector: Sequence[Array]
    ) -> Sequence[Array]:
        """Cov[T] × a vector, of arrays that η may be stretched to."""
