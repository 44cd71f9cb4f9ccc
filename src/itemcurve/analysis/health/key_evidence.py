"""How likely the key of an item is wrong, from who has it right and from what others choose.

An item with a right key is answered rightly with P = c + (1 − c) σ(a (θ − b)), θ the logit of a
respondent's share of right answers among the items of its group. With a wrong key the truth is
another option: those who know it choose that one, and a respondent counts as right only where it
errs, onto the stated key of all options. Where the options are known, the truth is sought among
them: votes for it follow the curve, and all other answers scatter (Dirichlet-multinomial). Both
stories are averaged over difficulty and discrimination, whose distributions, like the share of
wrong keys, are found from all items together (EM on a grid).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.health.option_votes import OptionVotes

Floats = NDArray[np.float64]

# Even of the hardest questions some are right by luck; without such a floor, right answers of weak
# respondents alone would count for a wrong key.
_SHAPES = np.array([(a, luck) for a in (0.5, 1.0, 1.7, 2.8) for luck in (0.03, 0.1)])
_DIFFICULTIES = np.linspace(-4.0, 6.0, 21)
_EDGE = 0.005
# Which share of errors falls on the stated key, where the options are not known: hardly any, as
# where answers are free, about one of ten others, or one of three.
_FREE, _OF_MANY, _OF_FEW = 0.03, 0.1, 0.33
# A respondent's share in a group is drawn to its overall one as by this many items.
_GROUP_PRIOR = 50.0
_PASSES = 25
_FIRST_RATE, _LEAST_RATE, _MOST_RATE = 0.03, 1e-3, 0.4
_LEAST_SPREAD = 0.3


@dataclass(frozen=True, eq=False)
class Weights:
    """Distributions over items: share of wrong keys, where errors land, shapes of curves.

    `landing` are the shares of errors that may land on a wrong key, `shares` their weights;
    `centres` and `spreads` are of the difficulty in each group.
    """

    landing: tuple[float, ...]
    rate: float
    shares: Floats
    shapes: Floats
    centres: Floats
    spreads: Floats

    def nodes(self, group: int) -> Floats:
        """Weight of each node: discrimination and luck, then difficulty."""
        place = (_DIFFICULTIES - self.centres[group]) / self.spreads[group]
        difficulties = np.exp(-0.5 * place**2)
        weights = np.outer(self.shapes, difficulties / difficulties.sum())
        return np.asarray(weights.ravel())


@dataclass(frozen=True, eq=False)
class KeyEvidence:
    """What speaks against the keys.

    Attributes
    ----------
    log_odds : that the key of each item is wrong.
    weights : distributions of difficulty, discrimination and errors among all items.
    """

    log_odds: Floats
    weights: Weights

    @property
    def rate(self) -> float:
        """Share of wrong keys among all items, as the model finds it."""
        return self.weights.rate

    @property
    def probabilities(self) -> Floats:
        """Probability that each key is wrong, under the model."""
        return np.asarray(1 / (1 + np.exp(-np.clip(self.log_odds, -700, 700))))


@dataclass(frozen=True, eq=False)
class _Group:
    """Likelihoods of the items of one group, each item's largest being 1.

    `right` is items × nodes, `wrong` items × shares × nodes.
    """

    items: NDArray[np.intp]
    right: Floats
    wrong: Floats


def weigh_keys(
    values: Floats,
    groups: NDArray[np.integer],
    votes: OptionVotes | None = None,
    n_options: int | None = None,
    weights: Weights | None = None,
) -> KeyEvidence:
    """Weigh a wrong key against a right one, for every item.

    Parameters
    ----------
    values : responses from 0 to 1 (respondents × items), NaN where not observed.
    groups : code of each item's group; difficulties are compared within groups.
    votes : what was chosen, where that is known.
    n_options : options of a question, where only their number is known.
    weights : distributions found before, for other answers to the same items; found here when left
        out.
    """
    if votes is not None:
        values = np.where(votes.is_known, values, np.nan)
    abilities = _abilities(values, groups)
    landing = _landing_shares(values, n_options) if weights is None else weights.landing
    parts = [
        _weigh_group(values, np.flatnonzero(groups == group), abilities[group], votes, landing)
        for group in range(len(abilities))
    ]
    if weights is not None:
        return KeyEvidence(_improve(parts, weights, values.shape[1])[0], weights)
    n_shares, n_groups = parts[0].wrong.shape[1], len(parts)
    found = Weights(
        landing,
        _FIRST_RATE,
        np.full(n_shares, 1 / n_shares),
        np.full(len(_SHAPES), 1 / len(_SHAPES)),
        np.zeros(n_groups),
        np.full(n_groups, 1.5),
    )
    for _ in range(_PASSES):
        found = _improve(parts, found, values.shape[1])[1]
    return KeyEvidence(_improve(parts, found, values.shape[1])[0], found)


def _landing_shares(values: Floats, n_options: int | None) -> tuple[float, ...]:
    """Give shares of errors that may fall on a wrong key."""
    if n_options is not None and n_options > 2:
        return _FREE, 1 / (n_options - 1)
    # Who knows nothing is right as often as errors land on any one option: the weakest respondent
    # knows something, so that no share is larger than its own.
    seen = ~np.isnan(values)
    lowest = (np.where(seen, values, 0.0).sum(axis=1) / np.maximum(seen.sum(axis=1), 1)).min()
    largest = min(_OF_FEW, lowest / max(1 - lowest, _FREE))
    return (_FREE, _OF_MANY, largest) if largest > _OF_MANY else (_FREE, _OF_MANY)


def _abilities(values: Floats, groups: NDArray[np.integer]) -> Floats:
    """Logit of each respondent's share of right answers (groups × respondents), standardised."""
    seen = ~np.isnan(values)
    filled = np.where(seen, values, 0.0)
    overall = (filled.sum(axis=1) + 0.5) / (seen.sum(axis=1) + 1)
    found = []
    for group in range(int(groups.max()) + 1):
        here = groups == group
        right = filled[:, here].sum(axis=1) + _GROUP_PRIOR * overall
        share = right / (seen[:, here].sum(axis=1) + _GROUP_PRIOR)
        found.append(np.log(share / (1 - share)))
    abilities = np.array(found)
    spread = abilities.mean(axis=0).std()
    return np.asarray((abilities - abilities.mean()) / max(spread, 1e-3))


