"""What is known of slope and difficulty of each item, given the population that items come from.

The difficulty b = −e/a is a ratio: of an item that might be flat, the ratio of the two modes can be
any number, and the error of a ratio by differentiation is as wild. But items come from a population
with a spread of difficulties, which the items that are not flat tell. Given the slope, the
likelihood is normal in the intercept, hence in the difficulty, and a normal population makes its
posterior normal: what is left is an integral over the slope.
"""

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

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
        given = engine.place_all((likelihoods.information, likelihoods.push, *items.normal))
        aa, ae, ee, push_a, push_e, centre, sd = run(engine, places, *given)
        return cls((aa, ae, ee), (push_a, push_e), (centre, sd))

    def moments(self, mean: float, sd: float, spread: float) -> LinearMoments:
        """Posterior moments where slopes are N(mean, sd²) and difficulties N(0, spread²)."""
        population = np.array([mean, sd, spread])
        return LinearMoments(*_moments(NUMPY, population, self.parts))

    @property
    def parts(self) -> tuple[PerItem, ...]:
        """All of it (items each), in the order of the attributes."""
        return (*self.known, *self.push, *self.slopes)


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


def _moments(
    engine: Engine,
    population: Annotated[Array, axes("3")],
    parts: tuple[PerItem, ...],
) -> tuple[PerItem, ...]:
    """What `LinearMoments` holds, found some items at a time."""
    return engine.by_rows(
        lambda rows: _moments_of(engine, population, *(part[rows] for part in parts)),
        len(parts[0]),
        _ITEMS_AT_ONCE,
    )


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
) -> tuple[PerItem, ...]:
    """What `LinearMoments` holds."""
    xp, at = engine.xp, (aa, ae, ee, push_a, push_e, middle, width)
    a, weights, centre, squares = _given_slopes(engine, population, *at)

    def average(of: Array) -> PerItem:
        return engine.inner(weights, of)

    slope, difficulty, square = average(a), average(centre), average(squares)
    step = 2 * _REACH / (_NODES - 1) * width[:, None]
    return (
        slope,
        xp.sqrt(xp.maximum(average(a**2) - slope**2, 0.0)),
        average(-a * centre),
        difficulty,
        xp.sqrt(xp.maximum(square - difficulty**2, 0.0)),
        square,
        # Of a node's share, what of the step around it lies below zero.
        average(xp.clip(0.5 - a / step, 0.0, 1.0)),
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
    place = places[0]
    normal = np.array([items.mean[place], items.sd[place]])
    run = engine.compile(_reported_moments, static=("engine",))
    return LinearMoments(*np.asarray(run(engine, *engine.place_all((normal, linear.parts)))))


def _reported_moments(
    engine: Engine, normal: Annotated[Array, axes("2")], parts: tuple[PerItem, ...]
) -> Annotated[Array, axes("7 items")]:
    xp = engine.xp
    spread = _spread_of_difficulties(engine, normal, parts)
    population = xp.concatenate([normal, xp.reshape(spread, (1,))])
    found = LinearMoments(*_moments(engine, population, parts))
    added = 0.0
    for which, sds in ((1, found.slope_sd), (2, found.difficulty_sd)):
        shift = np.exp(_STEP * (np.arange(3) == which))
        ends = (_moments(engine, population * factor, parts) for factor in (shift, 1.0 / shift))
        above, below = (
            xp.stack([end.slope, end.difficulty]) for end in map(LinearMoments._make, ends)
        )
        move = (above - below) / (2 * _STEP)
        added = added + _variance_of_log(population[which], sds, engine) * move**2
    slope_sd, difficulty_sd = xp.sqrt(xp.stack([found.slope_sd, found.difficulty_sd]) ** 2 + added)
    return xp.stack(found._replace(slope_sd=slope_sd, difficulty_sd=difficulty_sd))


def _spread_of_difficulties(
    engine: Engine, normal: Annotated[Array, axes("2")], parts: tuple[PerItem, ...]
) -> Array:
    """The spread of difficulties in which some thousands of the items are most likely.

    Turns of EM, of which each leaves about the same share of what was left: two tell where it ends.
    """
    xp, step = engine.xp, -(-len(parts[0]) // ENOUGH_ITEMS)
    some = tuple(part[::step] for part in parts)

    def turn(_: Any, state: Any) -> Any:
        log_spread, last, _ = state
        population = xp.concatenate([normal, xp.exp(log_spread)[None]])
        found = 0.5 * xp.log(_mean_square(engine, population, some))
        move = found - log_spread
        share = xp.where(last == 0, 0.0, move / xp.where(last == 0, 1.0, last))
        leaps = (share > 0) & (share < _MOST_LEFT) & (xp.abs(move) >= _SETTLED)
        rest = xp.where(leaps, move * share / (1.0 - share), 0.0)
        return xp.stack([found + rest, xp.where(leaps, 0.0, move), move])

    def goes_on(state: Any) -> Any:
        return xp.abs(state[2]) >= _SETTLED

    start = xp.asarray([0.0, 0.0, 1.0])
    found: Array = engine.take_turns(turn, start, goes_on, _MOST_TURNS)
    return xp.exp(found[0])


def _mean_square(
    engine: Engine, population: Annotated[Array, axes("3")], parts: tuple[PerItem, ...]
) -> Array:
    """The mean square of all difficulties."""

    def own(rows: slice) -> tuple[PerItem]:
        at = (part[rows] for part in parts)
        _, weights, _, squares = _given_slopes(engine, population, *at)
        return (engine.inner(weights, squares),)

    (found,) = engine.by_rows(own, len(parts[0]), _ITEMS_AT_ONCE)
    return found.mean()


def _variance_of_log(spread: Array, sds: PerItem, engine: Engine) -> Array:
    """Variance of the log spread of a population, from items known to within `sds`.

    An item tells as much of it as its responses, not the population, determine.
    """
    determined = engine.xp.clip(1.0 - (sds / spread) ** 2, 0.0, 1.0)
    variance: Array = 1.0 / (1.0 + 2.0 * (determined**2).sum())
    return variance
