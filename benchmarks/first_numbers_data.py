"""Real tables behind the first numbers: predictions of many respondents, kept between runs.

Three kinds: halves of test sets (`split_tables`), cross-validated predictions under planted label
noise (`audit_runs`), and forecasts of regressors (`regression_runs`). Tables are read from the
folder that `ITEMCURVE_DATA` names; all that is trained is kept in `ITEMCURVE_BENCHMARK_CACHE`.
"""

import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

CACHE = Path(os.environ.get("ITEMCURVE_BENCHMARK_CACHE", "build")) / "first-numbers"
_SEED = 2026
_MOST_ROWS = 1000
_MOST_AUDITED = 700
_FEWEST_OF_CLASS = 12

TABLES = (
    *("extra_clf/credit_g", "pmlb/saheart", "extra_clf/diabetes", "pmlb/haberman"),
    *("extra_clf/titanic_keel", "pmlb/phoneme", "pmlb/churn", "extra_clf/heart_statlog"),
    *("extra_clf/cmc", "pmlb/wine_quality_red", "pmlb/vehicle", "pmlb/tic_tac_toe"),
    *("pmlb/ionosphere", "pmlb/adult", "pmlb/sonar", "pmlb/segmentation", "pmlb/satimage"),
    *("pmlb/spambase", "pmlb/waveform_21", "pmlb/dermatology", "pmlb/optdigits"),
    *("pmlb/australian", "pmlb/german", "pmlb/yeast", "pmlb/vowel", "pmlb/mushroom", "pmlb/car"),
    "pmlb/breast_cancer_wisconsin",
)
FIRST_SETS = (
    *("pmlb/penguins", "pmlb/wine_recognition", "pmlb/waveform_21", "pmlb/vehicle"),
    *("pmlb/car_evaluation", "pmlb/satimage", "pmlb/dermatology", "pmlb/segmentation"),
    *("pmlb/optdigits", "pmlb/vowel", "pmlb/spambase", "pmlb/phoneme"),
)
OTHER_SETS = (
    *("pmlb/balance_scale", "extra_clf/heart_statlog", "extra_clf/credit_g", "extra_clf/wdbc"),
    *("extra_clf/column3C", "extra_clf/user_knowledge", "extra_clf/digits_sklearn"),
    *("extra_clf/steel_plates_fault", "extra_clf/banana", "extra_clf/semeion"),
    *("pmlb/analcatdata_authorship", "extra_clf/cmc"),
)
NOISE = (("none", 0.0), *((k, r) for k in ("uniform", "pair", "class") for r in (0.05, 0.15)))


class SplitTable(NamedTuple):
    """Predictions for the test half of a table (respondents × items × classes)."""

    name: str
    respondents: tuple[str, ...]
    probabilities: np.ndarray
    labels: np.ndarray
    is_constant: np.ndarray


class AuditRun(NamedTuple):
    """Cross-validated predictions by classifiers that were trained on the given labels."""

    name: str
    kind: str
    rate: float
    probabilities: np.ndarray
    truth: np.ndarray
    given: np.ndarray


class RegressionRun(NamedTuple):
    """Forecasts for the test part of a table (respondents × items); the last two are constant."""

    name: str
    split: int
    respondents: tuple[str, ...]
    forecasts: np.ndarray
    targets: np.ndarray


def data_folder() -> Path | None:
    """Where the tables are, if anywhere."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data")
    return folder if folder.is_dir() else None


def split_tables(names: tuple[str, ...] = TABLES) -> Iterator[SplitTable]:
    """Give the standard pool's predictions for half of each table."""
    for name in names:
        path = _path(name)
        if path is not None:
            kept = _keep(f"split_{name.replace('/', '_')}", lambda path=path: _split_table(path))
            stated = kept["probabilities"]
            is_constant = np.ptp(stated, axis=1).max(axis=1) < 1e-9
            who = tuple(map(str, kept["respondents"]))
            yield SplitTable(name, who, stated, kept["labels"], is_constant)


