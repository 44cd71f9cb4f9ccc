"""Respondents and items as normal posteriors, and what they say of each other's responses."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

Vectors = Annotated[Array, axes("rows coordinates")]
Matrices = Annotated[Array, axes("rows coordinates coordinates")]


@dataclass(frozen=True, eq=False)
class Normals:
    """One normal posterior for each respondent, or for each item.

    Respondents have their abilities; items their slopes, the intercept, then own coordinates.
    """

    mean: Vectors
    covariance: Matrices

    @property
    def second_moment(self) -> Matrices:
        """E[x xᵀ]."""
        return self.covariance + outer(self.mean)

    def head(self, size: int) -> "Normals":
        """The first coordinates alone."""
        return Normals(self.mean[:, :size], self.covariance[:, :size, :size])

    def rows(self, rows: slice | Array) -> "Normals":
        """Some of them."""
        return Normals(self.mean[rows], self.covariance[rows])

    def with_one(self) -> "Normals":
        """The same with a last coordinate that is one: what an intercept is multiplied by."""
        count, size = self.mean.shape
        mean = np.column_stack([self.mean, np.ones(count)])
        covariance = np.zeros((count, size + 1, size + 1))
        covariance[:, :size, :size] = self.covariance
        return Normals(mean, covariance)

    def transformed(self, shift: Array, matrix: Array) -> "Normals":
        """The same of M(x − shift)."""
        return Normals((self.mean - shift) @ matrix.T, matrix @ self.covariance @ matrix.T)


def outer(vectors: Vectors) -> Matrices:
    """Give x xᵀ of each row."""
    return vectors[:, :, np.newaxis] * vectors[:, np.newaxis, :]


def flat(matrices: Matrices) -> Annotated[Array, axes("rows entries")]:
    """Matrices as rows, so that sums of products of them are matrix products."""
    return matrices.reshape(len(matrices), -1)


def predictors(respondents: Normals, items: Normals) -> tuple[Array, Array]:
    """Mean and variance of z = a·θ + e in every cell (items × respondents each).

    With x = (θ, 1) and b = (a, e) independent, Var[b·x] = bᵀ Σ_x b + xᵀ Σ_b x + tr(Σ_b Σ_x).
    """
    extended = respondents.with_one()
    own = items.head(extended.mean.shape[1])
    mean = own.mean @ extended.mean.T
    variance = flat(own.second_moment) @ flat(extended.covariance).T
    variance += flat(own.covariance) @ flat(outer(extended.mean)).T
    return mean, np.maximum(variance, 0.0)
