"""Coordinates that are one and the same for all entities: thresholds of a rating scale.

Every entity carries its copy of them, so that curves need to know nothing of it. What is found of
the copies is added up, and they move together.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityMatrices,
    Estimated,
    EstimatedMatrix,
    axes,
)
from itemcurve.numerics.small_systems import solve_small

Once = Annotated[Array, axes("once")]
"""Every parameter once, however many copies there are."""
OnceMatrix = Annotated[Array, axes("once once")]


@dataclass(frozen=True, eq=False)
class SharedCoordinates:
    """Which of all estimated numbers are copies of one another.

    Attributes
    ----------
    columns : coordinates that all entities share.
    free : which coordinates are estimated (entities × coordinates).
    n_state : how many numbers describe the population, which follow those of the entities.
    """

    columns: tuple[int, ...]
    free: EntityCoordinates
    n_state: int

    @cached_property
    def _owner(self) -> Array:
        """The place of the number that each is a copy of: itself, of most."""
        owner = np.arange(self.free.size + self.n_state)
        places = np.arange(self.free.size).reshape(self.free.shape)
        for column in self.columns:
            own = places[self.free[:, column], column]
            owner[own] = own[0] if own.size else owner[own]
        return owner

    @property
    def n_copies(self) -> int:
        """How many numbers are no parameters of their own."""
        return int((self._owner != np.arange(len(self._owner))).sum())

    @cached_property
    def _kept(self) -> tuple[Array, Array]:
        """Places of the parameters, and the parameter that each place belongs to."""
        kept, index = np.unique(self._owner, return_inverse=True)
        return kept, index

    def chosen(self, vector: Estimated) -> Once:
        """One entry for each parameter, where copies agree."""
        return vector[self._kept[0]] if self.columns else vector

    def added(self, vector: Estimated) -> Once:
        """One entry for each parameter: sums over its copies."""
        if not self.columns:
            return vector
        kept, index = self._kept
        return np.bincount(index, weights=vector, minlength=len(kept))

    def added_matrix(self, matrix: EstimatedMatrix) -> OnceMatrix:
        """The same of both sides of a matrix."""
        if not self.columns:
            return matrix
        order = np.argsort(self._kept[1], kind="stable")
        starts = np.searchsorted(self._kept[1][order], np.arange(len(self._kept[0])))
        once = np.add.reduceat(matrix[np.ix_(order, order)], starts, axis=0)
        return np.add.reduceat(once, starts, axis=1)

    def copied(self, vector: Once) -> Estimated:
        """Each parameter at all of its places."""
        return vector[self._kept[1]] if self.columns else vector

    def copied_matrix(self, matrix: OnceMatrix) -> EstimatedMatrix:
        """The same of both sides of a matrix."""
        index = self._kept[1]
        return matrix[np.ix_(index, index)] if self.columns else matrix


def joint_direction(
    engine: Engine,
    gradient: EntityCoordinates,
    information: EntityMatrices,
    columns: tuple[int, ...],
) -> EntityCoordinates:
    """A scoring step of all entities with some coordinates in common.

    Each entity's own coordinates are eliminated first: what is left is a small system of the
    common ones.
    """
    xp, width = engine.xp, gradient.shape[1]
    own = [column for column in range(width) if column not in columns]
    shared = list(columns)
    corner = information[:, shared][:, :, shared].sum(axis=0)
    total = gradient[:, shared].sum(axis=0)
    first, image = gradient[:, own], xp.zeros((len(gradient), 0, len(shared)))
    if own:
        blocks = information[:, own][:, :, own] + 1e-8 * xp.eye(len(own))
        coupling = information[:, own][:, :, shared]
        first = solve_small(blocks, gradient[:, own], engine)
        turned = [solve_small(blocks, coupling[:, :, k], engine) for k in range(len(shared))]
        image = xp.stack(turned, axis=2)
        corner = corner - xp.einsum("ias,iat->st", coupling, image)
        total = total - xp.einsum("ias,ia->s", coupling, first)
    ridge = 1e-8 * xp.maximum(xp.abs(corner).max(), 1.0)
    step = xp.linalg.solve(corner + ridge * xp.eye(len(shared)), total)
    rest = first - image @ step
    columns_of = {column: rest[:, place] for place, column in enumerate(own)}
    one = xp.ones(gradient.shape[0])
    columns_of |= {column: step[place] * one for place, column in enumerate(shared)}
    return xp.stack([columns_of[column] for column in range(width)], axis=1)
