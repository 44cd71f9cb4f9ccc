"""A search that stops hopeless candidates, against halving and the whole grid on ten data sets.

The sets, the protocol and the bar are in `adaptive_search_sets.py`, committed before this was run.
"""

import os
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.adaptive_search_sets import FOLDS, JUDGED, MOST_ROWS, SEEDS, TEST_SHARE
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.sklearn import AdaptiveSearchCV

_SMALL = ("monk1",)


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """One row per space and data set, means over seeds; what is cached is kept."""
    names, seeds = (_SMALL, SEEDS[:1]) if options.small else (JUDGED, SEEDS)
    known = {} if options.small else {(row["space"], row["data"]): row for row in cached}
    rows: list[Row] = []
    for space in ("support vectors", "tree"):
        for name in names:
            row = known.get((space, name)) or _measure_set(space, name, seeds)
            rows.append(row)
            show_progress(f"  {row}")
    return rows


def _measure_set(space: str, name: str, seeds: tuple[int, ...]) -> Row:
    found = [_measure_once(space, name, seed) for seed in seeds]
    means = {key: float(np.mean([one[key] for one in found])) for key in found[0]}
    gap = means["halving_score"] - means["adaptive_score"]
    return {
        "space": space,
        "data": name,
        **means,
        "gap_in_se": gap / means["se"] if means["se"] > 0 else float(gap > 0),
        "within": bool(gap <= means["se"] + 1e-12),
    }


def _measure_once(space: str, name: str, seed: int) -> dict[str, float]:
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, StratifiedKFold

    X, X_test, y, y_test = read_parts(name, seed)
    estimator, grid = make_space(space, seed)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    searches: dict[str, Any] = {
        "grid": GridSearchCV(estimator, grid, cv=folds),
        "halving": HalvingGridSearchCV(estimator, grid, cv=folds, random_state=seed),
        "adaptive": AdaptiveSearchCV(estimator, grid, cv=folds),
    }
    told: dict[str, float] = {}
    for kind, search in searches.items():
        started = time.process_time()
        with warnings.catch_warnings():
            # Halving finds single classes in its smallest samples, and says so.
            warnings.simplefilter("ignore")
            smallest = _fit_any(search, X, y)
        if kind == "halving":
            told["halving_smallest"] = float(smallest)
        told[f"{kind}_seconds"] = time.process_time() - started
        told[f"{kind}_test"] = float(search.score(X_test, y_test))
        told[f"{kind}_fits"] = float(count_fits(search))
    table = searches["grid"].cv_results_
    places = {_key(one): place for place, one in enumerate(table["params"])}
    for kind, search in searches.items():
        told[f"{kind}_score"] = float(table["mean_test_score"][places[_key(search.best_params_)]])
    splits = [table[f"split{k}_test_score"][searches["grid"].best_index_] for k in range(FOLDS)]
    return told | {"se": float(np.std(splits, ddof=1) / np.sqrt(FOLDS))}


def _fit_any(search: Any, X: np.ndarray, y: np.ndarray) -> int:
    """Fit; where halving's first sample has one class only, double it until it has two.

    Gives the first sample that was asked for in the end, 0 for scikit-learn's own.
    """
    smallest = 0
    while True:
        try:
            search.fit(X, y)
        except ValueError:
            if smallest > len(y) or "min_resources" not in search.get_params():
                raise
            smallest = 2 * smallest or 2 * len(y) // 27
            search.set_params(min_resources=smallest)
        else:
            return smallest


def count_fits(search: Any) -> int:
    """Trainings during a search, without the last refit."""
    if hasattr(search, "n_fits_"):
        return int(search.n_fits_)
    return len(search.cv_results_["params"]) * int(search.n_splits_)


def _key(settings: dict[str, Any]) -> str:
    return repr(sorted(settings.items()))


def make_space(space: str, seed: int) -> tuple[Any, dict[str, Any]]:
    """An estimator and its 36 candidates."""
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    if space == "tree":
        model: Any = DecisionTreeClassifier(random_state=seed)
        grid = {"max_depth": [1, 2, 4, 8, 16, None], "min_samples_leaf": [1, 2, 5, 10, 20, 50]}
    else:
        model = SVC()
        grid = {"C": np.logspace(-2, 3, 6).tolist(), "gamma": np.logspace(-4, 1, 6).tolist()}
    steps = [("scale", StandardScaler()), ("model", model)]
    return Pipeline(steps), {f"model__{name}": values for name, values in grid.items()}


def read_parts(name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows to search on and to test, then their labels."""
    import pandas
    from sklearn.model_selection import train_test_split

    folder = Path(os.environ.get("ITEMCURVE_DATA", "."))
    frame = pandas.read_csv(folder / "data" / "pmlb" / f"{name}.csv.gz")
    y, X = frame["target"].to_numpy(), frame.drop(columns="target").to_numpy(float)
    if len(y) > MOST_ROWS:
        X, _, y, _ = train_test_split(X, y, train_size=MOST_ROWS, stratify=y, random_state=seed)
    parts = train_test_split(X, y, test_size=TEST_SHARE, stratify=y, random_state=seed)
    return tuple(parts)  # type: ignore[return-value]


SECTION = Section(
    name="adaptive_search",
    title="Hyper-parameter search that stops hopeless candidates",
    notes="`itemcurve.sklearn.AdaptiveSearchCV` against `HalvingGridSearchCV` (scikit-learn's "
    "defaults) and `GridSearchCV`, on ten data sets of PMLB named beforehand "
    "(`benchmarks/adaptive_search_sets.py`): 36 candidates, five folds, means of three seeds. Fits "
    "are trainings during the search; those of halving use fewer rows (*dis*: support vectors find "
    "one class in its first samples and it stops with an error; they were doubled until it ran). "
    "Score: mean accuracy over all five folds, as the whole grid measures it, of the candidate "
    "chosen; gap: halving minus adaptive, in standard errors of the grid's best over its folds.",
    columns=(
        Column("data", "data set"),
        Column("adaptive_fits", "fits: adaptive", ".0f"),
        Column("halving_fits", "halving", ".0f"),
        Column("grid_fits", "grid", ".0f"),
        Column("adaptive_score", "score: adaptive", ".4f"),
        Column("halving_score", "halving", ".4f"),
        Column("grid_score", "grid", ".4f"),
        Column("se", "standard error", ".4f"),
        Column("gap_in_se", "gap", ".2f"),
        Column("adaptive_test", "test: adaptive", ".3f"),
        Column("halving_test", "halving", ".3f"),
        Column("grid_test", "grid", ".3f"),
        Column("adaptive_seconds", "seconds: adaptive", ".1f"),
        Column("halving_seconds", "halving", ".1f"),
        Column("grid_seconds", "grid", ".1f"),
    ),
    measure=measure,
    group_by="space",
)
