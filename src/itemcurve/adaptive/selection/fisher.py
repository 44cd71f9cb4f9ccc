"""The item that tells most about ability where the respondent seems to be."""

from dataclasses import dataclass

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.bank.item_bank import Bank
from itemcurve.numerics.engine import Array


@dataclass(frozen=True)
class Fisher:
    """Fisher information at the estimated ability, exact for every family."""

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Information of each item."""
        return bank.information(state.ability)[0]
