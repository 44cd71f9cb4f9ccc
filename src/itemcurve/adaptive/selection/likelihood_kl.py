"""The item that best tells the estimated ability from all abilities that may be true."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from itemcurve.adaptive.state import AdaptiveState
from itemcurve.estimation.bank import Bank
from itemcurve.numerics.engine import Array

_POINTS = 33
_REACH = 4.0


@dataclass(frozen=True)
class WeightedKullbackLeibler:
    """Kullback-Leibler information weighted by likelihood (catR's KL) or posterior (its KLP).

    ∫ KL(θ̂ ‖ θ) w(θ) dθ over four standard deviations of the population at either side
    (Chang and Ying 1996; Barrada et al. 2010).
    """

    weight: Literal["likelihood", "posterior"] = "likelihood"

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Information of each item."""
        steps = np.linspace(-_REACH, _REACH, _POINTS)
        abilities = bank.ability_mean + bank.ability_sd * steps
        height = state.log_likelihood(abilities)
        if self.weight == "posterior":
            height = height - 0.5 * steps**2
        weights = np.exp(height - height.max())
        return np.asarray(weights @ bank.kl_information(state.ability, abilities))
