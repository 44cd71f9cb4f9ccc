"""Linear systems with many small blocks that meet in one corner: an arrow pointing down.

    H = [ A_1            B_1 ]      A_n  small symmetric blocks (blocks × w × w)
        [      …         …   ]      B_n  their coupling to the corner (blocks × w × m)
        [           A_n  B_n ]      D    the corner (m × m)
        [ B_1ᵀ …    B_nᵀ  D  ]

Everything goes through the Schur complement S = D − Σ B_nᵀ A_n⁻¹ B_n, so that the cost grows with
the number of blocks, not with its cube.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from itemcurve.numerics.shapes import BlockCouplings, Blocks, BlockVectors, Corner, CornerVector
from itemcurve.numerics.symmetric_matrices import decompose


@dataclass(frozen=True, eq=False)
class ArrowheadSystem:
    """A symmetric matrix of this shape; the names are those of the module's formula."""

    blocks: Blocks
    cross: BlockCouplings
    corner: Corner

    def solve(
        self, at_blocks: BlockVectors, at_corner: CornerVector
    ) -> tuple[BlockVectors, CornerVector]:
        """Solve H x = right-hand side, given and answered by parts (blocks × w, m)."""
        right = at_corner - np.einsum("nwm,nw->m", self._ratio, at_blocks)
        corner = self._schur_inverse @ right
        inner = np.einsum("nvw,nw->nv", self._block_inverses, at_blocks)
        return inner - np.einsum("nwm,m->nw", self._ratio, corner), corner

    def inverse_blocks(self) -> Blocks:
        """Give the diagonal blocks of H⁻¹ (blocks × w × w)."""
        reached = self._ratio @ self._schur_inverse
        return self._block_inverses + reached @ self._ratio.transpose(0, 2, 1)

    def inverse_corner(self) -> Corner:
        """Corner of H⁻¹ (m × m)."""
        return self._schur_inverse

    def inverse_cross(self) -> BlockCouplings:
        """Coupling of blocks and corner in H⁻¹ (blocks × w × m)."""
        return -self._ratio @ self._schur_inverse

    def log_determinant(self) -> float:
        """Give log |H|; raises `numpy.linalg.LinAlgError` where H is not positive definite."""
        roots = np.linalg.cholesky(self.blocks), np.linalg.cholesky(self._schur)
        found = [np.log(np.diagonal(root, axis1=-2, axis2=-1)).sum() for root in roots]
        return 2.0 * float(sum(found))

    def downward(self) -> tuple[BlockVectors, CornerVector] | None:
        """Give a direction x with xᵀ H x < 0 (blocks × w, m); None where H is positive definite."""
        blocks, corner = np.zeros(self.cross.shape[:2]), np.zeros(len(self.corner))
        heights, ways = np.linalg.eigh(self.blocks)
        lowest = int(np.argmin(heights[:, 0]))
        if heights[lowest, 0] < 0:
            blocks[lowest] = ways[lowest, :, 0]
            return blocks, corner
        heights, ways = decompose(self._schur)
        if heights[0] >= 0:
            return None
        corner = ways[:, 0]
        return -(self._ratio @ corner), corner

    def sandwich(self, middle: "ArrowheadSystem") -> tuple[Blocks, Corner]:
        """Diagonal blocks and corner of H⁻¹ M H⁻¹, M another matrix of this shape."""
        ratio, inverse = self._ratio, self._schur_inverse
        size = middle.corner.shape[0]
        # E M Lᵀ and L M Lᵀ, where L = [−(A⁻¹B)ᵀ, 1] carries blocks over to the corner.
        carried = middle.cross - middle.blocks @ ratio
        flat = ratio.reshape(-1, size)
        inner = middle.corner - flat.T @ carried.reshape(-1, size)
        inner = inner - middle.cross.reshape(-1, size).T @ flat
        corner = inverse @ inner @ inverse
        own = self._block_inverses @ middle.blocks @ self._block_inverses
        mixed = self._block_inverses @ carried @ inverse @ ratio.transpose(0, 2, 1)
        shared = ratio @ corner @ ratio.transpose(0, 2, 1)
        return own - mixed - mixed.transpose(0, 2, 1) + shared, corner

    @cached_property
    def _block_inverses(self) -> Blocks:
        return np.linalg.inv(self.blocks)

    @cached_property
    def _ratio(self) -> BlockCouplings:
        """A⁻¹B (blocks × w × m)."""
        return self._block_inverses @ self.cross

    @cached_property
    def _schur(self) -> Corner:
        size = self.corner.shape[0]
        left, right = self.cross.reshape(-1, size), self._ratio.reshape(-1, size)
        return self.corner - left.T @ right

    @cached_property
    def _schur_inverse(self) -> Corner:
        return np.linalg.inv(self._schur)
