"""Mean responses to items along ability: the points that belong on an item curve."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array, Matrix

if TYPE_CHECKING:
    import pandas

# Fewer respondents than this are shown one by one.
_FEW_RESPONDENTS = 40


@dataclass(frozen=True, eq=False)
class ObservedCurves:
    """Mean responses of groups of respondents with similar ability.

    Attributes
    ----------
    abilities : mean ability of each group, on the scale of estimation.
    means, weights : mean response and number of responses (groups × items); NaN where none.
    is_grouped : False when each group is one respondent.
    """

    items: tuple[str, ...]
    abilities: Array
    means: Array
    weights: Array
    is_grouped: bool

    def frame(self) -> "pandas.DataFrame":
        """One row per item and group: item, ability, mean_response, responses."""
        import pandas

        return pandas.DataFrame(
            {
                "item": np.repeat(np.array(self.items, dtype=object), len(self.abilities)),
                "ability": np.tile(self.abilities, len(self.items)),
                "mean_response": self.means.T.ravel(),
                "responses": self.weights.T.ravel(),
            }
        )


def observe_curves(fit: FitResult, columns: list[int], groups: int) -> ObservedCurves:
    """Gather respondents into groups of equal size by ability, and average their responses."""
    abilities = fit.estimates.abilities
    order = np.argsort(abilities, kind="stable")
    size = len(order)
    count = size if size <= max(_FEW_RESPONDENTS, groups) else groups
    membership = np.zeros((count, size))
    membership[np.arange(size) * count // size, order] = 1.0
    responses = fit.responses.take(None, columns)
    sums = np.asarray(_product(membership, responses.accumulate(_float)))
    weight = responses.weight()
    weights = (
        np.repeat(membership.sum(axis=1, keepdims=True), len(columns), axis=1)
        if weight is None
        else np.asarray(_product(membership, weight))
    )
    means = np.full(sums.shape, np.nan)
    np.divide(sums, weights, out=means, where=weights > 0)
    centres = membership @ abilities / membership.sum(axis=1)
    return ObservedCurves(responses.items, centres, means, weights, count < size)


def _product(membership: Array, cells: Matrix) -> Array:
    """Sum cells over the members of each group; cells may be sparse."""
    # From the right, so that a sparse matrix decides how to multiply.
    return (cells.T @ membership.T).T


def _float(values: Array) -> Array:
    return values.astype(float)