def audit_runs(names: tuple[str, ...], seed: int = _SEED) -> Iterator[AuditRun]:
    """Give five classifiers' predictions for every kind and rate of noise."""
    for name in names:
        path = _path(name)
        for kind, rate in NOISE if path is not None else ():
            key = f"audit_{seed}_{name.replace('/', '_')}_{kind}_{rate}"
            kept = _keep(key, lambda a=(path, kind, rate, seed): _audit_run(*a))
            yield AuditRun(
                name, kind, rate, kept["probabilities"].astype(float), kept["truth"], kept["given"]
            )


def regression_runs(splits: int = 10) -> Iterator[RegressionRun]:
    """Give forecasts of eleven regressors and two constants on seven tables."""
    for name, draw in REGRESSION_TABLES.items():
        if name not in ("diabetes", "friedman1") and data_folder() is None:
            continue
        for split in range(splits):
            kept = _keep(
                f"numbers_{name.replace(' ', '_')}_{split}",
                lambda draw=draw, split=split: _forecast(*draw(), split),
            )
            who = tuple(map(str, kept["respondents"]))
            yield RegressionRun(name, split, who, kept["forecasts"], kept["targets"])


def _path(name: str) -> Path | None:
    folder = data_folder()
    path = None if folder is None else folder / f"{name}.csv.gz"
    return path if path is not None and path.exists() else None


