"""What every exponential family gives.

log f(y | η) = Σ_k T_k(y) η_k − A(η) + h(y)
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from itemcurve.numerics.engine import Array, Engine


class Family(Protocol):
    """A distribution of responses in natural parameters.

    `eta` is always a sequence of K arrays of one shape, one per natural parameter.
    """

    @property
    def name(self) -> str:
        """The family's name, as results show it."""

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """The K sufficient statistics T_k as functions of an array of responses."""

    def check(self, values: Array) -> None:
        """Raise `ResponsesError` unless every response lies in the family's support."""

    def log_partition(self, engine: Engine, eta: Sequence[Array]) -> Array:
        """A(η)."""

    def mean_statistics(self, engine: Engine, eta: Sequence[Array]) -> Sequence[Array]:
        """E[T] = ∇A, K arrays."""

    def covariance(self, engine: Engine, eta: Sequence[Array]) -> Sequence[Sequence[Array]]:
        """Cov[T] = ∇²A, K × K arrays."""

    def mean(self, engine: Engine, eta: Sequence[Array]) -> Array:
        """E[y], which is not E[T] in general."""

    def sample(self, rng: np.random.Generator, eta: Sequence[Array]) -> Array:
        """Draw one response for each natural parameter."""
