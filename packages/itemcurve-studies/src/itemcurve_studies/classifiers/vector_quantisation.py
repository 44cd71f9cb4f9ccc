"""Learning vector quantisation: classes stood for by prototypes that learn from their mistakes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_random_state, validate_data


class VectorQuantisation(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """LVQ1 (Kohonen, 1990) with a falling learning rate.

    Prototypes start at random instances, shared over the classes by frequency, at least one each.
    The nearest prototype of each instance moves towards it when their classes agree, else away.

    Parameters
    ----------
    prototypes : how many in all.
    rate : of learning at the start; it falls to 0 in a line.
    epochs : passes over the data.
    """

    def __init__(
        self,
        prototypes: int = 50,
        rate: float = 0.05,
        epochs: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.prototypes = prototypes
        self.rate = rate
        self.epochs = epochs
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "VectorQuantisation":
        """Place the prototypes."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        random = check_random_state(self.random_state)
        chosen = self._start(codes, random)
        places, self.owners_ = X[chosen].copy(), codes[chosen]
        total, step = self.epochs * len(X), 0
        for _ in range(self.epochs):
            for row in random.permutation(len(X)):
                rate = self.rate * (1 - step / total)
                nearest = int(((places - X[row]) ** 2).sum(axis=1).argmin())
                towards = 1.0 if self.owners_[nearest] == codes[row] else -1.0
                places[nearest] += towards * rate * (X[row] - places[nearest])
                step += 1
        self.places_ = places
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of the nearest prototype."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        squares = (self.places_**2).sum(axis=1) - 2 * X @ self.places_.T
        found: NDArray[Any] = self.classes_[self.owners_[squares.argmin(axis=1)]]
        return found

    def _start(self, codes: NDArray[np.intp], random: Any) -> NDArray[np.intp]:
        counts = np.bincount(codes)
        wanted = np.maximum(1, np.round(self.prototypes * counts / len(codes)).astype(int))
        picked = [
            random.choice(np.flatnonzero(codes == code), min(number, counts[code]), replace=False)
            for code, number in enumerate(wanted)
        ]
        return np.concatenate(picked)
