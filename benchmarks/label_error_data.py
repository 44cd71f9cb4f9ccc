"""Predictions of two pools on data with wrong test labels, for the benchmark of label errors."""

import os
from pathlib import Path

import numpy as np

DATA = ("moons", "moons_noise", "clusters", "mnist", "cancer", "digits", "digits10")
_PAIRS = [(i, j) for i in range(10) for j in range(i)]
_NOISE = 0.2


def load_case(name: str, seed: int, folder: Path) -> dict[str, np.ndarray]:
    """Probabilities of both pools (respondents × items × classes), true and given labels.

    Trained once, then kept in the folder.
    """
    path = folder / f"{name}_{seed}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, **_make_case(name, seed))
    with np.load(path) as stored:
        return dict(stored)


def _make_case(name: str, seed: int) -> dict[str, np.ndarray]:
    X, y, X_test, truth = _draw(name, seed)
    n_classes = int(y.max()) + 1
    rng = np.random.default_rng(9000 + seed)
    flipped = rng.choice(len(truth), int(_NOISE * len(truth)), replace=False)
    given = truth.copy()
    given[flipped] = (given[flipped] + rng.integers(1, n_classes, len(flipped))) % n_classes
    return {
        "paper": _paper_pool(X, y, X_test, n_classes, seed),
        "poor": _poor_pool(X, y, X_test, n_classes, seed),
        "y": truth,
        "given": given,
    }


def _draw(name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training and test part."""
    from sklearn.datasets import load_breast_cancer, load_digits, make_moons

    rng = np.random.default_rng(1000 + seed)
    if name.startswith("moons"):
        spread = 0.3 if name == "moons_noise" else None
        train, test = (
            make_moons(400, noise=spread, random_state=2 * seed + part) for part in (0, 1)
        )
        return *train, *test
    if name == "clusters":
        y = np.repeat([0, 1], 200)
        train, test = (rng.normal(size=(400, 2)) + 1 + 2 * y[:, np.newaxis] for _ in range(2))
        return train, y, test, y
    if name == "mnist":
        (X, y), (X_test, truth) = (_read_mnist(part) for part in ("train_first10000", "test10000"))
        kept, asked = rng.permutation(len(y))[:1000], rng.permutation(len(truth))[:400]
        return X[kept], y[kept], X_test[asked], truth[asked]
    if name == "cancer":
        return _part(*load_breast_cancer(return_X_y=True), 285, 284, rng)
    X, y = load_digits(return_X_y=True)
    if name == "digits10":
        return _part(X, y, 900, 400, rng)
    first, second = _PAIRS[np.random.default_rng(7).permutation(45)[seed]]
    kept = (y == first) | (y == second)
    X, y = X[kept], (y[kept] == first).astype(int)
    return _part(X, y, len(y) // 2, len(y) - len(y) // 2, rng)


def _part(
    X: np.ndarray, y: np.ndarray, n_train: int, n_test: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    order = rng.permutation(len(y))
    train, test = order[:n_train], order[n_train : n_train + n_test]
    return X[train], y[train], X[test], y[test]


def _read_mnist(part: str) -> tuple[np.ndarray, np.ndarray]:
    """Threes (0) and fives (1)."""
    import pandas

    path = Path(os.environ["ITEMCURVE_DATA"]) / "data" / "core" / f"mnist_{part}.csv.gz"
    table = pandas.read_csv(path)
    y = table.pop("target").to_numpy()
    kept = (y == 3) | (y == 5)
    return table.to_numpy(np.float32)[kept] / 255, (y[kept] == 5).astype(int)


def _paper_pool(
    X: np.ndarray, y: np.ndarray, X_test: np.ndarray, n_classes: int, seed: int
) -> np.ndarray:
    """The twelve of Chen et al. (2019): nine trained, three that say the same of every item."""
    from sklearn.discriminant_analysis import (
        LinearDiscriminantAnalysis,
        QuadraticDiscriminantAnalysis,
    )
    from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier

    from itemcurve.evaluation.pools.smoothed_tree import SmoothedTree

    members = (
        MLPClassifier((256, 64), max_iter=500, random_state=seed),
        LogisticRegression(max_iter=1000),
        SmoothedTree(random_state=seed),
        KNeighborsClassifier(3),
        RandomForestClassifier(10, random_state=seed),
        AdaBoostClassifier(random_state=seed),
        GaussianNB(),
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
    )
    found = [_predict(member, X, y, X_test, n_classes) for member in members]
    found.append(np.full((len(X_test), n_classes), 1 / n_classes))
    found += [np.tile(np.eye(n_classes)[label], (len(X_test), 1)) for label in (1, 0)]
    return np.stack(found)


def _poor_pool(
    X: np.ndarray, y: np.ndarray, X_test: np.ndarray, n_classes: int, seed: int
) -> np.ndarray:
    """Three trained on everything, and four groups of three that err together and confidently.

    A group shares 15 rows per class, 30 % of them wrongly labelled, and half of the features.
    """
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    good = (
        RandomForestClassifier(100, random_state=seed),
        LogisticRegression(max_iter=1000),
        KNeighborsClassifier(5),
    )
    found = [_predict(member, X, y, X_test, n_classes) for member in good]
    rng = np.random.default_rng(5000 + seed)
    for group in range(4):
        rows = _rows_of_all_classes(y, 15 * n_classes, n_classes, rng)
        labels = y[rows].copy()
        wrong = rng.choice(len(rows), int(0.3 * len(rows)), replace=False)
        labels[wrong] = (labels[wrong] + rng.integers(1, n_classes, len(wrong))) % n_classes
        columns = _columns(X.shape[1], group, rng)
        for member in (
            DecisionTreeClassifier(random_state=seed),
            KNeighborsClassifier(1),
            GaussianNB(),
        ):
            part = X[np.ix_(rows, columns)]
            found.append(_predict(member, part, labels, X_test[:, columns], n_classes))
    return np.stack(found)


def _rows_of_all_classes(
    y: np.ndarray, count: int, n_classes: int, rng: np.random.Generator
) -> np.ndarray:
    while True:
        rows = rng.choice(len(y), count, replace=False)
        if len(np.unique(y[rows])) == n_classes:
            return rows


def _columns(count: int, group: int, rng: np.random.Generator) -> np.ndarray:
    if count > 2:
        return rng.choice(count, max(1, count // 2), replace=False)
    return np.array([rng.integers(count)]) if group % 2 else np.arange(count)


def _predict(
    member: object, X: np.ndarray, y: np.ndarray, X_test: np.ndarray, n_classes: int
) -> np.ndarray:
    """Class probabilities; classes unseen in training get 0, undefined ones are shared evenly."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            member.fit(X, y)
        except np.linalg.LinAlgError:
            # Fewer rows than pixels: recent scikit-learn wants the covariance shrunk.
            member.set_params(solver="eigen", shrinkage=0.1).fit(X, y)
        stated = np.nan_to_num(member.predict_proba(X_test), nan=1 / n_classes)
    found = np.zeros((len(X_test), n_classes))
    found[:, np.asarray(member.classes_, dtype=int)] = stated
    total = found.sum(axis=1, keepdims=True)
    return np.where(total > 0, found / np.where(total > 0, total, 1), 1 / n_classes)
