"""Any item: what every other rule must beat."""

from dataclasses import dataclass

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.bank.item_bank import Bank
from itemcurve.numerics.engine import Array


@dataclass(frozen=True)
class Random:
    """All items are worth the same, so that the draw among equals decides."""

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Zero for each item."""
        return np.zeros(len(bank))
