"""The difference in ability of two respondents, measured against the same calibrated items."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from itemcurve.errors import ModelError
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    from itemcurve.bank.item_bank import Bank


@dataclass(frozen=True)
class AbilityDifference:
    """Abilities on the scale of a bank, by weighted likelihood, and their difference.

    Items of the bank are taken as known: they anchor the scale. Given them, the two errors are
    independent. It weighs items by what they tell, so that it may differ from the scores.
    """

    ability_a: float
    ability_b: float
    difference: float
    error: float
    lower: float
    upper: float
    n_items: int


def compare_abilities(
    bank: "Bank", runs: tuple[Responses, Responses], items: Sequence[str], level: float
) -> AbilityDifference:
    """Score both on the items that the bank knows.

    Parameters
    ----------
    runs : the responses of either, one respondent each.
    items : that both answered.
    """
    from scipy.special import ndtri

    from itemcurve.bank.ability_estimation import score

    anchors = set(bank.items)
    known = [item for item in items if item in anchors]
    if not known:
        raise ModelError(
            "Abilities are compared on items of the bank;",
            f"it knows none of the {len(items):,} items that both answered.",
            "Give the bank of a fit to the same items.",
        )
    found = [score(bank, run.select(items=known), method="wle") for run in runs]
    first, second = (float(one.ability[0]) for one in found)
    error = math.hypot(*(float(one.ability_se[0]) for one in found))
    gap, reach = second - first, float(ndtri(0.5 + level / 2)) * error
    return AbilityDifference(first, second, gap, error, gap - reach, gap + reach, len(known))