def _weigh_group(
    values: Floats,
    items: NDArray[np.intp],
    ability: Floats,
    votes: OptionVotes | None,
    landing: tuple[float, ...],
) -> _Group:
    slope, luck = np.repeat(_SHAPES, _DIFFICULTIES.size, axis=0).T[..., np.newaxis]
    place = np.tile(_DIFFICULTIES, len(_SHAPES))[:, np.newaxis]
    curve = 1 / (1 + np.exp(-slope * (ability - place)))
    chance = np.clip(luck + (1 - luck) * curve, _EDGE, 1 - _EDGE)
    seen = ~np.isnan(values[:, items])
    is_right = np.where(seen, values[:, items], 0.0).T
    is_wrong = np.where(seen, 1 - values[:, items], 0.0).T
    right = is_right @ np.log(chance).T + is_wrong @ np.log1p(-chance).T
    if votes is None:
        wrong = np.stack(
            [
                is_right @ np.log((1 - chance) * share).T
                + is_wrong @ np.log1p(-(1 - chance) * share).T
                for share in landing
            ],
            axis=1,
        )
    else:
        for_other = votes.for_other[:, items].T.astype(float)
        others = seen.T - for_other
        wrong = (for_other @ np.log(chance).T + others @ np.log1p(-chance).T)[:, np.newaxis]
        right += votes.scatter_of_key[items][:, np.newaxis]
        wrong += votes.scatter_of_other[items][:, np.newaxis, np.newaxis]
    top = np.maximum(right.max(axis=1), wrong.max(axis=(1, 2)))
    scaled = np.exp(right - top[:, np.newaxis])
    return _Group(items, scaled, np.exp(wrong - top[:, np.newaxis, np.newaxis]))


def _improve(parts: list[_Group], weights: Weights, n_items: int) -> tuple[Floats, Weights]:
    """One pass of EM: the log-odds by these weights, and better weights."""
    log_odds = np.zeros(n_items)
    shapes, own_shares = np.ones(len(_SHAPES)), np.ones(weights.shares.size)
    tiny = np.finfo(float).tiny
    centres, spreads = np.empty(len(parts)), np.empty(len(parts))
    expected = 0.0
    for group, part in enumerate(parts):
        nodes = weights.nodes(group)
        by_right = np.maximum(part.right @ nodes, tiny)
        by_wrong = np.maximum((part.wrong @ nodes) @ weights.shares, tiny)
        odds = np.log(by_wrong) - np.log(by_right) + np.log(weights.rate / (1 - weights.rate))
        log_odds[part.items] = odds
        blamed = 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
        of_right = ((1 - blamed) / by_right) @ part.right * nodes
        of_wrong = np.einsum("iwn,w,i->wn", part.wrong, weights.shares, blamed / by_wrong) * nodes
        mass = (of_right + of_wrong.sum(axis=0)).reshape(len(_SHAPES), -1)
        places = mass.sum(axis=0)
        centres[group] = places @ _DIFFICULTIES / places.sum()
        spread = np.sqrt(places @ (_DIFFICULTIES - centres[group]) ** 2 / places.sum())
        spreads[group] = max(float(spread), _LEAST_SPREAD)
        shapes += mass.sum(axis=1)
        own_shares += of_wrong.sum(axis=1)
        expected += float(blamed.sum())
    return log_odds, Weights(
        weights.landing,
        min(max(expected / n_items, _LEAST_RATE), _MOST_RATE),
        own_shares / own_shares.sum(),
        shapes / shapes.sum(),
        centres,
        spreads,
    )