def _keep(key: str, make: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    path = CACHE / f"{key}.npz"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.savez_compressed(path.with_suffix(".part.npz"), **make())
        path.with_suffix(".part.npz").replace(path)
    with np.load(path) as stored:
        return dict(stored)


def _split_table(path: Path) -> dict[str, np.ndarray]:
    import pandas

    from itemcurve.evaluation.tables.labelled_table import evaluate_table

    table = pandas.read_csv(path)
    table = table.sample(min(len(table), _MOST_ROWS), random_state=_SEED)
    evaluation = evaluate_table(
        table,
        task="classification",
        n_jobs=1,
        test_share=0.5,
        seed=_SEED,
        model="rasch",
        response="correct",
        on_failure="ignore",
    )
    found = evaluation.predictions
    return {
        "respondents": np.array(found.respondents),
        "probabilities": np.asarray(found.probabilities, dtype=float),
        "labels": np.asarray(found.labels),
    }


def _audit_run(path: Path, kind: str, rate: float, seed: int) -> dict[str, np.ndarray]:
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    X, truth = _load_audited(path)
    given = plant_noise(truth, kind, rate, np.random.default_rng(seed))
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    stated = [
        cross_val_predict(member, X, given, method="predict_proba", cv=folds)
        for member in _five_classifiers()
    ]
    return {
        "probabilities": np.stack(stated).astype(np.float32),
        "truth": truth,
        "given": given,
    }


def plant_noise(truth: np.ndarray, kind: str, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Give labels of which some are wrong: to any class, to the next one, or of half the classes.

    Under `class` every other class errs, into the second class.
    """
    count, given = int(truth.max()) + 1, truth.copy()
    if kind == "none":
        return given
    wrong = rng.random(len(truth)) < rate
    if kind == "uniform":
        given[wrong] = (truth[wrong] + rng.integers(1, count, wrong.sum())) % count
    elif kind == "pair":
        given[wrong] = (truth[wrong] + 1) % count
    else:
        erring = np.isin(truth, np.arange(count)[::2] if count > 2 else [0])
        wrong = (rng.random(len(truth)) < min(0.45, rate / erring.mean())) & erring
        given[wrong] = 1
    return given


def _load_audited(path: Path) -> tuple[np.ndarray, np.ndarray]:
    import pandas

    table = pandas.read_csv(path).dropna()
    y = pandas.factorize(table["target"], sort=True)[0]
    X = pandas.get_dummies(table.drop(columns="target")).to_numpy(float)
    if len(y) > _MOST_AUDITED:
        kept = np.random.default_rng(_SEED).permutation(len(y))[:_MOST_AUDITED]
        X, y = X[kept], y[kept]
    kept = np.isin(y, np.flatnonzero(np.bincount(y) >= _FEWEST_OF_CLASS))
    return X[kept], pandas.factorize(y[kept], sort=True)[0]


def _five_classifiers() -> list[Any]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    return [
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=300)),
        RandomForestClassifier(60, random_state=0),
        make_pipeline(StandardScaler(), KNeighborsClassifier()),
        make_pipeline(StandardScaler(), GaussianNB()),
        DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    ]


def _read(name: str) -> Any:
    import pandas

    return pandas.read_csv(data_folder() / name)


def _diabetes() -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import load_diabetes

    return load_diabetes(return_X_y=True)


def _friedman() -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import make_friedman1

    return make_friedman1(600, noise=2.0, random_state=0)


def _real_estate() -> tuple[np.ndarray, np.ndarray]:
    table = _read("core/real_estate_valuation.csv")
    return table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1].to_numpy(float)


def _mpg() -> tuple[np.ndarray, np.ndarray]:
    table = _read("pmlb/cars.csv.gz")
    return table.drop(columns=["MPG", "brand", "target"]).to_numpy(float), table["MPG"].to_numpy()


def _wine() -> tuple[np.ndarray, np.ndarray]:
    table = _read("pmlb/wine_quality_white.csv.gz").sample(800, random_state=0)
    return table.drop(columns="target").to_numpy(float), table["target"].to_numpy(float)


def _autos() -> tuple[np.ndarray, np.ndarray]:
    table = _read("extra_clf/autos.csv.gz").dropna(subset=["price"])
    features = table.drop(columns=["price", "target"]).select_dtypes("number")
    return features.fillna(features.median()).to_numpy(float), table["price"].to_numpy(float)


def _penguins() -> tuple[np.ndarray, np.ndarray]:
    table = _read("pmlb/penguins.csv.gz").dropna()
    names = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "year"]
    return table[names].to_numpy(float), table["body_mass_g"].to_numpy(float)


REGRESSION_TABLES: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "diabetes": _diabetes,
    "real estate": _real_estate,
    "mpg": _mpg,
    "white wine": _wine,
    "auto price": _autos,
    "penguin mass": _penguins,
    "friedman1": _friedman,
}


def _forecast(X: np.ndarray, y: np.ndarray, split: int) -> dict[str, np.ndarray]:
    from sklearn.model_selection import train_test_split

    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.5, random_state=_SEED + split
    )
    pool = _eleven_regressors()
    found = [member.fit(X_train, y_train).predict(X_test) for member in pool.values()]
    return {
        "respondents": np.array(list(pool)),
        "forecasts": np.stack(found),
        "targets": np.asarray(y_test, dtype=float),
    }


def _eleven_regressors() -> dict[str, Any]:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.dummy import DummyRegressor
    from sklearn.ensemble import (
        AdaBoostRegressor,
        GradientBoostingRegressor,
        RandomForestRegressor,
    )
    from sklearn.linear_model import HuberRegressor, Lasso, LinearRegression
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR
    from sklearn.tree import DecisionTreeRegressor

    def scaled(member: Any) -> Any:
        return TransformedTargetRegressor(
            make_pipeline(StandardScaler(), member), transformer=StandardScaler()
        )

    return {
        "linear": LinearRegression(),
        "lasso": scaled(Lasso(0.05)),
        "huber": scaled(HuberRegressor()),
        "neighbours": scaled(KNeighborsRegressor()),
        "tree": DecisionTreeRegressor(min_samples_leaf=3, random_state=0),
        "forest": RandomForestRegressor(60, random_state=0),
        "boosting": GradientBoostingRegressor(n_estimators=60, random_state=0),
        "ada": AdaBoostRegressor(n_estimators=30, random_state=0),
        "svr": scaled(SVR()),
        "linear svr": scaled(SVR(kernel="linear", C=0.1)),
        "network": scaled(MLPRegressor(hidden_layer_sizes=(20,), max_iter=150, random_state=0)),
        "Average": DummyRegressor(),
        "Median": DummyRegressor(strategy="median"),
    }


if __name__ == "__main__":
    for found in (*split_tables(), *audit_runs(FIRST_SETS + OTHER_SETS), *regression_runs()):
        print(found[0], flush=True)
