"""What a model says about one of its item parameters."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from itemcurve.models.priors import Prior
from itemcurve.models.transforms import Transform


class Role(Enum):
    """What a parameter does to an item's curve. Methods and analyses ask for it, never for a name.

    A slope says how fast the curve changes along an ability, and takes up the unit of ability. A
    location is where the item sits on the scale of ability, an intercept the same before it is
    divided by the slope; both take up the origin. A threshold is where one category gives way to
    the next. An asymptote is where the curve ends, a spread how far responses scatter around it. A
    part is no property of the curve: it says which of several models an item follows.
    """

    SLOPE = "slope"
    LOCATION = "location"
    INTERCEPT = "intercept"
    THRESHOLD = "threshold"
    ASYMPTOTE = "asymptote"
    SPREAD = "spread"
    PART = "part"


@dataclass(frozen=True)
class ParameterSpec:
    """One item parameter: its role, range, prior, and where and at what it is held.

    Attributes
    ----------
    name : for people.
    fixed : None when estimated; a number for all items; or a tuple with one entry per item, a
        number where the parameter is held and None where it is estimated.
    start : a sensible value to begin from.
    limits : narrower bounds of the unbounded coordinate than the transform's own.
    needs_few_nodes : whether a dozen nodes over the population of items integrate it well.
    dimension : the ability that a slope belongs to.
    excluded : values within its range at which it can never be held.
    is_prior_given : whether somebody chose the prior, so that it is to be taken as it is.
    is_common : whether it is one and the same for all items.
    """

    name: str
    role: Role
    transform: Transform
    prior: Prior | None = None
    fixed: float | tuple[float | None, ...] | None = None
    start: float = 0.0
    limits: tuple[float, float] | None = None
    needs_few_nodes: bool = True
    dimension: int = 0
    excluded: tuple[float, ...] = ()
    is_prior_given: bool = False
    is_common: bool = False

    @property
    def is_free(self) -> bool:
        """Whether the parameter is estimated, of some item at least."""
        return self.fixed is None or self.is_mixed

    @property
    def is_free_everywhere(self) -> bool:
        """Whether it is estimated of every item."""
        return self.fixed is None

    @property
    def is_mixed(self) -> bool:
        """Whether it is estimated of some items and held of others."""
        return isinstance(self.fixed, tuple) and None in self.fixed

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the unbounded coordinate is kept."""
        return self.limits or self.transform.bounds

    def held(self, n_items: int) -> NDArray[np.float64]:
        """The values at which it is held, NaN where it is estimated (items)."""
        if not isinstance(self.fixed, tuple):
            return np.full(n_items, np.nan if self.fixed is None else self.fixed, dtype=float)
        return np.array([np.nan if value is None else value for value in self.fixed], dtype=float)
