"""A decision tree whose leaves are never certain."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier


class SmoothedTree(DecisionTreeClassifier):  # type: ignore[misc]
    """A decision tree with Laplace-smoothed leaves: (n_k + 1) / (n + K) for class k of K.

    A fully grown tree says 0 or 1 only, and one wrong leaf would count as certain error; the tree
    of Chen et al. (2019) is smoothed like this. Parameters are those of scikit-learn's.
    """

    def predict_proba(self, X: Any, check_input: bool = True) -> NDArray[np.float64]:
        """Smoothed share of each class in the leaf of each row (rows × classes)."""
        leaves = self.apply(X, check_input=check_input)
        tree = self.tree_
        # Since scikit-learn 1.3 a node holds shares of its weight, not counts.
        counts = tree.value[leaves, 0, :] * tree.weighted_n_node_samples[leaves, np.newaxis]
        smoothed: NDArray[np.float64] = (counts + 1) / (
            counts.sum(axis=1, keepdims=True) + counts.shape[1]
        )
        return smoothed

    def predict(self, X: Any, check_input: bool = True) -> NDArray[Any]:
        """The most probable class, as of an unsmoothed tree."""
        chosen = np.argmax(self.predict_proba(X, check_input), axis=1)
        found: NDArray[Any] = self.classes_[chosen]
        return found
