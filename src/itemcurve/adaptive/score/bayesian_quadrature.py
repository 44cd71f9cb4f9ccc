"""Items whose answers tell most about a weighted mean over all: greedy Bayesian quadrature."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import Array

# More components than these change the choice no more.
_MOST_COMPONENTS = 40
# How far a respondent's general level may lie from the calibrated ones, in units of the means.
_LEVEL = 0.5
_NOISE, _LEAST_VARIANCE = 0.7, 0.02


@dataclass(eq=False)
class Quadrature:
    """What is left unknown of some scores, as items are asked one after the other.

    Responses are taken as a draw from a Gaussian process over items with the covariance that the
    calibration respondents show, and independent noise. Asking an item lowers the variance of a
    score wᵀy by cov(wᵀy, y_j)² / (var y_j + noise); the best item lowers it most.

    Attributes
    ----------
    features : their inner products are the covariance of items (components × items).
    value : covariance of each score with each item, given what was asked (scores × items).
    variance : of each item with its noise, given what was asked (items).
    """

    features: Array
    value: Array
    variance: Array
    inverse: Array
    is_free: NDArray[np.bool_]

    @classmethod
    def of(cls, responses: Array, scores: Array) -> "Quadrature":
        """Start with nothing asked.

        Parameters
        ----------
        responses : complete (respondents × items).
        scores : weights of the items in each score (scores × items).
        """
        means = responses.mean(axis=0)
        spread = (responses - means) / np.sqrt(len(responses))
        width = max(float(np.ptp(responses)), 1e-12)
        noise = np.maximum((spread**2).sum(axis=0), _LEAST_VARIANCE * width**2)
        if len(spread) > _MOST_COMPONENTS:
            _, vectors = np.linalg.eigh(spread @ spread.T)
            spread = vectors[:, -_MOST_COMPONENTS:].T @ spread
        features = np.vstack([spread, _LEVEL * means])
        variance = (features**2).sum(axis=0) + _NOISE * noise
        value = (scores @ features.T) @ features
        free = np.ones(responses.shape[1], dtype=bool)
        return cls(features, value, variance, np.eye(len(features)), free)

    def ask(self, place: int) -> None:
        """Take an item as answered."""
        own = self.inverse @ self.features[:, place]
        covariance = own @ self.features
        scale = self.variance[place]
        self.inverse = self.inverse - np.outer(own, own) / scale
        self.value = self.value - np.outer(self.value[:, place], covariance) / scale
        self.variance = np.maximum(self.variance - covariance**2 / scale, 1e-12)
        self.is_free[place] = False

    def best(self, is_allowed: NDArray[np.bool_]) -> int:
        """Give the item that lowers the variance of the scores most, among those allowed."""
        gain = (self.value**2).sum(axis=0) / self.variance
        return int(np.argmax(np.where(self.is_free & is_allowed, gain, -1.0)))


def choose_greedily(
    responses: Array,
    scores: Array,
    asked: Iterable[int],
    count: int,
    labels: NDArray[np.int_] | None = None,
    quotas: NDArray[np.int_] | None = None,
) -> NDArray[np.int_]:
    """Choose items one by one after those asked; at most `quotas` of each label."""
    state = Quadrature.of(responses, scores)
    for place in asked:
        state.ask(int(place))
    allowed = np.abs(scores).sum(axis=0) > 0
    found: list[int] = []
    left = None if quotas is None else quotas.copy()
    while len(found) < count and (state.is_free & allowed).any():
        now = allowed if left is None or labels is None else allowed & (left[labels] > 0)
        if not (now & state.is_free).any():
            now = allowed
        place = state.best(now)
        found.append(place)
        state.ask(place)
        if left is not None and labels is not None:
            left[labels[place]] -= 1
    return np.array(found, dtype=int)
