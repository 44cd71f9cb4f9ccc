"""Difficulty of instances that no pool has answered, learnt from those that one has."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.features import take_rows
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty
from itemcurve.evaluation.tables.table_columns import sort_columns
from itemcurve.evaluation.tables.table_preparation import build_preparation

if TYPE_CHECKING:
    import pandas

_NEIGHBOURS = 5
_TREES = 100
Numbers = NDArray[np.float64]


def predict_difficulty(difficulty: Difficulty, X: Any, *, seed: int = 0) -> Numbers:
    """Predict how hard new instances are, from their features alone.

    What makes an instance hard is mostly that classes meet where it lies. So a forest of
    classifiers says how undecided it is (largest probability, lead over the second, entropy), and
    a forest of regressors learns difficulty from that and the features. Probabilities of known
    instances are out of bag: from trees that did not see them.

    Parameters
    ----------
    difficulty : from `estimate_difficulty`; only usable instances are learnt from.
    X : new instances with the same columns.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(120, noise=0.3, random_state=0)
    >>> pool = ic.pools.random_pool(20)
    >>> known = ic.robustness.estimate_difficulty(X[:100], y[:100], pool=pool, cv=3)
    >>> ic.robustness.predict_difficulty(known, X[100:]).shape
    (20,)
    """
    known = np.flatnonzero(difficulty.is_usable)
    if known.size < 2 * _NEIGHBOURS:
        raise EvaluationError(
            f"Difficulty is learnt from at least {2 * _NEIGHBOURS} instances;",
            f"{known.size} have one that can be used.",
            "Estimate it on more data.",
        )
    data = take_rows(difficulty.X, known)
    return _learn(data, difficulty.y[known], difficulty.values[known], X, seed)


@dataclass(frozen=True, eq=False)
class DifficultyCheck:
    """How well difficulty is predicted for instances left out.

    Attributes
    ----------
    observed : estimated difficulties.
    learnt, neighbours : predicted by `predict_difficulty`, and as the mean of the 5 nearest
        instances, each without the instance itself.
    """

    observed: Numbers
    learnt: Numbers
    neighbours: Numbers

    @property
    def spearman(self) -> tuple[float, float]:
        """Rank correlation with the estimated difficulty: learnt, 5 nearest neighbours."""
        from scipy.stats import spearmanr

        return tuple(  # type: ignore[return-value]
            float(spearmanr(self.observed, found).statistic)
            for found in (self.learnt, self.neighbours)
        )

    def frame(self) -> "pandas.DataFrame":
        """One row per way to predict: Spearman's correlation and root mean squared error."""
        import pandas

        found = (self.learnt, self.neighbours)
        return pandas.DataFrame(
            {
                "method": ["learnt", "5 nearest neighbours"],
                "spearman": self.spearman,
                "rmse": [float(np.sqrt(np.mean((one - self.observed) ** 2))) for one in found],
            }
        )


def check_difficulty(difficulty: Difficulty, *, cv: int = 5, seed: int = 0) -> DifficultyCheck:
    """Predict the difficulty of every instance without it, and compare with the estimate.

    Parameters
    ----------
    difficulty : from `estimate_difficulty`.
    cv : number of folds.
    """
    from sklearn.model_selection import KFold

    known = np.flatnonzero(difficulty.is_usable)
    X, y, values = take_rows(difficulty.X, known), difficulty.y[known], difficulty.values[known]
    learnt, neighbours = np.empty(len(known)), np.empty(len(known))
    for train, test in KFold(cv, shuffle=True, random_state=seed).split(values):
        part, new = take_rows(X, train), take_rows(X, test)
        learnt[test] = _learn(part, y[train], values[train], new, seed)
        neighbours[test] = _nearest(part, values[train], new)
    return DifficultyCheck(values, learnt, neighbours)


def _learn(X: Any, y: NDArray[Any], values: Numbers, X_new: Any, seed: int) -> Numbers:
    from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier

    known, new = _prepare(X, X_new)
    forest = RandomForestClassifier(
        _TREES, oob_score=True, min_samples_leaf=2, random_state=seed, n_jobs=1
    ).fit(known, y)
    # An instance that every tree saw has no vote; it counts as undecided.
    votes = np.nan_to_num(forest.oob_decision_function_, nan=1 / len(forest.classes_))
    regressor = ExtraTreesRegressor(
        _TREES, min_samples_leaf=3, max_features=0.5, random_state=seed, n_jobs=1
    )
    regressor.fit(np.hstack([known, _doubts(votes)]), values)
    found = regressor.predict(np.hstack([new, _doubts(forest.predict_proba(new))]))
    return np.asarray(found, dtype=np.float64)


def _nearest(X: Any, values: Numbers, X_new: Any) -> Numbers:
    from sklearn.neighbors import KNeighborsRegressor

    known, new = _prepare(X, X_new)
    found = KNeighborsRegressor(min(_NEIGHBOURS, len(values))).fit(known, values).predict(new)
    return np.asarray(found, dtype=np.float64)


def _doubts(probabilities: Numbers) -> Numbers:
    """Largest probability, its lead over the second, entropy, and the probabilities themselves."""
    ordered = np.sort(probabilities, axis=1)
    entropy = -(probabilities * np.log(np.maximum(probabilities, 1e-12))).sum(axis=1)
    lead = ordered[:, -1] - ordered[:, -2]
    return np.column_stack([ordered[:, -1], lead, entropy, probabilities])


def _prepare(X: Any, X_new: Any) -> tuple[Numbers, Numbers]:
    """Give both as numbers on the scale of the first, gaps filled."""
    if hasattr(X, "iloc"):
        preparation = build_preparation(sort_columns(X))
    else:
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        preparation = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
        X, X_new = (np.asarray(_dense(part), dtype=np.float64) for part in (X, X_new))
    known = preparation.fit_transform(X)
    return np.asarray(known, np.float64), np.asarray(preparation.transform(X_new), np.float64)


def _dense(X: Any) -> Any:
    return X.toarray() if hasattr(X, "toarray") else X
