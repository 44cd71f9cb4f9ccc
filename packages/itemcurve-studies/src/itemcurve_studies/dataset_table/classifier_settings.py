"""The classifiers of the datasets-as-items study: nine algorithms in eight settings, five held out.

Song and Flach (2021) name the nine algorithms and print neither settings nor code for them; these
are ours, chosen so that each algorithm spans weak to strong. The held-out five are at scikit-learn
defaults, none of which is in the pool. A support vector machine gives probabilities through a
sigmoid fitted to cross-validated decision values (three folds), because its own `probability`
setting is deprecated; a multilayer perceptron stops when its training loss stands still, because
early stopping on a validation part fails on data sets of a few dozen rows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Group = Literal["pool", "held out"]
Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]


class ProbabilisticClassifier(Protocol):
    """What is asked of a classifier."""

    def fit(self, X: Numbers, y: Labels) -> Any:
        """Learn from rows and labels."""

    def predict_proba(self, X: Numbers) -> Numbers:
        """Give class probabilities, rows × classes."""


@dataclass(frozen=True)
class Setting:
    """A named classifier, and how to build it from a seed."""

    name: str
    algorithm: str
    group: Group
    build: Callable[[int], ProbabilisticClassifier]


class SubsampledGaussianProcess:
    """A Gaussian process on a random part of the training rows, one row per class at least.

    The kernel is fixed: its length scale is `scale` · √features, the typical distance between
    standardised rows, so that no optimisation is needed.
    """

    def __init__(self, rows: int, scale: float, seed: int) -> None:
        self.rows, self.scale, self.seed = rows, scale, seed

    def __repr__(self) -> str:
        return f"SubsampledGaussianProcess(rows={self.rows}, scale={self.scale})"

    def fit(self, X: Numbers, y: Labels) -> "SubsampledGaussianProcess":
        """Draw one row of each class, then others at random, and fit the process on them."""
        from sklearn.gaussian_process import GaussianProcessClassifier
        from sklearn.gaussian_process.kernels import RBF, ConstantKernel

        order = np.random.default_rng(self.seed).permutation(len(y))
        first = order[np.unique(y[order], return_index=True)[1]]
        others = order[~np.isin(order, first)]
        drawn = np.concatenate([first, others[: max(self.rows - first.size, 0)]])
        kernel = ConstantKernel(4.0) * RBF(self.scale * np.sqrt(X.shape[1]))
        self._process = GaussianProcessClassifier(kernel, optimizer=None, max_iter_predict=20)
        self._process.fit(X[drawn], y[drawn])
        return self

    def predict_proba(self, X: Numbers) -> Numbers:
        """Give class probabilities, rows × classes."""
        return np.asarray(self._process.predict_proba(X), dtype=np.float64)


def list_settings() -> list[Setting]:
    """List the 72 classifiers of the pool, then the five held out."""
    groups = (
        _perceptrons,
        _neighbours,
        _support_vectors,
        _gaussian_processes,
        _trees,
        _forests,
        _boosted,
        _naive_bayes,
        _logistic,
    )
    pool = [
        Setting(f"{algorithm}-{place}", algorithm, "pool", build)
        for group in groups
        for place, (algorithm, build) in enumerate(group(), start=1)
    ]
    return pool + list(_held_out())


_Build = Callable[[int], ProbabilisticClassifier]
_Named = Iterator[tuple[str, _Build]]


def _perceptrons() -> _Named:
    from sklearn.neural_network import MLPClassifier

    for units in (2, 4, 8, 12, 16, 32, 64, 128):
        yield (
            "mlp",
            _seeded(
                MLPClassifier,
                hidden_layer_sizes=(units, units),
                learning_rate_init=0.01,
                max_iter=100,
                tol=1e-4,
                n_iter_no_change=5,
            ),
        )


def _neighbours() -> _Named:
    from sklearn.neighbors import KNeighborsClassifier

    for count in (1, 2, 3, 7, 11, 15):
        yield "knn", _fixed(KNeighborsClassifier, n_neighbors=count)
    for count in (5, 15):
        yield "knn", _fixed(KNeighborsClassifier, n_neighbors=count, weights="distance")


def _support_vectors() -> _Named:
    for penalty in (0.01, 0.1, 3.0, 10.0, 100.0):
        yield "svm", partial(_calibrated_machine, kernel="rbf", C=penalty)
    for kernel, penalty in (("linear", 0.01), ("linear", 1.0), ("sigmoid", 1.0)):
        yield "svm", partial(_calibrated_machine, kernel=kernel, C=penalty)


def _gaussian_processes() -> _Named:
    for scale in (0.3, 1.0):
        for rows in (30, 75, 150, 300):
            yield "gp", partial(SubsampledGaussianProcess, rows, scale)


def _trees() -> _Named:
    from sklearn.tree import DecisionTreeClassifier

    for depth in (1, 2, 4, 8, None):
        yield "tree", _seeded(DecisionTreeClassifier, max_depth=depth)
    for leaf in (5, 10, 25):
        yield "tree", _seeded(DecisionTreeClassifier, min_samples_leaf=leaf)


def _forests() -> _Named:
    from sklearn.ensemble import RandomForestClassifier

    for depth in (3, None):
        for count in (3, 10, 25, 50):
            yield "forest", _seeded(RandomForestClassifier, n_estimators=count, max_depth=depth)


def _boosted() -> _Named:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    for depth in (1, 3):
        for count in (3, 10, 25, 50):
            base = DecisionTreeClassifier(max_depth=depth)
            yield "adaboost", _seeded(AdaBoostClassifier, estimator=base, n_estimators=count)


def _naive_bayes() -> _Named:
    from sklearn.naive_bayes import BernoulliNB, GaussianNB

    for smoothing in (1e-9, 1e-3, 1e-2, 1e-1, 1.0):
        yield "bayes", _fixed(GaussianNB, var_smoothing=smoothing)
    for smoothing in (0.1, 3.0, 30.0):
        yield "bayes", _fixed(BernoulliNB, alpha=smoothing)


def _logistic() -> _Named:
    from sklearn.linear_model import LogisticRegression

    for penalty in (1e-4, 1e-3, 1e-2, 1e-1, 10.0, 100.0):
        yield "logistic", _fixed(LogisticRegression, C=penalty, max_iter=200)
    for penalty in (0.01, 1.0):
        weighted = _fixed(LogisticRegression, C=penalty, class_weight="balanced", max_iter=200)
        yield "logistic", weighted


def _held_out() -> Iterator[Setting]:
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier

    yield Setting("GBC", "gbc", "held out", _seeded(GradientBoostingClassifier))
    yield Setting("MLP", "mlp", "held out", _seeded(MLPClassifier))
    yield Setting("SVM", "svm", "held out", _calibrated_machine)
    yield Setting("RF", "forest", "held out", _seeded(RandomForestClassifier))
    yield Setting("LR", "logistic", "held out", _fixed(LogisticRegression))


def _seeded(kind: Callable[..., ProbabilisticClassifier], **settings: Any) -> _Build:
    """Build estimators of this kind whose randomness follows the seed."""
    return lambda seed: kind(**settings, random_state=seed)


def _fixed(kind: Callable[..., ProbabilisticClassifier], **settings: Any) -> _Build:
    """Build estimators of this kind, which have no randomness."""
    return lambda seed: kind(**settings)


def _calibrated_machine(seed: int, **settings: Any) -> ProbabilisticClassifier:
    """Build a support vector machine with cross-validated sigmoid probabilities."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC

    # A limit on iterations bounds the time of hopeless fits; ordinary ones end far below it.
    machine = SVC(max_iter=100_000, **settings)
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    calibrated: ProbabilisticClassifier = CalibratedClassifierCV(machine, cv=folds, ensemble=False)
    return calibrated
