"""What is known of slope and difficulty of each item, given the population that items come from.

The difficulty b = −e/a is a ratio: of an item that might be flat, the ratio of the two modes can be
any number, and the error of a ratio by differentiation is as wild. But items come from a population
with a spread of difficulties, which the items that are not flat tell. Given the slope, the
likelihood is normal in the intercept, hence in the difficulty, and a normal population makes its
posterior normal: what is left is an integral over the slope.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from itemcurve.estimation.marginal.over_respondents.item_population import (
    ItemLikelihoods,
    ItemPopulation,
)
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import Curve, PerItem

_NODES = 49
# The population of difficulties moves slopes away from where that of intercepts had them.
_REACH = 6.0
_MOST_TURNS = 100
_SETTLED = 1e-4
_STEP = 0.1
_LEAST = 1e-12


class LinearMoments(NamedTuple):
    """Posterior moments of each item (items each), in the unit of the search."""

    slope: PerItem
    slope_sd: PerItem
    intercept: PerItem
    difficulty: PerItem
    difficulty_sd: PerItem
    difficulty_square: PerItem


@dataclass(frozen=True)
class LinearItems:
    """Normal likelihoods of slope and intercept of each item, and where slopes are looked for.

    Attributes
    ----------
    known : information about slope, slope and intercept, intercept (items each).
    push : information times mean, of slope and of intercept (items each).
    slopes : nodes (items × nodes).
    """

    known: tuple[PerItem, PerItem, PerItem]
    push: tuple[PerItem, PerItem]
    slopes: Curve

    @classmethod
    def of(
        cls, likelihoods: ItemLikelihoods, items: ItemPopulation, places: tuple[int, int]
    ) -> "LinearItems":
        """Take slope and intercept (at these places) out, other coordinates integrated."""
        means, covariances = likelihoods.posterior(items.mean, items.precision)
        pair = np.array(places)
        own, precision = means[:, pair], items.precision[pair]
        inverse = np.linalg.inv(covariances[:, pair[:, None], pair])
        push = np.matvec(inverse, own) - items.mean[pair] * precision
        known = inverse - np.eye(2) * precision
        sd = np.sqrt(covariances[:, places[0], places[0]])
        slopes = own[:, :1] + sd[:, None] * np.linspace(-_REACH, _REACH, _NODES)
        parts = known[:, 0, 0], known[:, 0, 1], np.maximum(known[:, 1, 1], _LEAST)
        return cls(parts, (push[:, 0], push[:, 1]), slopes)

    def moments(self, mean: float, sd: float, spread: float) -> LinearMoments:
        """Posterior moments in a population of slopes N(mean, sd²) and difficulties N(0, spread²).

        With e = −ab the exponent is quadratic in b for every a.
        """
        a = self.slopes
        aa, ae, ee = (part[:, None] for part in self.known)
        push_a, push_e = (part[:, None] for part in self.push)
        precision = ee * a**2 + spread**-2.0
        centre = (ae * a**2 - push_e * a) / precision
        height = (push_a - 0.5 * aa * a) * a - 0.5 * ((a - mean) / sd) ** 2
        height += 0.5 * precision * centre**2 - 0.5 * np.log(precision)
        weights = np.exp(height - height.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)

        def average(of: Array) -> PerItem:
            return np.vecdot(weights, of)

        slope, difficulty = average(a), average(centre)
        square = average(centre**2 + 1.0 / precision)
        return LinearMoments(
            slope,
            np.sqrt(np.maximum(average(a**2) - slope**2, 0.0)),
            average(-a * centre),
            difficulty,
            np.sqrt(np.maximum(square - difficulty**2, 0.0)),
            square,
        )


def linear_moments(
    likelihoods: ItemLikelihoods, items: ItemPopulation, places: tuple[int, int]
) -> LinearMoments:
    """Posterior moments of slopes, intercepts and difficulties.

    The spread of difficulties is the one in which the items are most likely. It and that of the
    slopes are known to some per cent only; what that makes uncertain in an item is added.
    """
    linear = LinearItems.of(likelihoods, items, places)
    mean, sd = float(items.mean[places[0]]), float(items.sd[places[0]])
    spread = 1.0
    for _ in range(_MOST_TURNS):
        found = linear.moments(mean, sd, spread)
        before, spread = spread, float(np.sqrt(found.difficulty_square.mean()))
        if abs(np.log(spread / before)) < _SETTLED:
            break
    ends = ((sd, found.slope_sd), (spread, found.difficulty_sd))
    variances = [_variance_of_log(*end) for end in ends]
    shifted = (
        [linear.moments(mean, sd * np.exp(sign * _STEP), spread) for sign in (1, -1)],
        [linear.moments(mean, sd, spread * np.exp(sign * _STEP)) for sign in (1, -1)],
    )

    def widened(column: str, own: PerItem) -> PerItem:
        moves = [
            (getattr(above, column) - getattr(below, column)) / (2 * _STEP)
            for above, below in shifted
        ]
        return np.sqrt(own**2 + sum(v * m**2 for v, m in zip(variances, moves, strict=True)))

    return found._replace(
        slope_sd=widened("slope", found.slope_sd),
        difficulty_sd=widened("difficulty", found.difficulty_sd),
    )


def _variance_of_log(spread: float, sds: PerItem) -> float:
    """Variance of the log spread of a population, from items known to within `sds`.

    An item tells as much of it as its responses, not the population, determine.
    """
    determined = np.clip(1.0 - (sds / spread) ** 2, 0.0, 1.0)
    return 1.0 / (1.0 + 2.0 * float((determined**2).sum()))
