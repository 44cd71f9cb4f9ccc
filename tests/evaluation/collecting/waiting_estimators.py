"""Estimators that can be held up from outside, and that tell in which process they were trained."""

import os
import time
import warnings
from pathlib import Path

from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier


class WaitingTree(DecisionTreeClassifier):
    """Waits for as long as a file is there; the first two depths never do."""

    def __init__(self, depth=1, gate="", random_state=None):
        super().__init__(max_depth=depth, random_state=random_state)
        self.depth = depth
        self.gate = gate

    def fit(self, X, y):
        while self.depth > 2 and Path(self.gate).exists():
            time.sleep(0.01)
        warnings.warn(f"process {os.getpid()}", stacklevel=1)
        return super().fit(X, y)


class TellingLine(LinearRegression):
    def fit(self, X, y):
        warnings.warn(f"process {os.getpid()}", stacklevel=1)
        return super().fit(X, y)
