"""Numbers that are one and the same: an item's slope in two groups, thresholds of all items."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import Estimated, EstimatedMatrix


@dataclass(frozen=True, eq=False)
class Ties:
    """Which of all estimated numbers are copies of one another.

    Attributes
    ----------
    owner : the place of the number that each is a copy of: itself, of most.
    """

    owner: Array

    @cached_property
    def _kept(self) -> tuple[Array, Array]:
        kept, index = np.unique(self.owner, return_inverse=True)
        return kept, index

    @property
    def size(self) -> int:
        """How many different numbers there are."""
        return len(self._kept[0])

    def chosen(self, vector: Estimated) -> Array:
        """One entry for each number, where copies agree."""
        return vector[self._kept[0]]

    def added(self, vector: Estimated) -> Array:
        """One entry for each number: sums over its copies."""
        return np.bincount(self._kept[1], weights=vector, minlength=self.size)

    def added_matrix(self, matrix: EstimatedMatrix) -> Array:
        """The same of both sides of a matrix."""
        once = np.zeros((self.size, matrix.shape[1]))
        np.add.at(once, self._kept[1], matrix)
        both = np.zeros((self.size, self.size))
        np.add.at(both, self._kept[1], once.T)
        return both.T

    def copied(self, vector: Array) -> Estimated:
        """Each number at all of its places."""
        return vector[self._kept[1]]

    def copied_matrix(self, matrix: Array) -> EstimatedMatrix:
        """The same of both sides of a matrix."""
        index = self._kept[1]
        return matrix[np.ix_(index, index)]
