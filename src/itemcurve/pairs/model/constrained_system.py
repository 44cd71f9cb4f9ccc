"""A Newton step, and covariances, where some directions are held."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from itemcurve.numerics.arrowhead_systems import ArrowheadSystem
from itemcurve.pairs.votes.vote_data import Floats


@dataclass(frozen=True, eq=False)
class ConstrainedSystem:
    """Minus second derivatives A, and rows C whose product with any step is 0.

    With Y = A⁻¹Cᵀ a step is A⁻¹g − Y (CY)⁻¹ C A⁻¹g, and the covariance A⁻¹ − Y (CY)⁻¹ Yᵀ.
    """

    system: ArrowheadSystem
    constraints: Floats

    @property
    def _core(self) -> int:
        return len(self.system.corner)

    def solve(self, right: Floats) -> Floats:
        """Solve A x = right without regard to constraints."""
        blocks = right[self._core :].reshape(self.system.blocks.shape[:2])
        inner, corner = self.system.solve(blocks, right[: self._core])
        return np.concatenate([corner, inner.ravel()])

    def step(self, gradient: Floats) -> Floats:
        """Give the step that this gradient asks for."""
        free = self.solve(gradient)
        return free - self._reach @ (self._middle @ (self.constraints @ free))

    def core_covariance(self) -> Floats:
        """Of the parameters of the core."""
        reach = self._reach[: self._core]
        return self.system.inverse_corner() - reach @ self._middle @ reach.T

    def item_covariances(self) -> Floats:
        """Of the parameters of each item (items × parts × parts)."""
        shape = self.system.blocks.shape[:2]
        reach = self._reach[self._core :].reshape(*shape, len(self.constraints))
        held = np.einsum("nwc,cd,nvd->nwv", reach, self._middle, reach)
        return self.system.inverse_blocks() - held

    @cached_property
    def _reach(self) -> Floats:
        return np.stack([self.solve(row) for row in self.constraints], axis=1)

    @cached_property
    def _middle(self) -> Floats:
        return np.linalg.inv(self.constraints @ self._reach)
