"""The Wright map's table: how many respondents and items lie where on their common scale."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.curves.ability_axis import AbilityAxis, ability_axis, shown_difficulties
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class WrightMap:
    """Counts in equal bins of the scale; what lies beyond its ends counts in the last bin."""

    axis: AbilityAxis
    edges: Array
    respondents: Array
    items: Array

    def frame(self) -> "pandas.DataFrame":
        """One row per bin: lower, upper, respondents, items."""
        return tabulate(self, "respondents", "items", lower=self.edges[:-1], upper=self.edges[1:])


@takes_evaluations
def wright_map(fit: FitResult, bins: int = 24) -> WrightMap:
    """Count abilities and difficulties along their common scale.

    Parameters
    ----------
    bins : number of equal parts of the scale.
    """
    axis = ability_axis(fit)
    ends = (0.0, 1.0) if axis.is_unit else (float(axis.points[0]), float(axis.points[-1]))
    edges = np.linspace(ends[0], ends[1], bins + 1)
    difficulty = shown_difficulties(fit, axis)
    counts = [
        np.histogram(np.clip(values, *ends), bins=edges)[0]
        for values in (
            axis.shown(fit.estimates.abilities),
            difficulty[np.isfinite(difficulty)],
        )
    ]
    return WrightMap(axis, edges, counts[0], counts[1])
