"""Item curves at fixed abilities, worked out once per bank instead of once per question.

Abilities lie on grids of step σ/2^level around the population's mean, so that the posterior of one
question and the next share most of their points whatever its centre and spread.
"""

from collections.abc import Callable
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.numerics.engine import NUMPY, Array

# A smooth posterior summed at half its standard deviation is integrated to ten digits.
_POINTS_PER_SPREAD = 2.0
# Guessing leaves a long lower tail.
_REACH = 8.0
# Narrower posteriors than σ/2^12 come with millions of answers.
_FINEST = 12


class PosteriorGrid(NamedTuple):
    """Points of a grid that cover a posterior: level, first and last step from the mean."""

    level: int
    first: int
    last: int

    @classmethod
    def around(cls, state: AdaptiveState) -> "PosteriorGrid":
        """The coarsest grid that integrates the state's posterior."""
        sd = state.bank.ability_sd
        spread = max(state.spread, sd * 2.0**-_FINEST)
        level = max(int(np.ceil(np.log2(_POINTS_PER_SPREAD * sd / spread))), 0)
        middle, half = (state.centre - state.bank.ability_mean) / sd, _REACH * spread / sd
        first, last = (int(np.rint((middle + side * half) * 2**level)) for side in (-1, 1))
        return cls(level, first, last)

    def abilities(self, bank: Bank) -> Array:
        """The points."""
        return bank.ability_mean + bank.ability_sd * self.steps()

    def steps(self) -> Array:
        """The points in standard deviations of the population from its mean."""
        return np.arange(self.first, self.last + 1) / 2.0**self.level

    def weights(self, state: AdaptiveState) -> Array:
        """Posterior at the points; the sum is one."""
        height = state.log_likelihood(self.abilities(state.bank)) - 0.5 * self.steps() ** 2
        found = np.exp(height - height.max())
        return np.asarray(found / found.sum())


class CurveTable:
    """Curves of one part of a bank at points of a grid; the points of the latest level are kept."""

    def __init__(self, bank: Bank, part: BankPart, curves: "_Curves") -> None:
        # A table that held its bank would keep it alive for ever.
        self._origin, self._unit = bank.ability_mean, bank.ability_sd
        self._part = part
        self._curves = curves
        self._kept: tuple[PosteriorGrid, Array] | None = None

    def at(self, grid: PosteriorGrid) -> Array:
        """Curves at the points (… × points × items)."""
        kept = self._kept
        if kept is None or kept[0].level != grid.level or not _touch(kept[0], grid):
            kept = grid, self._compute(grid.level, grid.first, grid.last)
        else:
            kept = self._widen(*kept, grid)
        self._kept = kept
        start = grid.first - kept[0].first
        return kept[1][..., start : start + grid.last - grid.first + 1, :]

    def abilities(self, grid: PosteriorGrid) -> Array:
        """The points of the grid."""
        return self._origin + self._unit * grid.steps()

    def _widen(
        self, have: PosteriorGrid, table: Array, grid: PosteriorGrid
    ) -> tuple[PosteriorGrid, Array]:
        """Add the points that are missing at either side."""
        parts = [table]
        if grid.first < have.first:
            parts.insert(0, self._compute(grid.level, grid.first, have.first - 1))
        if grid.last > have.last:
            parts.append(self._compute(grid.level, have.last + 1, grid.last))
        if len(parts) == 1:
            return have, table
        first, last = min(grid.first, have.first), max(grid.last, have.last)
        return PosteriorGrid(grid.level, first, last), np.concatenate(parts, axis=-2)

    def _compute(self, level: int, first: int, last: int) -> Array:
        abilities = self.abilities(PosteriorGrid(level, first, last))
        found = self._curves(self._part, abilities)
        # Points before items: a posterior is summed over rows that lie together in memory.
        return np.ascontiguousarray(np.moveaxis(found, -1, -2))


def _touch(have: PosteriorGrid, grid: PosteriorGrid) -> bool:
    return grid.first <= have.last + 1 and have.first <= grid.last + 1


def likelihood_curves(part: BankPart, abilities: Array) -> Array:
    """Curves of the likelihood (curves × items × abilities)."""
    found = part.likelihood.curves(NUMPY, abilities, part.values)
    return np.stack(np.broadcast_arrays(*found))


def success_chances(part: BankPart, abilities: Array) -> Array:
    """Chance of a right answer (items × abilities)."""
    return np.asarray(part.likelihood.expected_response(NUMPY, abilities, part.values))


_Curves = Callable[[BankPart, Array], Array]
_TABLES: WeakKeyDictionary[Bank, dict[_Curves, list[CurveTable]]] = WeakKeyDictionary()


def tabulate(bank: Bank, curves: _Curves) -> list[CurveTable]:
    """Tables of the bank's parts, the same ones each time; they go when the bank goes."""
    own = _TABLES.setdefault(bank, {})
    if curves not in own:
        own[curves] = [CurveTable(bank, part, curves) for part in bank.parts]
    return own[curves]
