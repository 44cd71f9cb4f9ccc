"""Items whose key may be wrong, the likeliest first, and how many of them chance would give."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.health.key_evidence import weigh_keys
from itemcurve.analysis.health.option_votes import OptionVotes, count_votes, draw_options

Floats = NDArray[np.float64]

# A suspect key is wrong with this probability, and so far out that permuted answers reach as far
# at most a tenth as often.
_LEAST_PROBABILITY = 0.9
_RATE = 0.1


@dataclass(frozen=True, eq=False)
class SuspectKeys:
    """Evidence against the keys; arrays in the order of the items.

    Attributes
    ----------
    log_odds : that the key of an item is wrong; what items are ranked by.
    probability : the same as a probability, as far as the model of answers holds.
    is_suspect : whether an item stands out from what permuted answers give.
    by_chance : items as far out in permuted answers, on average.
    rate : share of wrong keys among all, as the model finds it.
    likely : code of the option that is probably right, −1 where options are not known.
    likely_share : share of respondents who chose it, NaN where options are not known.
    uses_options : whether options were known.
    """

    log_odds: Floats
    probability: Floats
    is_suspect: NDArray[np.bool_]
    by_chance: float
    rate: float
    likely: NDArray[np.int64]
    likely_share: Floats
    uses_options: bool


def find_suspect_keys(
    values: Floats,
    groups: NDArray[np.integer],
    permuted: list[Floats],
    *,
    chosen: NDArray[np.int32] | None = None,
    n_options: int | None = None,
    seed: int = 0,
) -> SuspectKeys:
    """Rank items by how likely their key is wrong, and mark those beyond chance.

    Parameters
    ----------
    values : responses from 0 to 1 (respondents × items), NaN where not observed.
    groups : code of each item's group.
    permuted : responses drawn anew within margins: what the same items and respondents give when
        keys are right.
    chosen : codes of the options chosen (respondents × items), −1 where not known.
    n_options : options of a question, where only their number is known.
    """
    votes = None if chosen is None else count_votes(values, chosen, groups)
    found = weigh_keys(values, groups, votes, n_options)
    random = np.random.default_rng([seed, 2])
    chance = []
    for drawn in permuted:
        anew = _votes_anew(drawn, votes, groups, random)
        # By the same weights: the same answers must weigh the same, wherever they occur.
        weighed = weigh_keys(drawn, groups, anew, n_options, found.weights)
        chance.append(np.sort(weighed.log_odds))
    is_suspect, by_chance = _beyond_chance(found.log_odds, found.probabilities, chance)
    return SuspectKeys(
        found.log_odds,
        found.probabilities,
        is_suspect,
        by_chance,
        found.rate,
        np.full(values.shape[1], -1) if votes is None else votes.other,
        np.full(values.shape[1], np.nan) if votes is None else votes.share_of_other,
        votes is not None,
    )


def _votes_anew(
    drawn: Floats,
    votes: OptionVotes | None,
    groups: NDArray[np.integer],
    random: np.random.Generator,
) -> OptionVotes | None:
    return None if votes is None else count_votes(drawn, draw_options(drawn, votes, random), groups)


def _beyond_chance(
    log_odds: Floats, probability: Floats, chance: list[Floats]
) -> tuple[NDArray[np.bool_], float]:
    """Mark the largest set from the top of which chance gives a tenth at most."""
    if not chance:
        return np.zeros(log_odds.size, dtype=np.bool_), float("nan")
    order = np.argsort(-log_odds, kind="stable")
    # Ties stand and fall together: each counts as many as are at least as far out.
    reached = np.searchsorted(np.sort(-log_odds), -log_odds[order], side="right")
    as_far = np.mean(
        [own.size - np.searchsorted(own, log_odds[order], side="left") for own in chance], axis=0
    )
    is_likely = probability > _LEAST_PROBABILITY
    allowed = np.flatnonzero((as_far <= _RATE * reached) & is_likely[order])
    is_suspect = np.zeros(log_odds.size, dtype=np.bool_)
    if not allowed.size:
        return is_suspect, float(as_far[is_likely.sum() - 1]) if is_likely.any() else 0.0
    last = allowed[-1]
    is_suspect[log_odds >= log_odds[order[last]]] = True
    return is_suspect, float(as_far[last])
