"""How well responses tell the correlations of abilities."""

from typing import Annotated

import numpy as np

from itemcurve.estimation.dimensions.correlations.correlation_angles import (
    angles_of,
    correlation_slopes,
)
from itemcurve.estimation.dimensions.correlations.second_order import (
    general_loadings,
    loading_slopes,
)
from itemcurve.estimation.dimensions.normal_sides import Normals
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

Square = Annotated[Array, axes("dimensions dimensions")]
Pairs = Annotated[Array, axes("pairs pairs")]


def from_angles(correlation: Square, covariance: Array) -> Pairs:
    """Covariance of the correlations below the diagonal, from that of their angles."""
    size = len(correlation)
    slopes = correlation_slopes(angles_of(correlation), size)
    rows, columns = np.tril_indices(size, -1)
    change = slopes[:, rows, columns].T
    return change @ covariance @ change.T


def from_posteriors(
    correlation: Square, respondents: Normals, *, is_second_order: bool = False
) -> Pairs:
    """The same from each respondent's score, (R⁻¹ (E[θθᵀ] − R) R⁻¹) below the diagonal.

    What is not known of the items is left out; it moves slopes, hardly correlations.

    Parameters
    ----------
    is_second_order : whether correlations are made of as many loadings as there are abilities.
    """
    inverse = np.linalg.inv(correlation)
    rows, columns = np.tril_indices(len(correlation), -1)
    scores = (inverse @ (respondents.second_moment - correlation) @ inverse)[:, rows, columns]
    information = scores.T @ scores
    if is_second_order and len(correlation) > 2:
        slopes = loading_slopes(general_loadings(correlation))
        own = np.linalg.pinv(slopes.T @ information @ slopes, hermitian=True)
        return slopes @ own @ slopes.T
    return np.linalg.pinv(information, hermitian=True)


def as_matrix(variances: Annotated[Array, axes("pairs")], size: int) -> Square:
    """Standard errors of all correlations; zero on the diagonal."""
    found = np.zeros((size, size))
    rows, columns = np.tril_indices(size, -1)
    found[rows, columns] = found[columns, rows] = np.sqrt(np.maximum(variances, 0.0))
    return found
