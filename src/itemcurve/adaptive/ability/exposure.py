"""From values to one item: the best, or one of the best, with its probability on record."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array


class DrawnItem(NamedTuple):
    """One item drawn: its place, its probability, and the least that any other item had."""

    place: int
    probability: float
    least: float


@dataclass(frozen=True)
class Exposure:
    """How much is left to chance.

    Parameters
    ----------
    best : draw among this many best items (randomesque; Kingsbury and Zara 1989), so that no item
        is seen by everyone. 1 takes the best.
    explore : share of draws among all items. Above 0, every item has a known chance, which
        estimates of the score that need no model are built on.
    """

    best: int = 1
    explore: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no number of items or no share."""
        if self.best < 1 or not 0 <= self.explore <= 1:
            raise ModelError(
                "best must be at least 1 and explore between 0 and 1.",
                f"Got best={self.best}, explore={self.explore}.",
                "Leave them out to take the best item.",
            )

    def probabilities(self, values: Array, is_available: Array) -> Array:
        """The chance of each item to be asked next (items); zero everywhere when none can be."""
        usable = is_available & ~np.isnan(values) & (values > -np.inf)
        if not usable.any():
            return np.zeros(len(values))
        chances = _among_best(np.where(usable, values, -np.inf), min(self.best, int(usable.sum())))
        if self.explore:
            anyone = is_available / is_available.sum()
            chances = (1 - self.explore) * chances + self.explore * anyone
        return chances

    def draw(
        self, values: Array, is_available: Array, rng: np.random.Generator
    ) -> DrawnItem | None:
        """Draw the item to ask; None when there is none."""
        if self.best == 1 and not self.explore:
            return _draw_best(values, is_available, rng)
        chances = self.probabilities(values, is_available)
        places = np.flatnonzero(chances)
        if not len(places):
            return None
        share = chances[places] / chances[places].sum()
        index = min(int(np.searchsorted(np.cumsum(share), rng.random())), len(places) - 1)
        least = float(chances[is_available].min())
        return DrawnItem(int(places[index]), float(chances[places[index]]), least)


def _draw_best(values: Array, is_available: Array, rng: np.random.Generator) -> DrawnItem | None:
    """Take the best item, any of those that are equally good, without a chance for each item."""
    usable = np.where(is_available & ~np.isnan(values), values, -np.inf)
    highest = usable.max()
    if highest == -np.inf:
        return None
    places = np.flatnonzero(usable == highest)
    chance = 1.0 / len(places)
    share = np.full(len(places), chance)
    index = min(int(np.searchsorted(np.cumsum(share / share.sum()), rng.random())), len(places) - 1)
    is_all = len(places) == int(np.count_nonzero(is_available))
    return DrawnItem(int(places[index]), chance, chance if is_all else 0.0)


def _among_best(values: Array, count: int) -> Array:
    """Equal chances for the `count` highest values; ties at the last place share what is left."""
    limit = np.partition(values, -count)[-count]
    above, ties = values > limit, values == limit
    return above / count + ties * (count - above.sum()) / (count * ties.sum())
