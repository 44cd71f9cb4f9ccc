"""Heart-Statlog and the ten tuned classifiers of the study on the IRT confusion matrix."""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.study.data_files import find_data
from itemcurve_studies.study.finished_parts import FinishedParts

_SEED = 42


@dataclass(frozen=True, eq=False)
class HeartSplit:
    """Training and test part, 70/30, stratified, seed 0; class 1 is a present disease."""

    X_train: NDArray[np.float64]
    X_test: NDArray[np.float64]
    y_train: NDArray[np.int64]
    y_test: NDArray[np.int64]


def read_heart(data: Path) -> HeartSplit:
    """Read Heart-Statlog and split it as the paper does.

    Parameters
    ----------
    data : folder with `data/core/heart_statlog.csv.gz`.
    """
    import pandas
    from sklearn.model_selection import train_test_split

    path = find_data(data, "core/heart_statlog.csv.gz", "the data set Heart-Statlog")[0]
    table = pandas.read_csv(path)
    X = table.drop(columns="target").to_numpy(float)
    y = (table["target"] == "present").to_numpy().astype(np.int64)
    return HeartSplit(*train_test_split(X, y, stratify=y, random_state=0, test_size=0.3))


def build_classifiers() -> dict[str, Any]:
    """Give the ten classifiers with the settings that the paper's grid search chose.

    Two are written as scikit-learn 1.2 ran them: AdaBoost by SAMME.R, and the linear machine in its
    dual form.
    """
    from sklearn import discriminant_analysis, ensemble, neighbors, neural_network, svm, tree

    from itemcurve_studies.classifiers.real_boosting import RealAdaBoost

    return {
        "RF": ensemble.RandomForestClassifier(93, criterion="entropy", random_state=_SEED),
        "GB": ensemble.GradientBoostingClassifier(
            n_estimators=9, max_features="sqrt", random_state=_SEED
        ),
        "BAG": ensemble.BaggingClassifier(n_estimators=41, random_state=_SEED),
        "ADA": RealAdaBoost(7, random_state=_SEED),
        "KNN": neighbors.KNeighborsClassifier(15),
        "DT": tree.DecisionTreeClassifier(random_state=_SEED),
        "SVM": svm.SVC(kernel="linear", gamma="auto", random_state=_SEED),
        "MLP": neural_network.MLPClassifier(
            activation="identity", solver="lbfgs", max_iter=103, random_state=_SEED
        ),
        "LDA": discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        "LSVM": svm.LinearSVC(max_iter=807, dual=True, random_state=_SEED),
    }


# The paper's grids are not published; these hold what it chose among values below and above.
_GRIDS: dict[str, dict[str, list[Any]]] = {
    "RF": {"n_estimators": [33, 63, 93], "criterion": ["gini", "entropy"]},
    "GB": {"n_estimators": [9, 30, 90], "max_features": ["sqrt", None]},
    "BAG": {"n_estimators": [11, 41, 71]},
    "ADA": {"n_estimators": [7, 25, 60]},
    "KNN": {"n_neighbors": [1, 3, 7, 15]},
    "DT": {"criterion": ["gini", "entropy"], "max_features": [None, "sqrt"]},
    "SVM": {"kernel": ["linear", "rbf", "sigmoid"], "gamma": ["auto", "scale"]},
    "MLP": {"activation": ["identity", "tanh"], "solver": ["lbfgs", "adam"]},
    "LDA": {"solver": ["lsqr"], "shrinkage": [None, "auto"]},
    "LSVM": {"max_iter": [807, 999], "loss": ["hinge", "squared_hinge"]},
}


@dataclass(frozen=True, eq=False)
class TunedPredictions:
    """What the tuned classifiers say of the test part.

    Attributes
    ----------
    labels : predicted classes, by classifier.
    ranking : a number that rises with the belief in class 1, by classifier.
    settings : what the search chose, in words; `as_published` says where that is the paper's.
    """

    labels: dict[str, NDArray[np.int64]]
    ranking: dict[str, NDArray[np.float64]]
    settings: dict[str, str]
    as_published: dict[str, bool]


def predict_tuned(heart: HeartSplit, work: Path | None = None) -> TunedPredictions:
    """Search each classifier's grid (5 folds, accuracy), and predict the test part by the best.

    Parameters
    ----------
    work : folder that keeps the result, so that it is searched once.
    """
    return _unpack(FinishedParts(work).arrays("tuned", lambda: _predict_all(heart)))


def _predict_all(heart: HeartSplit) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    for name, classifier in build_classifiers().items():
        found = _search(classifier, _GRIDS[name], heart)
        arrays[f"{name} labels"] = found.predict(heart.X_test)
        arrays[f"{name} ranking"] = _rank_by(found, heart.X_test)
        arrays[f"{name} settings"] = np.array(
            [str(found.best_params_), str(_is_published(found.best_estimator_, classifier))]
        )
    return arrays


def _unpack(arrays: dict[str, NDArray[Any]]) -> TunedPredictions:
    names = list(_GRIDS)
    chosen = {name: arrays[f"{name} settings"].tolist() for name in names}
    return TunedPredictions(
        {name: arrays[f"{name} labels"].astype(np.int64) for name in names},
        {name: arrays[f"{name} ranking"].astype(np.float64) for name in names},
        {name: chosen[name][0] for name in names},
        {name: chosen[name][1] == "True" for name in names},
    )


def _search(classifier: Any, grid: dict[str, list[Any]], heart: HeartSplit) -> Any:
    from sklearn.model_selection import GridSearchCV

    with warnings.catch_warnings():
        # Unfinished optimisation is part of these grids, as it was of the paper's.
        warnings.simplefilter("ignore")
        return GridSearchCV(classifier, grid, cv=5, scoring="accuracy").fit(
            heart.X_train, heart.y_train
        )


def _rank_by(found: Any, X: NDArray[np.float64]) -> NDArray[np.float64]:
    if hasattr(found, "predict_proba"):
        return np.asarray(found.predict_proba(X)[:, 1])
    return np.asarray(found.decision_function(X))


def _is_published(found: Any, published: Any) -> bool:
    return bool(found.get_params() == published.get_params())
