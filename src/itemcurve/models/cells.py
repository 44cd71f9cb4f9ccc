"""Responses as a likelihood takes them, and what it says of each by itself."""

from collections.abc import Callable
from typing import Annotated, NamedTuple, Protocol

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import Curve, RespondentsByItems, axes


class Observations(Protocol):
    """What a likelihood needs from responses: sums of a statistic over each cell's observations."""

    def accumulate(self, transform: Callable[[Array], Array]) -> RespondentsByItems:
        """Σ weight · transform(value) per cell."""

    def weight(self) -> RespondentsByItems | None:
        """Total weight per cell; None when every cell was observed exactly once."""


def integers_of(observations: Observations) -> Annotated[Array, axes("values")] | None:
    """All integers that responses may be; None where they are no integers, or it is not known.

    What is to be known of each of a billion answers, right or wrong, two of them tell.
    """
    look: Callable[[], tuple[int, int] | None] | None
    look = getattr(observations, "integer_range", None)
    between = None if look is None else look()
    return None if between is None else np.arange(between[0], between[1] + 1)


class Cells(NamedTuple):
    """Every response by itself, with its derivatives.

    Derivatives are taken in ability first, then in the item's free coordinates.

    Attributes
    ----------
    log_likelihood : of each cell, without the base measure.
    scores : its derivatives, one array per parameter.
    information : Fisher information, parameters × parameters.
    """

    log_likelihood: Curve
    scores: list[Curve]
    information: list[list[Curve]]
