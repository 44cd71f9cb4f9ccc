"""Abilities and items on the axes that people read: turned, with signs and names."""

from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.estimation.dimensions.joint_spread import Spread
from itemcurve.estimation.dimensions.loading_pattern import LoadingPattern
from itemcurve.estimation.dimensions.rotation import Rotation, rotate
from itemcurve.estimation.dimensions.variational_climb import Standing
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes


class Reported(NamedTuple):
    """Estimates on the reported axes.

    Attributes
    ----------
    names : of the abilities.
    items, item_covariance : slopes, intercept, own coordinates, and their covariances.
    abilities, ability_covariance : of the respondents.
    correlation : of the abilities' population.
    matrix : what turned the abilities.
    """

    names: tuple[str, ...]
    items: Annotated[Array, axes("items coordinates")]
    item_covariance: Annotated[Array, axes("items coordinates coordinates")]
    abilities: Annotated[Array, axes("respondents dimensions")]
    ability_covariance: Annotated[Array, axes("respondents dimensions dimensions")]
    correlation: Annotated[Array, axes("dimensions dimensions")]
    matrix: Annotated[Array, axes("dimensions dimensions")]

    def pairs(self, covariance: Annotated[Array, axes("pairs pairs")]) -> Array:
        """The covariance of correlations below the diagonal, once axes have other signs."""
        rows, columns = np.tril_indices(len(self.matrix), -1)
        signs = np.diag(self.matrix)[rows] * np.diag(self.matrix)[columns]
        return covariance * np.outer(signs, signs)


def report_axes(
    standing: Standing, spread: Spread, pattern: LoadingPattern, rotation: Rotation
) -> Reported:
    """Turn explored axes; of named ones make most slopes positive."""
    size = pattern.size
    slopes = standing.items.mean[:, :size]
    if pattern.is_exploratory:
        turned = rotate(slopes, rotation)
        matrix, correlation = turned.matrix, turned.correlation
    else:
        signs = np.where(slopes.sum(axis=0) < 0, -1.0, 1.0)
        matrix = np.diag(signs)
        correlation = matrix @ standing.correlation @ matrix
    # a · θ = (M⁻ᵀ a) · (M θ)
    change = np.eye(standing.items.mean.shape[1])
    change[:size, :size] = np.linalg.inv(matrix)
    return Reported(
        pattern.names,
        standing.items.mean @ change,
        change.T @ spread.items @ change,
        standing.respondents.mean @ matrix.T,
        matrix @ spread.respondents @ matrix.T,
        correlation,
        matrix,
    )
