"""AdaBoost as scikit-learn had it until 1.5: SAMME.R, on the probabilities of stumps.

Zhu et al. (2009), algorithm 4. scikit-learn dropped it, and a study of 2023 that says AdaBoost
means this.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

_TINY = np.finfo(np.float64).eps


class RealAdaBoost(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Boosted stumps that vote with log-probabilities.

    Parameters
    ----------
    n_estimators : rounds.
    random_state : seed of the stumps.
    """

    def __init__(self, n_estimators: int = 50, random_state: int | None = None) -> None:
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X: NDArray[Any], y: NDArray[Any]) -> "RealAdaBoost":
        """Grow one stump a round, each on rows weighted by how badly the former ones fit."""
        from sklearn.tree import DecisionTreeClassifier

        seeds = np.random.RandomState(self.random_state)
        self.classes_, codes = np.unique(y, return_inverse=True)
        others = len(self.classes_) - 1
        coding = np.where(codes[:, None] == np.arange(others + 1), 1.0, -1.0 / others)
        weights = np.full(len(y), 1.0 / len(y))
        self.stumps_ = []
        for _ in range(self.n_estimators):
            stump = DecisionTreeClassifier(
                max_depth=1, random_state=seeds.randint(np.iinfo(np.int32).max)
            )
            self.stumps_.append(stump.fit(X, y, sample_weight=weights))
            change = (coding * _log_probabilities(stump, X)).sum(axis=1)
            weights = weights * np.exp(-others / (others + 1) * change)
            weights /= weights.sum()
        return self

    def decision_function(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Give the votes: rows × classes, or one column's difference for two classes."""
        logs = [_log_probabilities(stump, X) for stump in self.stumps_]
        votes = sum(log - log.mean(axis=1, keepdims=True) for log in logs)
        return np.asarray(votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes)

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        """Name the class with most votes."""
        votes = self.decision_function(X)
        places = (votes > 0).astype(int) if votes.ndim == 1 else votes.argmax(axis=1)
        return np.asarray(self.classes_[places])


def _log_probabilities(stump: Any, X: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(np.log(np.clip(stump.predict_proba(X), _TINY, None)))
