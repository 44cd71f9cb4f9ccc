"""Residuals by item and group of ability: where a curve runs too high or too low."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.curves.ability_axis import AbilityAxis, ability_axis
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.model_fit.residuals import iterate_residuals
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class GroupedResiduals:
    """Standardised sums of residuals (items × groups), the worst items first.

    About standard normal where the model holds: beyond ±3 the curve is off there.
    """

    items: tuple[str, ...]
    axis: AbilityAxis
    abilities: Array
    residuals: Array

    def frame(self) -> "pandas.DataFrame":
        """One row per item and group: item, ability, residual."""
        import pandas

        shown = self.axis.shown(self.abilities)
        return pandas.DataFrame(
            {
                "item": np.repeat(np.array(self.items, dtype=object), len(shown)),
                "ability": np.tile(shown, len(self.items)),
                "residual": self.residuals.ravel(),
            }
        )


@takes_evaluations
def grouped_residuals(fit: FitResult, *, items: int = 20, groups: int = 8) -> GroupedResiduals:
    """Sum residuals over groups of respondents with similar ability.

    Parameters
    ----------
    items : how many to keep, those with the largest sum of squares.
    groups : number of groups; fewer where there would be fewer than 5 respondents in one.
    """
    if items < 1 or groups < 2:
        raise ModelError(
            "Grouped residuals need at least 1 item and 2 groups.",
            f"Got items={items}, groups={groups}.",
            "Leave them out if unsure.",
        )
    abilities = fit.estimates.abilities
    size = len(abilities)
    count = max(1, min(groups, size // 5))
    membership = np.zeros((count, size))
    order = np.argsort(abilities, kind="stable")
    membership[np.arange(size) * count // size, order] = 1.0
    parts = []
    for block in iterate_residuals(fit):
        sums = membership @ (block.raw * block.weight)
        spread = np.sqrt(membership @ (block.variance * block.weight**2))
        scaled = np.zeros(sums.shape)
        np.divide(sums, spread, out=scaled, where=spread > 0)
        parts.append(scaled.T)
    found = np.concatenate(parts)
    worst = np.argsort(-(found**2).sum(axis=1), kind="stable")[:items]
    return GroupedResiduals(
        tuple(fit.responses.items[index] for index in worst),
        ability_axis(fit),
        membership @ abilities / membership.sum(axis=1),
        found[worst],
    )
