"""The information about abilities and items together, as an arrow, and what follows from it."""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.posterior_mode.log_posterior import Slopes
from itemcurve.numerics.arrowhead_systems import ArrowheadSystem
from itemcurve.numerics.shapes import (
    Blocks,
    Corner,
    Directions,
    ItemCoordinates,
    ItemCouplings,
    ItemMatrices,
    PerRespondent,
)


@dataclass(frozen=True, eq=False)
class Arrow:
    """An information matrix as an arrow whose corner is the smaller side of the data.

    Attributes
    ----------
    abilities_last : whether the corner holds the abilities; else it holds the items.
    extra : number of multipliers of constraints at the end of the corner.
    """

    system: ArrowheadSystem
    abilities_last: bool
    shape: tuple[int, int]
    extra: int = 0

    def solve(
        self, item_slope: ItemCoordinates, ability_slope: PerRespondent
    ) -> tuple[ItemCoordinates, PerRespondent]:
        """Solve for a step of items and abilities."""
        if self.abilities_last:
            return self.system.solve(item_slope, ability_slope)
        padded = np.concatenate([item_slope.ravel(), np.zeros(self.extra)])
        abilities, items = self.system.solve(ability_slope[:, None], padded)
        return items[: item_slope.size].reshape(self.shape), abilities[:, 0]

    def covariance(self) -> tuple[ItemMatrices, PerRespondent]:
        """Inverse: each item's block (items × free × free) and each ability's variance."""
        return self._by_item(self.system.inverse_blocks(), self.system.inverse_corner())

    def cross_covariance(self) -> ItemCouplings:
        """Of each item's coordinates with each ability (items × free × respondents)."""
        found = self.system.inverse_cross()
        if self.abilities_last:
            return found
        size = self.shape[0] * self.shape[1]
        return found[:, 0, :size].T.reshape(*self.shape, -1)

    def log_determinant(self) -> float:
        """Of the information; raises where it is not positive definite."""
        return self.system.log_determinant()

    def is_definite(self) -> bool:
        """Whether the information is positive definite."""
        try:
            self.system.log_determinant()
        except np.linalg.LinAlgError:
            return False
        return True

    def upward(self) -> tuple[ItemCoordinates, PerRespondent] | None:
        """Give a direction along which the objective bends upwards; None where there is none."""
        way = None if self.is_definite() else self.system.downward()
        if way is None or self.abilities_last:
            return way
        abilities, items = way
        return items[: self.shape[0] * self.shape[1]].reshape(self.shape), abilities[:, 0]

    def sandwich(self, squares: Slopes) -> tuple[ItemMatrices, PerRespondent]:
        """H⁻¹ M H⁻¹, M the sum of squared scores: right whatever the spread of the responses."""
        middle = as_arrow(squares, damping=0.0).system
        if self.extra:
            middle = ArrowheadSystem(
                middle.blocks,
                np.pad(middle.cross, ((0, 0), (0, 0), (0, self.extra))),
                np.pad(middle.corner, ((0, self.extra), (0, self.extra))),
            )
        return self._by_item(*self.system.sandwich(middle))

    def _by_item(self, blocks: Blocks, corner: Corner) -> tuple[ItemMatrices, PerRespondent]:
        if self.abilities_last:
            return blocks, np.diagonal(corner)
        items, width = self.shape
        size = items * width
        view = corner[:size, :size].reshape(items, width, items, width)
        index = np.arange(items)
        return view[index, :, index, :], blocks[:, 0, 0]


def as_arrow(
    slopes: Slopes,
    damping: float,
    constraints: Directions | None = None,
    scale: Slopes | None = None,
) -> Arrow:
    """Arrange an information matrix, its diagonal raised by a share `damping` of the expected one.

    Parameters
    ----------
    constraints : directions of the abilities that are held (respondents × directions).
    scale : where to find the expected information; in the matrix itself when left out.
    """
    scale = slopes if scale is None else scale
    items, width = slopes.item_slope.shape
    matrix = slopes.item_matrix.copy()
    diagonal = np.arange(width)
    # A whisper of ridge, so that what has no information stays where it is.
    unit = np.maximum(scale.item_matrix[:, diagonal, diagonal], 1e-3)
    matrix[:, diagonal, diagonal] += (damping + 1e-9) * unit
    unit = np.maximum(scale.ability_matrix, 1e-3)
    abilities = slopes.ability_matrix + (damping + 1e-9) * unit
    stiff = 1e4 * float(np.mean(scale.ability_matrix)) + 1.0
    shape = items, width
    if len(abilities) <= items * width:
        corner = np.diag(abilities)
        if constraints is not None:
            corner = corner + stiff * constraints @ constraints.T
        return Arrow(ArrowheadSystem(matrix, slopes.cross, corner), True, shape)
    size = items * width
    extra = 0 if constraints is None else constraints.shape[1]
    corner = np.zeros((size + extra, size + extra))
    view = corner[:size, :size].reshape(items, width, items, width)
    index = np.arange(items)
    view[index, :, index, :] = matrix
    cross = slopes.cross.reshape(size, -1).T
    if constraints is not None:
        # A held direction is one more unknown, the multiplier, with a tiny negative curvature.
        corner[np.arange(size, size + extra), np.arange(size, size + extra)] = -1.0 / stiff
        cross = np.concatenate([cross, constraints], axis=1)
    blocks = abilities[:, None, None]
    return Arrow(ArrowheadSystem(blocks, cross[:, None, :], corner), False, shape, extra)
