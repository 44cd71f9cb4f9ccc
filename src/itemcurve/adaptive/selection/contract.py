"""What a selection rule is: a function that values every item of the bank."""

from typing import Protocol

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.bank.item_bank import Bank
from itemcurve.numerics.engine import Array


class SelectionRule(Protocol):
    """The item with the highest value is asked next; equal values are drawn from at random.

    A rule sees the bank and the state and nothing else. Items that were asked already need no
    special care; −∞ forbids an item.
    """

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Value of each item (items)."""
