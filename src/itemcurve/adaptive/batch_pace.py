"""How many items to ask at once without asking more than one by one would.

Items of a batch are chosen without the answers of the others. While little is known such a choice
is poor, and near the end a full batch asks for more than the rule to stop wants. So a batch has at
most half as many items as were answered, and at most a part of those that are expected to be left.
"""

from math import ceil, inf

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.adaptive.ability.stopping import (
    AbilitySe,
    Combined,
    MaxItems,
    ScoreHalfWidth,
    StopRule,
)

# A batch at the beginning, and its share of what is known later.
FIRST_BATCH = 4
_GROWTH = 0.5
# Of the items expected to be left: answers may tell more than expected.
_CAUTION = 0.7


def pace(answered: int, expected: float) -> int:
    """Give the size of the next batch.

    Examples
    --------
    >>> [pace(answered, inf) for answered in (0, 4, 20, 100)]
    [4, 4, 10, 50]
    >>> pace(100, 10)
    7
    """
    known = max(FIRST_BATCH, int(_GROWTH * answered))
    return known if expected == inf else max(1, min(known, int(_CAUTION * expected)))


def expect_items(rule: StopRule | None, state: AdaptiveState) -> float:
    """Estimate how many more answers a rule will want; infinity where that cannot be told."""
    if isinstance(rule, Combined):
        found = [expect_items(part, state) for part in rule.rules]
        return min(found) if rule.is_any else max(found)
    if isinstance(rule, MaxItems):
        return float(rule.count - len(state.answered))
    if isinstance(rule, AbilitySe):
        return max(_until_known(rule.limit, state), rule.at_least - len(state.answered))
    if isinstance(rule, ScoreHalfWidth) and len(state.answered) >= FIRST_BATCH:
        from itemcurve.adaptive.ability.score_of_ability_test import predict_state

        estimate = predict_state(state)
        half = (estimate.upper - estimate.lower) / 2
        left = rule.at_least - len(state.answered)
        return max(expect_by_width(len(state.answered), half, rule.limit), left)
    return inf


def expect_by_width(answered: int, half_width: float, limit: float) -> float:
    """Estimate the answers still wanted for an interval that narrows as 1/√n."""
    return float(max(1, ceil(answered * ((half_width / limit) ** 2 - 1))))


def _until_known(limit: float, state: AdaptiveState) -> float:
    """Count the best items left whose information makes up what the standard error lacks."""
    lacking = 1 / limit**2 - 1 / max(state.ability_se, 1e-9) ** 2
    information = np.asarray(state.bank.information(state.ability)[0])[state.is_available]
    gathered = np.cumsum(np.sort(information)[::-1])
    return float(np.searchsorted(gathered, lacking) + 1)
