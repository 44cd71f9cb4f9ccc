"""Information for money: values per unit of cost."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array


@dataclass(frozen=True)
class CostAware:
    """The value of a rule divided by what the item costs (tokens, seconds, money).

    Parameters
    ----------
    rule : gives values that are never negative, such as an information.
    costs : above 0, of every item.
    """

    rule: SelectionRule
    costs: Mapping[str, float]

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Value per unit of cost (items)."""
        costs = np.array([self.costs.get(item, np.nan) for item in bank.items])
        wrong = np.flatnonzero(~(costs > 0))
        if wrong.size:
            raise ModelError(
                "Every item of the bank needs a cost above 0.",
                f"{wrong.size} have none, the first is {bank.items[wrong[0]]!r}.",
                "Add it to costs.",
            )
        return self.rule(bank, state) / costs
