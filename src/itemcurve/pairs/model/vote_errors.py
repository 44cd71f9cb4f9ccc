"""Covariances that allow for votes that go together: those on one item, those of one judge."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.pairs.model.newton_search import Maximum
from itemcurve.pairs.votes.vote_cells import number_cells
from itemcurve.pairs.votes.vote_data import Codes, Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class Clusters:
    """Groups of rows that may go together.

    Attributes
    ----------
    codes : one array for each way to group; of two, a row depends on what shares either.
    name : in words.
    """

    codes: tuple[Codes, ...]
    name: str

    @property
    def count(self) -> int:
        """Of groups; of two ways, the smaller number."""
        return min(int(codes.max()) + 1 for codes in self.codes)


def clustered_covariance(best: Maximum, clusters: Clusters) -> Floats:
    """Give the sandwich covariance of the core's parameters.

    K (Σ_g u_g u_gᵀ G / (G − 1) + P) K, with u_g the gradient of cluster g, K the covariance that
    independent votes would have, G the number of clusters and P the precision of priors. Two ways
    to group add up, less what they share (Cameron, Gelbach and Miller 2011).
    """
    scores = _row_scores(best)
    middle = _meat(scores, clusters.codes[0])
    if len(clusters.codes) == 2:
        sizes = [int(codes.max()) + 1 for codes in clusters.codes]
        shared = number_cells(clusters.codes, sizes)[0]
        middle = middle + _meat(scores, clusters.codes[1]) - _meat(scores, shared)
    # A prior counts as an observation of its own, which nothing goes together with.
    middle = middle + np.diag(best.point.problem.precision[: len(middle)])
    bread = best.system.core_covariance()
    return _positive(bread @ middle @ bread)


def _row_scores(best: Maximum) -> "csr_array[Any, Any]":
    """Gradient of every row in the core's parameters."""
    by_eta, by_tau = best.point.jacobians
    core = best.point.problem.layout.core_size
    moments = best.point.moments
    scores = by_eta.multiply(moments.eta_residual[:, np.newaxis]).tocsr()
    scores = scores + by_tau.multiply(moments.tau_residual[:, np.newaxis]).tocsr()
    return scores[:, :core]


def _meat(scores: "csr_array[Any, Any]", codes: Codes) -> Floats:
    from scipy.sparse import csr_array

    count = int(codes.max()) + 1
    places = (np.ones(len(codes)), (codes, np.arange(len(codes))))
    sums = csr_array(places, (count, len(codes))) @ scores
    return np.asarray((sums.T @ sums).toarray()) * count / max(count - 1, 1)


def _positive(covariance: Floats) -> Floats:
    """Cut negative variances, which the difference of two ways to group may leave, to 0."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    if values.min() >= 0:
        return covariance
    return (vectors * np.maximum(values, 0.0)) @ vectors.T
