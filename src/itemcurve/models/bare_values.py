"""Values without names or places, where a likelihood wants observations."""

from collections.abc import Callable

import numpy as np

from itemcurve.numerics.engine import Array


class BareValues:
    """Bare values as observations."""

    def __init__(self, values: Array) -> None:
        self._values = values

    def accumulate(self, transform: Callable[[Array], Array]) -> Array:
        """Give a function of the values."""
        return transform(self._values)

    def weight(self) -> Array:
        """One each."""
        return np.ones(self._values.shape, dtype=np.int8)
