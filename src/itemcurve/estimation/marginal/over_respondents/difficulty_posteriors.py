"""What is known of slope and difficulty of each item, given the population that items come from.

The difficulty b = −e/a is a ratio: of an item that might be flat, the ratio of the two modes can be
any number, and the error of a ratio by differentiation is as wild. But items come from a population
with a spread of difficulties, which the items that are not flat tell. Given the slope, the
likelihood is normal in the intercept, hence in the difficulty, and a normal population makes its
posterior normal: what is left is an integral over the slope.
"""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.estimation.marginal.over_respondents.item_likelihoods import (
    ENOUGH_ITEMS,
    ItemLikelihoods,
    posteriors,
)
from itemcurve.estimation.marginal.over_respondents.item_population import (
    ItemPopulation,
)
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import (
    ItemCoordinates,
    ItemLevels,
    ItemMatrices,
    PerCoordinate,
    PerItem,
    axes,
)
from itemcurve.numerics.small_systems import invert_small

_NODES = 49
# The population of difficulties moves slopes away from where that of intercepts had them.
_REACH = 6.0
_MOST_TURNS = 100
_SETTLED = 1e-4
# A turn that leaves more of the way is not yet like the next.
_MOST_LEFT = 0.8
_STEP = 0.1
_LEAST = 1e-12
# What stays in the cache of a processor.
_ITEMS_AT_ONCE = 2000


class LinearMoments(NamedTuple):
    """Posterior moments of each item (items each), in the unit of the search.

    `negative` is the probability of a slope below zero.
    """

    slope: PerItem
    slope_sd: PerItem
    intercept: PerItem
    difficulty: PerItem
    difficulty_sd: PerItem
    difficulty_square: PerItem
    negative: PerItem


