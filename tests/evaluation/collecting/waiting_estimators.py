"""Estimators that can be held up from outside, and that tell in which process they were trained."""

import os
import time
import warnings
from pathlib import Path

from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier


def kept_answers(cache) -> list[Path]:
    """Files of answers in a cache, without those that are being written."""
    return list(Path(cache).glob("[!.]*.npz"))


class WaitingTree(DecisionTreeClassifier):
    """Once four answers are kept, waits for as long as a file is there.

    Whichever four: a cluster takes tasks in an order of its own, so none may be named beforehand.
    """

    def __init__(self, depth=1, cache="", random_state=None):
        super().__init__(max_depth=depth, random_state=random_state)
        self.depth = depth
        self.cache = cache

    def fit(self, X, y):
        while Path(f"{self.cache}.closed").exists() and len(kept_answers(self.cache)) >= 4:
            time.sleep(0.01)
        warnings.warn(f"process {os.getpid()}", stacklevel=1)
        return super().fit(X, y)


class TellingLine(LinearRegression):
    def fit(self, X, y):
        warnings.warn(f"process {os.getpid()}", stacklevel=1)
        return super().fit(X, y)
