"""What a test tells along ability: the information of its items, their sum, the standard error."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.curves.ability_axis import AbilityAxis, ability_axis
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

_BLOCK_CELLS = 2**20


@dataclass(frozen=True, eq=False)
class InformationCurves:
    """Information about ability at the points of an axis.

    Attributes
    ----------
    test : of all items together (points).
    items : of each item that was asked for (points × items).
    """

    axis: AbilityAxis
    test: Array
    names: tuple[str, ...]
    items: Array

    @property
    def standard_error(self) -> Array:
        """1/√information: what an ability is known to when all items are answered."""
        with np.errstate(divide="ignore"):
            return 1.0 / np.sqrt(self.test)

    def frame(self) -> "pandas.DataFrame":
        """One row per point: ability, test_information, standard_error, one column per item."""
        import pandas

        columns = {
            "ability": self.axis.shown(self.axis.points),
            "test_information": self.test,
            "standard_error": self.standard_error,
        }
        own = pandas.DataFrame(self.items, columns=list(self.names))
        return pandas.concat([pandas.DataFrame(columns), own], axis=1)


@takes_evaluations
def information_curves(
    fit: FitResult, items: tuple[str, ...] | None = None, *, points: int = 61
) -> InformationCurves:
    """Give the information of the test and of some items along ability.

    Parameters
    ----------
    items : ids; when left out, the five that tell most at some ability.
    points : abilities at which curves are evaluated.
    """
    axis = ability_axis(fit, points)
    test = np.zeros(points)
    highest = np.empty(len(fit.responses.items))
    width = max(1, _BLOCK_CELLS // points)
    for first in range(0, len(highest), width):
        names = fit.responses.items[first : first + width]
        own = fit.bank.select(names).information(axis.points)
        test += own.sum(axis=1)
        highest[first : first + width] = own.max(axis=0)
    if items is None:
        best = np.argsort(-highest, kind="stable")[:5]
        items = tuple(fit.responses.items[index] for index in best)
    chosen = fit.bank.select(items)
    return InformationCurves(axis, test, chosen.items, chosen.information(axis.points))
