"""The item that best tells the estimated ability from its neighbours."""

from dataclasses import dataclass

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array

# Exact for divergences up to the seventh power of the distance, and they begin with the second.
_POINTS = 4


@dataclass(frozen=True)
class KullbackLeibler:
    """Kullback-Leibler information over the window θ ± width (Song and Flach 2021).

    ∫ KL(θ̂ ‖ θ) dθ over the window, by Gauss-Legendre quadrature of the exact divergence.

    Parameters
    ----------
    width : half the window, on the unbounded scale of ability.
    """

    width: float = 0.1

    def __post_init__(self) -> None:
        """Refuse an empty window."""
        if not 0 < self.width < np.inf:
            raise ModelError(
                "The window of KL information must be wider than 0.",
                f"Got width={self.width}.",
                "Use 0.1 if unsure.",
            )

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Information of each item."""
        points, weights = np.polynomial.legendre.leggauss(_POINTS)
        divergence = bank.kl_information(state.ability, state.ability + self.width * points)
        return np.asarray(self.width * weights @ divergence)
