"""The data of the study of β³: MOONS, CLUSTERS and pairs of MNIST digits, and its respondents."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.evaluation.pools.pool import Pool

DIGIT_PAIRS = tuple(combinations(range(10), 2))
MNIST_FILES = ("mnist_train_first10000.csv.gz", "mnist_test10000.csv.gz")
SYNTHETIC_SIZE = 400
# A moon as a polygon of so many corners; their distance is far below that of two test points.
_CORNERS = 2_000


@dataclass(frozen=True, eq=False)
class Case:
    """Training and test part with true labels.

    Attributes
    ----------
    distance : of each test point from the boundary of the classes; NaN where nobody knows it.
    line_distance : from the line that a linear discriminant draws; NaN for images.
    """

    X_train: NDArray[np.floating]
    y_train: NDArray[np.int64]
    X_test: NDArray[np.floating]
    y_test: NDArray[np.int64]
    distance: NDArray[np.float64]
    line_distance: NDArray[np.float64]


def build_pool(seed: int) -> Pool:
    """Give the paper's twelve classifiers, with the quadratic discriminant of its time."""
    from itemcurve.evaluation.pools.standard_pools import standard_classifiers
    from itemcurve_studies.classifiers.former_discriminant import FormerDiscriminant

    members = dict(standard_classifiers(seed))
    members["Quadratic discriminant"] = FormerDiscriminant()
    return Pool(tuple(members), tuple(members.values()))


def draw_moons(seed: int) -> Case:
    """Draw two half circles without noise, as the authors' code does."""
    from sklearn.datasets import make_moons

    X_train, y_train = make_moons(SYNTHETIC_SIZE, random_state=2 * seed)
    X, y = make_moons(SYNTHETIC_SIZE, random_state=2 * seed + 1)
    angle = np.linspace(0.0, np.pi, _CORNERS)
    moons = (
        np.column_stack([np.cos(angle), np.sin(angle)]),
        np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)]),
    )
    # Half way to the other moon is the boundary of the nearest-moon rule.
    nearest = [_nearest(point, moons[1 - label]) for point, label in zip(X, y, strict=True)]
    line = _measure_from_line(X_train, y_train, X)
    return Case(X_train, y_train, X, y, np.array(nearest) / 2, line)


def draw_clusters(seed: int) -> Case:
    """Draw N([1, 1], I) against N([3, 3], I): the boundary is the line x₁ + x₂ = 4."""
    rng = np.random.default_rng([20, seed])
    y = np.repeat([0, 1], SYNTHETIC_SIZE // 2)
    train, X = (rng.normal(size=(len(y), 2)) + 1 + 2 * y[:, np.newaxis] for _ in range(2))
    line = _measure_from_line(train, y, X)
    return Case(train, y, X, y, np.abs(X.sum(axis=1) - 4) / np.sqrt(2), line)


def draw_digits(
    data: Path, seed: int, pair: tuple[int, int] = (3, 5), sizes: tuple[int, int] = (1000, 1000)
) -> Case:
    """Draw equally many images of two digits, to train on and to test on; pixels in [0, 1].

    Parameters
    ----------
    data : folder with `data/core/mnist_*.csv.gz`.
    sizes : of the training and the test part; fewer where a digit has not half as many images.
    """
    rng = np.random.default_rng([21, seed, *pair])
    parts: list[Any] = []
    for name, size in zip(MNIST_FILES, sizes, strict=True):
        images, digits = _read_digits(data / "data" / "core" / name)
        places = [rng.permutation(np.flatnonzero(digits == digit)) for digit in pair]
        count = min(size // 2, *map(len, places))
        kept = rng.permutation(np.concatenate([own[:count] for own in places]))
        parts += [images[kept] / np.float32(255), (digits[kept] == pair[1]).astype(np.int64)]
    X_train, y_train, X, y = parts
    unknown = np.full(len(y), np.nan)
    return Case(X_train, y_train, X, y, unknown, unknown)


def has_digits(data: Path) -> bool:
    """Say whether the folder has the images."""
    return all((data / "data" / "core" / name).exists() for name in MNIST_FILES)


@lru_cache(maxsize=2)
def _read_digits(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    import pandas

    table = pandas.read_csv(path)
    digits = table.pop("target").to_numpy(np.int64)
    return table.to_numpy(np.uint8), digits


def _measure_from_line(
    X_train: NDArray[np.float64], y_train: NDArray[np.int64], X: NDArray[np.float64]
) -> NDArray[np.float64]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    found = LinearDiscriminantAnalysis().fit(X_train, y_train)
    return np.asarray(np.abs(found.decision_function(X)) / np.linalg.norm(found.coef_))


def _nearest(point: NDArray[np.float64], curve: NDArray[np.float64]) -> float:
    return float(np.sqrt(((curve - point) ** 2).sum(axis=1).min()))
