"""The item after which ability will be known best, whatever the answer."""

from dataclasses import dataclass

import numpy as np

from itemcurve.adaptive.selection.outcomes import outcome_probabilities
from itemcurve.adaptive.state import AdaptiveState
from itemcurve.estimation.bank import Bank
from itemcurve.numerics.engine import Array


@dataclass(frozen=True)
class PosteriorVariance:
    """How much the posterior variance of ability falls in expectation (van der Linden 1998).

    The item with the smallest expected posterior variance has the highest value.
    """

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Expected fall of the variance (items)."""
        nodes, weights = state.nodes, state.posterior
        mean = weights @ nodes
        gaps = nodes - mean
        moments = np.stack([weights, weights * gaps, weights * gaps**2], axis=1)
        variance = weights @ gaps**2
        found = np.empty(len(bank))
        for part in bank.parts:
            chances = outcome_probabilities(part, nodes)
            mass, first, second = np.moveaxis(chances @ moments, -1, 0)
            safe = np.maximum(mass, 1e-300)
            expected = (second - first**2 / safe).sum(axis=0)
            found[part.positions] = variance - expected
        return found
