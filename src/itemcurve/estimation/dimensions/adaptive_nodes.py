"""Nodes of an integration over the abilities of each respondent, placed where its posterior is.

Gauss-Hermite nodes x_q of a standard normal become θ = m + Lx, with m and LLᵀ the respondent's
posterior mean and covariance (Naylor and Smith 1982): a few of them integrate exactly what is
nearly normal.
"""

from dataclasses import dataclass
from itertools import product
from typing import Annotated

import numpy as np
from scipy.special import roots_hermitenorm

from itemcurve.estimation.dimensions.normal_sides import Normals
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

# Products of weights below this share of the largest are left out: the corners of the lattice.
_LEAST_SHARE = 1e-14


@dataclass(frozen=True, eq=False)
class Nodes:
    """Where each respondent is integrated.

    Attributes
    ----------
    points : abilities (respondents × nodes × dimensions).
    log_volume : logarithm of each node's volume (respondents × nodes).
    per_axis : nodes of one dimension.
    """

    points: Annotated[Array, axes("respondents nodes dimensions")]
    log_volume: Annotated[Array, axes("respondents nodes")]
    per_axis: int

    @classmethod
    def around(cls, posteriors: Normals, per_axis: int) -> "Nodes":
        """Nodes for these posteriors."""
        size = posteriors.mean.shape[1]
        lattice, log_weights = _lattice(size, per_axis)
        root = np.linalg.cholesky(posteriors.covariance)
        points = posteriors.mean[:, np.newaxis] + lattice @ root.transpose(0, 2, 1)
        log_size = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        # ∫ f dθ = Σ w_q f(θ_q) |L| / φ(x_q)
        log_density = -0.5 * (lattice**2).sum(axis=1) - 0.5 * size * np.log(2 * np.pi)
        log_volume = log_weights - log_density + log_size[:, np.newaxis]
        return cls(points, log_volume, per_axis)

    @classmethod
    def drawn(cls, posteriors: Normals, count: int, rng: np.random.Generator) -> "Nodes":
        """Nodes drawn from these posteriors, in pairs around the mean: importance sampling."""
        respondents, size = posteriors.mean.shape
        half = rng.standard_normal((respondents, (count + 1) // 2, size))
        lattice = np.concatenate([half, -half], axis=1)
        root = np.linalg.cholesky(posteriors.covariance)
        points = posteriors.mean[:, np.newaxis] + lattice @ root.transpose(0, 2, 1)
        log_size = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        log_density = -0.5 * (lattice**2).sum(axis=2) - 0.5 * size * np.log(2 * np.pi)
        log_volume = log_size[:, np.newaxis] - log_density - np.log(lattice.shape[1])
        return cls(points, log_volume, 0)

    def posteriors(self, shares: Annotated[Array, axes("respondents nodes")]) -> Normals:
        """Means and covariances under these posterior shares of the nodes."""
        mean = np.einsum("nq,nqk->nk", shares, self.points)
        gaps = self.points - mean[:, np.newaxis]
        covariance = np.einsum("nq,nqk,nql->nkl", shares, gaps, gaps, optimize=True)
        return Normals(mean, covariance + 1e-10 * np.eye(mean.shape[1]))


def _lattice(size: int, per_axis: int) -> tuple[Array, Array]:
    nodes, weights = roots_hermitenorm(per_axis)
    log_weights = np.log(weights / weights.sum())
    points = np.array(list(product(nodes, repeat=size))).reshape(-1, size)
    total = np.array([sum(own) for own in product(log_weights, repeat=size)])
    kept = total > total.max() + np.log(_LEAST_SHARE)
    return points[kept], total[kept]
