"""Regressors as respondents: train, predict, grade, fit."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

from itemcurve.analysis.predictions import Forecasts
from itemcurve.estimation.method import Method
from itemcurve.evaluation.collecting.answer_collection import Progress
from itemcurve.evaluation.collecting.data_parts import DataParts
from itemcurve.evaluation.collecting.splits import Split
from itemcurve.evaluation.collecting.targets import check_targets
from itemcurve.evaluation.collecting.training_plan import Prepare, TrainingPlan
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.assembly import add_references, assemble, name_items
from itemcurve.evaluation.grading.grades import ErrorResponse, check_plan
from itemcurve.evaluation.pools.pool import Pool, as_pool, check_kind
from itemcurve.models.contract import ItemModel


def evaluate_regressors(
    estimators: Pool | Mapping[str, Any] | Sequence[Any],
    X_train: Any = None,
    y_train: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    *,
    cv: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    response: ErrorResponse | None = None,
    model: str | ItemModel | None = None,
    method: str | Method | None = None,
    items: Iterable[object] | None = None,
    prepare: Prepare = "auto",
    seed: int | None = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
    **fit_settings: Any,
) -> Evaluation:
    """Measure the abilities of regressors and the difficulties of test instances.

    Parameters
    ----------
    estimators : scikit-learn regressors: a dict from name to estimator, a list, or a pool such as
        `pools.standard_regressors()`, which adds the references Optimal, Average and Worst.
    response : `"absolute"` error (default) in units of the mean |y − ȳ|, `"normalised"` error
        |y − ŷ| / |y − ȳ|, or `"score"`, 1 / (1 + normalised error).
    model : as for `fit`; `rasch-errors`, `gamma-normalised` or `beta3` after the kind of response.
        A model that is named (`"gamma-normalised"` is the paper's) is fitted to all, references
        too, and the leaderboard is then ranked by its ability.
    X_train, y_train, X_test, y_test, cv, groups, sample_weight, method, items, prepare, seed
        As for `evaluate_classifiers`.
    n_jobs, cache, progress
        As for `evaluate_classifiers`.
    fit_settings : further arguments of `itemcurve.fit`.

    Returns
    -------
    An evaluation with `.responses`, `.fit`, `.leaderboard()`, `.failures`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> pool = [LinearRegression(), KNeighborsRegressor(5)]
    >>> ic.evaluate_regressors(pool, X[:80], y[:80], X[80:120], y[80:120]).task
    'regression'
    """
    plan = TrainingPlan(seed, prepare, n_jobs, cache, progress)
    pool = as_pool(estimators)
    check_kind(pool, "regression")
    check_plan(response, model, method, fit_settings, "regression", evaluate_regressors)
    parts = DataParts(X_train, y_train, X_test, y_test, cv, groups, sample_weight)
    split = _split(parts, pool, plan.split_seed)
    ids = name_items(items, split.index, len(split.answers), split.items)
    found, notes = plan.collect(pool, split, None)
    names, values = add_references(found.names, found.values, split.answers, pool.references)
    forecasts = Forecasts(names, ids, values, split.answers, oracles=pool.references)
    return assemble(
        forecasts,
        response=response,
        model=model,
        method=method,
        fit_settings=fit_settings,
        failures=found.failures,
        cautions=found.cautions,
        notes=notes,
        settings={**plan.describe(split, found), "references": list(pool.references)},
        rows=parts.describe_items(split),
        groups=parts.groups_of_items(split),
    )


def _split(parts: DataParts, pool: Pool, seed: int) -> Split:
    if parts.cv is not None:
        targets = check_targets(parts.y_train, "y")
        return parts.cross_validate(targets, is_stratified=False, seed=seed)
    asked = check_targets(parts.y_test, "y_test")
    if parts.is_trained:
        return parts.ask_only(pool, asked)
    return parts.hold_out(check_targets(parts.y_train, "y_train"), asked)
