"""Responses as a likelihood takes them, and what it says of each by itself."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from itemcurve.numerics.engine import Array


class Observations(Protocol):
    """What a likelihood needs from responses: sums of a statistic over each cell's observations."""

    def accumulate(self, transform: Callable[[Array], Array]) -> Array:
        """Σ weight · transform(value) per cell (respondents × items)."""

    def weight(self) -> Array | None:
        """Total weight per cell; None when every cell was observed exactly once."""


class Cells(NamedTuple):
    """Every response by itself (items × abilities each), with its derivatives.

    Derivatives are taken in ability first, then in the item's free coordinates.

    Attributes
    ----------
    log_likelihood : of each cell, without the base measure.
    scores : its derivatives, one array per parameter.
    information : Fisher information, parameters × parameters.
    """

    log_likelihood: Array
    scores: list[Array]
    information: list[list[Array]]
