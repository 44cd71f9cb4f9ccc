"""Small data for tests of evaluations."""

from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier


@dataclass(frozen=True)
class Parts:
    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    def __iter__(self):
        return iter((self.X_train, self.y_train, self.X_test, self.y_test))


@pytest.fixture(scope="session")
def moons():
    X, y = make_moons(160, noise=0.3, random_state=0)
    return Parts(X[:100], y[:100], X[100:], y[100:])


@pytest.fixture(scope="session")
def line():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = X @ [1.0, -2.0, 0.5] + 0.3 * rng.normal(size=120)
    return Parts(X[:80], y[:80], X[80:], y[80:])


@pytest.fixture
def few():
    return {
        "logistic": LogisticRegression(),
        "bayes": GaussianNB(),
        "neighbours": KNeighborsClassifier(5),
        "tree": DecisionTreeClassifier(max_depth=3),
    }
