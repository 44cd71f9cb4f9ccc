"""Several rules, one after the other."""

from dataclasses import dataclass

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.selection.fisher import Fisher
from itemcurve.adaptive.selection.kullback_leibler import KullbackLeibler
from itemcurve.adaptive.selection.random_order import Random
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array


@dataclass(frozen=True)
class InTurn:
    """Rules that take turns, by how many items were answered or handed out.

    Fisher information, Kullback-Leibler information and chance in turn are the advice of Song and
    Flach (2021, section IV-C): where the model is wrong about an item, chance gets past it.

    Parameters
    ----------
    rules : in their order.

    Examples
    --------
    >>> import itemcurve as ic
    >>> bank = ic.Bank.from_parameters("2pl", discrimination=[1.0, 2.0], difficulty=0.0)
    >>> ic.AdaptiveTest(bank, ic.selection.InTurn()).next_item()
    '1'
    """

    rules: tuple[SelectionRule, ...] = (Fisher(), KullbackLeibler(), Random())

    def __post_init__(self) -> None:
        """Refuse an empty row."""
        if not self.rules:
            raise ModelError(
                "Rules that take turns are one at least.", "Got none.", "Leave rules out if unsure."
            )

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Value of each item under the rule whose turn it is."""
        # Items of a batch take turns too: by answers alone all of them would fall to one rule.
        turn = len(state.answered) + len(state.handed_out)
        return self.rules[turn % len(self.rules)](bank, state)
