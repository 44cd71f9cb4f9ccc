"""The item after which ability will be known best, whatever the answer."""

from dataclasses import dataclass

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.adaptive.selection.curve_table import (
    CurveTable,
    PosteriorGrid,
    likelihood_curves,
    success_chances,
    tabulate,
)
from itemcurve.adaptive.selection.outcomes import Outcomes
from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.errors import ModelError
from itemcurve.models.capabilities import HasCategories
from itemcurve.numerics.engine import Array

_TINY = 1e-300
# Items whose densities at all points and abilities fit into a processor's cache.
_BLOCK = 128


@dataclass(frozen=True)
class PosteriorVariance:
    """How much the posterior variance of ability falls in expectation (van der Linden 1998).

    The item with the smallest expected posterior variance has the highest value. The fall is the
    variance of the posterior mean over the answers: Σ_y (Σ_θ w (θ − μ) P(y|θ))² / Σ_θ w P(y|θ).
    """

    def __call__(self, bank: Bank, state: AdaptiveState) -> Array:
        """Expected fall of the variance (items)."""
        grid = PosteriorGrid.around(state)
        weights, nodes = grid.weights(state), grid.abilities(bank)
        moments = np.stack([weights, weights * (nodes - weights @ nodes)])
        found = np.empty(len(bank))
        curves, chances = (tabulate(bank, kind) for kind in (likelihood_curves, success_chances))
        for part, curve, chance in zip(bank.parts, curves, chances, strict=True):
            family, has_categories = part.model.family, isinstance(part.model, HasCategories)
            if not (family.is_continuous or has_categories or len(family.statistics) == 1):
                raise ModelError(
                    "Posterior variance values items whose possible responses are known.",
                    f"Those of {part.model.name} are not.",
                    "Use the rule fisher.",
                )
            found[part.positions] = (
                _graded(part, curve, grid, moments)
                if family.is_continuous or has_categories
                else _right_or_wrong(chance, grid, moments)
            )
        return found


def _right_or_wrong(chance: CurveTable, grid: PosteriorGrid, moments: Array) -> Array:
    """Of two answers, the deviations of the mean are opposite."""
    right, shift = moments @ chance.at(grid)
    return np.asarray(shift**2 / np.maximum(right * (1.0 - right), _TINY))


def _graded(part: BankPart, curves: CurveTable, grid: PosteriorGrid, moments: Array) -> Array:
    """Sum over points of the response, for some items at a time."""
    table = curves.at(grid)
    outcomes = Outcomes(part, curves.abilities(grid)[[0, len(moments[0]) // 2, -1]])
    size = len(part.positions)
    blocks = [slice(at, at + _BLOCK) for at in range(0, size, _BLOCK)]
    return np.concatenate([_shifts(outcomes, table, block, moments) for block in blocks])


def _shifts(outcomes: Outcomes, table: Array, items: slice, moments: Array) -> Array:
    """Variance of the posterior mean; points are normalised to a sum of one at each ability."""
    heights = outcomes.heights(table, items)
    chances = np.exp(heights - heights.max(axis=0))
    chances /= chances.sum(axis=0)
    mass, shift = np.moveaxis(moments @ chances, 1, 0)
    return np.asarray((shift**2 / np.maximum(mass, _TINY)).sum(axis=0))
