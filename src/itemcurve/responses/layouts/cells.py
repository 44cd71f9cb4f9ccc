"""What a layout of observed responses offers, whichever way it stores them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Transform = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Entries:
    """One entry per observation: where, what, and with what weight (None: 1 each)."""

    rows: NDArray[np.integer]
    columns: NDArray[np.integer]
    values: NDArray[Any]
    weights: NDArray[np.float64] | None


class ResponseCells(Protocol):
    """What `Responses` asks of a layout."""

    @property
    def shape(self) -> tuple[int, int]:
        """Respondents × items."""

    def accumulate(self, transform: Transform) -> "NDArray[Any] | csr_array":
        """Sum weight · transform(value) over the observations of each cell."""

    def weight(self) -> "NDArray[Any] | csr_array | None":
        """Sum the weights of each cell; None when each is 1."""

    def observed_values(self) -> NDArray[Any]:
        """List the values of all observations."""

    def counts(self, axis: int) -> NDArray[np.int64]:
        """Count the observed cells along an axis."""

    def totals(self, axis: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum weight · value and weight along an axis."""

    def array(self) -> NDArray[np.float64]:
        """Give respondents × items, the weighted mean of each cell, NaN where not observed."""

    def entries(self) -> Entries:
        """List the observations, row by row."""

    def take(self, rows: Sequence[int] | None, columns: Sequence[int] | None) -> "ResponseCells":
        """Keep these rows and columns, in this order; None keeps all."""

    def part(self, rng: np.random.Generator, share: float) -> "tuple[ResponseCells, ResponseCells]":
        """Part the observed cells at random; the second part holds this share of them."""


def share_count(total: int, share: float) -> int:
    """Say how many of total cells a share is, leaving at least one on either side."""
    return min(max(round(share * total), 1), total - 1)