@dataclass(frozen=True)
class LinearItems:
    """Normal likelihoods of slope and intercept of each item, and where slopes are looked for.

    Attributes
    ----------
    known : information about slope, slope and intercept, intercept (items each).
    push : information times mean, of slope and of intercept (items each).
    slopes : centre and width of the nodes (items each).
    """

    known: tuple[PerItem, PerItem, PerItem]
    push: tuple[PerItem, PerItem]
    slopes: tuple[PerItem, PerItem]

    @classmethod
    def of(
        cls, likelihoods: ItemLikelihoods, items: ItemPopulation, places: tuple[int, int]
    ) -> "LinearItems":
        """Take slope and intercept (at these places) out, other coordinates integrated."""
        engine = likelihoods.engine
        run = engine.compile(_taken_out, static=("engine", "places"))
        given = map(engine.place, (likelihoods.information, likelihoods.push, *items.normal))
        aa, ae, ee, push_a, push_e, centre, sd = run(engine, places, *given)
        return cls((aa, ae, ee), (push_a, push_e), (centre, sd))

    def moments(
        self, mean: float, sd: float, spread: float, engine: Engine = NUMPY
    ) -> LinearMoments:
        """Posterior moments in a population of slopes N(mean, sd²) and difficulties N(0, spread²).

        They are found some items at a time, or by the engine's program for all of them.
        """
        count = len(self.slopes[0])
        place, size = engine.place, count if engine.compiles else _ITEMS_AT_ONCE
        run = engine.compile(_moments_of, static=("engine",))
        population = place(np.array([mean, sd, spread]))
        found = []
        for start in range(0, count, size):
            rows = slice(start, start + size)
            parts = (place(part[rows]) for part in (*self.known, *self.push, *self.slopes))
            found.append(run(engine, population, *parts))
        return LinearMoments(*engine.xp.concatenate(found, axis=1))

    def thinned(self) -> "LinearItems":
        """Some thousands of the items, as NumPy has them."""
        step = -(-len(self.slopes[0]) // ENOUGH_ITEMS)
        aa, ae, ee = (np.asarray(part[::step]) for part in self.known)
        push_a, push_e = (np.asarray(part[::step]) for part in self.push)
        middle, width = (np.asarray(part[::step]) for part in self.slopes)
        return LinearItems((aa, ae, ee), (push_a, push_e), (middle, width))


def _taken_out(
    engine: Engine,
    places: tuple[int, int],
    information: ItemMatrices,
    push: ItemCoordinates,
    mean: PerCoordinate,
    precision: PerCoordinate,
) -> tuple[PerItem, ...]:
    """What `LinearItems` holds, in its order."""
    pair = np.array(places)
    means, covariances = posteriors(engine, information, push, mean, precision)
    own = means[:, pair]
    inverse = invert_small(covariances[:, pair[:, None], pair], engine)
    pushed = engine.inner(inverse, own[:, None, :]) - mean[pair] * precision[pair]
    known = inverse - engine.xp.eye(2) * precision[pair]
    least = engine.xp.maximum(known[:, 1, 1], _LEAST)
    sd = engine.xp.sqrt(covariances[:, places[0], places[0]])
    return known[:, 0, 0], known[:, 0, 1], least, pushed[:, 0], pushed[:, 1], own[:, 0], sd


def _moments_of(
    engine: Engine,
    population: Annotated[Array, axes("3")],
    aa: PerItem,
    ae: PerItem,
    ee: PerItem,
    push_a: PerItem,
    push_e: PerItem,
    middle: PerItem,
    width: PerItem,
) -> Annotated[Array, axes("7 items")]:
    """What `LinearMoments` holds."""
    xp, at = engine.xp, (aa, ae, ee, push_a, push_e, middle, width)
    a, weights, centre, squares = _given_slopes(engine, population, *at)

    def average(of: Array) -> PerItem:
        return engine.inner(weights, of)

    slope, difficulty, square = average(a), average(centre), average(squares)
    step = 2 * _REACH / (_NODES - 1) * width[:, None]
    return xp.stack(
        [
            slope,
            xp.sqrt(xp.maximum(average(a**2) - slope**2, 0.0)),
            average(-a * centre),
            difficulty,
            xp.sqrt(xp.maximum(square - difficulty**2, 0.0)),
            square,
            # Of a node's share, what of the step around it lies below zero.
            average(xp.clip(0.5 - a / step, 0.0, 1.0)),
        ]
    )


def _given_slopes(
    engine: Engine,
    population: Annotated[Array, axes("3")],
    aa: PerItem,
    ae: PerItem,
    ee: PerItem,
    push_a: PerItem,
    push_e: PerItem,
    middle: PerItem,
    width: PerItem,
) -> tuple[ItemLevels, ItemLevels, ItemLevels, ItemLevels]:
    """Slopes a at the nodes, their weights, and mean and mean square of the difficulty given each.

    With e = −ab the exponent is quadratic in b for every a.
    """
    xp, (mean, sd, spread) = engine.xp, population
    aa, ae, ee, push_a, push_e = (part[:, None] for part in (aa, ae, ee, push_a, push_e))
    a = middle[:, None] + width[:, None] * xp.linspace(-_REACH, _REACH, _NODES)
    precision = ee * a**2 + spread**-2.0
    pushed = (ae * a - push_e) * a
    centre = pushed / precision
    height = (push_a - 0.5 * aa * a) * a - 0.5 * ((a - mean) / sd) ** 2
    height = height + 0.5 * (pushed * centre - xp.log(precision))
    weights = xp.exp(height - height.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return a, weights, centre, centre**2 + 1.0 / precision


def _likely_spread(some: LinearItems, mean: float, sd: float) -> float:
    """The spread of difficulties in which items, as NumPy has them, are most likely.

    Turns of EM, of which each leaves about the same share of what was left: two tell where it ends.
    """
    log_spread, last = 0.0, 0.0
    for _ in range(_MOST_TURNS):
        population = np.array([mean, sd, np.exp(log_spread)])
        given = *some.known, *some.push, *some.slopes
        _, weights, _, squares = _given_slopes(NUMPY, population, *given)
        found = 0.5 * float(np.log(np.vecdot(weights, squares).mean()))
        step, log_spread = found - log_spread, found
        if abs(step) < _SETTLED:
            break
        share = step / last if last else 0.0
        if 0.0 < share < _MOST_LEFT:
            log_spread += step * share / (1.0 - share)
            last = 0.0
        else:
            last = step
    return float(np.exp(log_spread))


def linear_moments(
    linear: LinearItems,
    items: ItemPopulation,
    places: tuple[int, int],
    engine: Engine = NUMPY,
) -> LinearMoments:
    """Posterior moments of slopes, intercepts and difficulties.

    The spread of difficulties is the one in which the items are most likely. It and that of the
    slopes are known to some per cent only; what that makes uncertain in an item is added.
    """
    xp, mean, sd = engine.xp, float(items.mean[places[0]]), float(items.sd[places[0]])
    spread = _likely_spread(linear.thinned(), mean, sd)
    found = linear.moments(mean, sd, spread, engine)
    ends = ((sd, found.slope_sd), (spread, found.difficulty_sd))
    variances = [_variance_of_log(*end, engine) for end in ends]
    shifted = (
        [linear.moments(mean, sd * np.exp(sign * _STEP), spread, engine) for sign in (1, -1)],
        [linear.moments(mean, sd, spread * np.exp(sign * _STEP), engine) for sign in (1, -1)],
    )

    def widened(column: str, own: PerItem) -> PerItem:
        moves = [
            (getattr(above, column) - getattr(below, column)) / (2 * _STEP)
            for above, below in shifted
        ]
        return xp.sqrt(own**2 + sum(v * m**2 for v, m in zip(variances, moves, strict=True)))

    slope_sd = widened("slope", found.slope_sd)
    difficulty_sd = widened("difficulty", found.difficulty_sd)
    return LinearMoments(
        *map(np.asarray, found._replace(slope_sd=slope_sd, difficulty_sd=difficulty_sd))
    )


def _variance_of_log(spread: float, sds: PerItem, engine: Engine) -> float:
    """Variance of the log spread of a population, from items known to within `sds`.

    An item tells as much of it as its responses, not the population, determine.
    """
    determined = engine.xp.clip(1.0 - (sds / spread) ** 2, 0.0, 1.0)
    return 1.0 / (1.0 + 2.0 * float((determined**2).sum()))
