"""The item that best tells the estimated ability from all abilities that may be true."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.adaptive.selection.curve_table import PosteriorGrid, likelihood_curves, tabulate
from itemcurve.bank.item_bank import Bank
from itemcurve.numerics.engine import NUMPY, Array

# Quarters of the population's standard deviation, four to either side.
_GRID = PosteriorGrid(level=2, first=-16, last=16)


@dataclass(frozen=True)
class WeightedKullbackLeibler:
    """Kullback-Leibler information weighted by likelihood (catR's KL) or posterior (its KLP).

    ∫ KL(θ̂ ‖ θ) w(θ) dθ over four standard deviations of the population at either side
    (Chang and Ying 1996; Barrada et al. 2010).
    """

    weight: Literal["likelihood", "posterior"] = "likelihood"

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Information of each item.

        The divergence is linear in the curves, Σ_k E[C_k] (g_k(θ̂) − g_k(θ)), so that curves
        tabulated once and summed by weight give the integral.
        """
        height = state.log_likelihood(_GRID.abilities(bank))
        if self.weight == "posterior":
            height = height - 0.5 * _GRID.steps() ** 2
        weights = np.exp(height - height.max())
        here = np.array([state.ability])
        found = np.empty(len(bank))
        for part, table in zip(bank.parts, tabulate(bank, likelihood_curves), strict=True):
            expected = part.likelihood.expected_channels(NUMPY, here, part.values)
            own = part.likelihood.curves(NUMPY, here, part.values)
            gaps = [
                weights.sum() * g[:, 0] - weights @ curve
                for g, curve in zip(own, table.at(_GRID), strict=True)
            ]
            found[part.positions] = sum(
                c[:, 0] * gap for c, gap in zip(expected, gaps, strict=True)
            )
        return found
