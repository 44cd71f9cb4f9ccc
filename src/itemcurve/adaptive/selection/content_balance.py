"""Groups of items in the shares that were asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array


@dataclass(frozen=True)
class ContentBalanced:
    """Ask from the group that is furthest behind its share (Kingsbury and Zara 1989).

    Parameters
    ----------
    rule : values items within the group.
    groups : the group of each item.
    shares : how much of the test each group should make up; its share of the bank when left out.
    """

    rule: SelectionRule
    groups: Mapping[str, str]
    shares: Mapping[str, float] | None = None

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Values of the rule in the group that is behind, −∞ elsewhere."""
        missing = [item for item in bank.items if item not in self.groups]
        if missing:
            raise ModelError(
                "Content balancing needs a group for every item of the bank.",
                f"{len(missing)} have none, the first is {missing[0]!r}.",
                "Add it to groups.",
            )
        labels = np.array([self.groups[item] for item in bank.items])
        given = np.concatenate([state.answered, state.handed_out])
        gaps = {}
        for name in sorted(set(labels[state.is_available])):
            wanted = np.mean(labels == name) if self.shares is None else self.shares.get(name, 0.0)
            gaps[name] = wanted * (len(given) + 1) - np.sum(labels[given] == name)
        behind = max(gaps, key=lambda name: gaps[name]) if gaps else ""
        return np.where(labels == behind, self.rule(bank, state), -np.inf)
