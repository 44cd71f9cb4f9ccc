"""Rounds of algorithm 1: many steps of abilities and difficulties, then one of discriminations.

With steps of nearly constant length the search never comes to rest: it wanders about a maximum, and
where it stands after the last round hangs on the seed. What it did in the last two quarters of its
rounds is remembered, to tell wandering from still being on the way, and to give its mean.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from itemcurve.estimation.optimisation.iterate import Coordinates
from itemcurve.estimation.status import FitStatus
from itemcurve.estimation.variational.stochastic.adam_steps import Flat, Moments, climb
from itemcurve.estimation.variational.stochastic.drawn_slopes import (
    CellData,
    DrawnBound,
    NoiseOfSteps,
    Places,
    draw_noise,
)
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import axes

# Of the published code (2019): steps of a round, their length, and how it shrinks: by these
# factors every so many steps. Discriminations take one step a round.
INNER_STEPS = 50
_RATE = 0.1
_INNER_DECAY, _INNER_STAIR = 0.999, 10_000
_OUTER_DECAY, _OUTER_STAIR = 0.9, 100
# So many random numbers are drawn at a time.
_MOST_NUMBERS = 2**22

Quarters = Annotated[Array, axes("2 coordinates")]


@dataclass(frozen=True, eq=False)
class RoundPoint:
    """Where the search stands after a round.

    Attributes
    ----------
    rounds : how many there were.
    sums, squares : of the places after each round of the third and of the fourth quarter.
    """

    moments: Moments
    rounds: int
    sums: Quarters
    squares: Quarters


@dataclass(frozen=True, eq=False)
class Rounds:
    """One round at a time, for the loop that all methods share."""

    engine: Engine
    bound: DrawnBound
    data: CellData
    shape: tuple[int, int, int]
    seed: int
    total: int

    def at(self, *arrays: Array) -> RoundPoint:
        """Take up a search."""
        place, mean, square, rounds, sums, squares = arrays
        return RoundPoint(Moments(place, mean, square), int(rounds), sums, squares)

    def coordinates(self, point: RoundPoint) -> Coordinates:
        """All that it takes to go on as if never interrupted."""
        return *point.moments, np.array(float(point.rounds)), point.sums, point.squares

    def objective(self, point: RoundPoint) -> float:
        """Share of the rounds done: what is raised is seen at random draws only."""
        return point.rounds / self.total

    def step(self, point: RoundPoint) -> tuple[RoundPoint, FitStatus | None]:
        """Go through one round; the last one ends the search, wherever it stands."""
        if point.rounds >= self.total:
            return point, FitStatus.WANDERING
        moments, rounds = self._round(point), point.rounds + 1
        sums, squares = point.sums.copy(), point.squares.copy()
        # The first half of the rounds leads to where it then wanders.
        quarter = 4 * point.rounds // self.total - 2
        if quarter >= 0:
            sums[quarter] += moments.place
            squares[quarter] += moments.place**2
        found = RoundPoint(moments, rounds, sums, squares)
        return found, FitStatus.WANDERING if rounds >= self.total else None

    def _round(self, point: RoundPoint) -> Moments:
        # Each round has a generator of its own, so that an interrupted search goes on alike.
        rng = np.random.default_rng([self.seed, point.rounds])
        items, respondents, free = self.shape
        at_once = max(1, _MOST_NUMBERS // (items * respondents * (1 + free)))
        moments, done = point.moments, point.rounds * INNER_STEPS
        climb_inner, climb_outer = (
            self.engine.compile(function, static=("engine", "bound"))
            for function in (_climb_inner, _climb_outer)
        )
        for first in range(0, INNER_STEPS, at_once):
            noise = draw_noise(rng, min(at_once, INNER_STEPS - first), self.shape)
            moments = climb_inner(
                self.engine, self.bound, self.data, moments, noise, float(done + first)
            )
        if any(self.bound.is_slope):
            noise = draw_noise(rng, 1, self.shape)
            moments = climb_outer(
                self.engine, self.bound, self.data, moments, noise, float(point.rounds)
            )
        return Moments(*(np.asarray(part) for part in moments))


def flatten(places: Places) -> Flat:
    """All coordinates in a row."""
    return np.concatenate([np.asarray(part).ravel() for part in places])


def unflatten(engine: Engine, flat: Flat, respondents: int, free: int) -> Places:
    """Abilities and items again."""
    t, t_width = flat[:respondents], flat[respondents : 2 * respondents]
    x, x_width = engine.xp.split(flat[2 * respondents :], 2)
    return Places(t, t_width, x.reshape(-1, free), x_width.reshape(-1, free))


def _climb_inner(
    engine: Engine,
    bound: DrawnBound,
    data: CellData,
    moments: Moments,
    noise: NoiseOfSteps,
    done: Any,
) -> Moments:
    """Steps of everything but discriminations, as many as there is noise for."""
    is_inner = ~_is_outer(bound, noise)

    def step(number: Any, moments: Moments) -> Moments:
        count = done + number + 1.0
        rate = _RATE * _INNER_DECAY ** ((count - 1.0) // _INNER_STAIR)
        return _climb(engine, bound, data, moments, noise, number, (is_inner, count, rate))

    return engine.repeat(len(noise.abilities), step, moments, lambda state: False)


def _climb_outer(
    engine: Engine,
    bound: DrawnBound,
    data: CellData,
    moments: Moments,
    noise: NoiseOfSteps,
    done: Any,
) -> Moments:
    """One step of the discriminations."""
    rate = _RATE * _OUTER_DECAY ** (done // _OUTER_STAIR)
    return _climb(
        engine, bound, data, moments, noise, 0, (_is_outer(bound, noise), done + 1.0, rate)
    )


def _climb(
    engine: Engine,
    bound: DrawnBound,
    data: CellData,
    moments: Moments,
    noise: NoiseOfSteps,
    number: Any,
    how: tuple[Flat, Any, Any],
) -> Moments:
    respondents, free = noise.abilities.shape[2], len(bound.priors)
    at = unflatten(engine, moments.place, respondents, free)
    slopes = bound.slopes(engine, data, at, noise.at(number))
    gradient = engine.xp.concatenate([part.ravel() for part in slopes])
    return climb(engine, moments, gradient, *how)


def _is_outer(bound: DrawnBound, noise: NoiseOfSteps) -> Flat:
    """Which coordinates are those of discriminations."""
    _, items, respondents = noise.abilities.shape
    own = np.tile(np.array(bound.is_slope), items)
    return np.concatenate([np.zeros(2 * respondents, dtype=bool), own, own])
