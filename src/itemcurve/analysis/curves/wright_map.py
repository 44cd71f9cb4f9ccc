"""The Wright map's table: how many respondents and items lie where on their common scale."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.curves.ability_axis import AbilityAxis, ability_axis, shown_difficulties
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.estimation.result import FitResult
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import Array
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class WrightMap:
    """Counts in equal bins of the scale; what lies beyond its ends counts in the last bin.

    Attributes
    ----------
    thresholds : of items with several categories, where one gives way to the next; None where no
        item has any.
    """

    axis: AbilityAxis
    edges: Array
    respondents: Array
    items: Array
    thresholds: Array | None = None

    def frame(self) -> "pandas.DataFrame":
        """One row per bin: lower, upper, respondents, items, and thresholds where there are any."""
        names = ["respondents", "items", *(["thresholds"] if self.thresholds is not None else [])]
        return tabulate(self, *names, lower=self.edges[:-1], upper=self.edges[1:])


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
    columns = fit.estimates.item_columns
    roles = fit.estimates.model.columns
    thresholds = [columns[name] for name, role in roles.items() if role is Role.THRESHOLD]

    def counted(values: Array) -> Array:
        return np.histogram(np.clip(values[np.isfinite(values)], *ends), bins=edges)[0]

    return WrightMap(
        axis,
        edges,
        counted(axis.shown(fit.estimates.abilities)),
        counted(shown_difficulties(fit, axis)),
        counted(np.concatenate(thresholds)) if thresholds else None,
    )
