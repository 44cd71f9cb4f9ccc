"""Pools: named estimators of one kind, and the reference respondents that go with them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from itemcurve.errors import EvaluationError

Task = Literal["classification", "regression"]
Reference = Literal["Optimal", "Average", "Worst"]


@dataclass(frozen=True)
class Pool:
    """Estimators with unique names.

    Attributes
    ----------
    names, estimators : in the same order.
    references : respondents computed from the others' predictions (regression only): `Average`
        predicts the mean target, `Optimal` and `Worst` take the best and the worst prediction for
        each item.
    """

    names: tuple[str, ...]
    estimators: tuple[Any, ...]
    references: tuple[Reference, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an empty pool and repeated names."""
        if not self.estimators:
            raise EvaluationError(
                "A pool needs at least one estimator;",
                "none was given.",
                "Use pools.standard_classifiers() or pools.standard_regressors().",
            )
        named = (*self.names, *self.references)
        repeated = sorted({name for name in named if named.count(name) > 1})
        if repeated or len(self.names) != len(self.estimators):
            raise EvaluationError(
                "Every estimator of a pool needs a name of its own;",
                f"{', '.join(map(repr, repeated)) or 'the number of names'} does not fit.",
                "Give a dict from name to estimator.",
            )

    def __len__(self) -> int:
        return len(self.estimators)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(zip(self.names, self.estimators, strict=True))


def as_pool(estimators: Any) -> Pool:
    """Give a pool from a dict, a list of estimators or of (name, estimator) pairs, or one alone.

    Estimators without a name are named after their class, repeated ones numbered.
    """
    if isinstance(estimators, Pool):
        return estimators
    if isinstance(estimators, Mapping):
        return Pool(tuple(map(str, estimators)), tuple(estimators.values()))
    if not isinstance(estimators, Sequence) and hasattr(estimators, "predict"):
        return Pool((_kind(estimators),), (estimators,))
    if not isinstance(estimators, Sequence) or isinstance(estimators, str):
        is_data = hasattr(estimators, "shape")
        raise EvaluationError(
            "Estimators must be one, a list, a dict from name to estimator, or a pool;",
            f"given is a {type(estimators).__name__}.",
            "Estimators come first, then the data."
            if is_data
            else "Give scikit-learn estimators, as [LogisticRegression(), GaussianNB()].",
        )
    if all(isinstance(entry, tuple) and len(entry) == 2 for entry in estimators):
        return Pool(tuple(str(name) for name, _ in estimators), tuple(e for _, e in estimators))
    return Pool(_class_names(estimators), tuple(estimators))


def check_kind(pool: Pool, task: Task) -> None:
    """Raise unless every estimator can be fitted and predicts what the task asks for."""
    for name, estimator in pool:
        if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
            raise EvaluationError(
                "Estimators must have the methods fit and predict;",
                f"{name!r} is a {_kind(estimator)}.",
                "Give scikit-learn estimators, or use itemcurve.from_predictions.",
            )
        if isinstance(estimator, type):
            raise EvaluationError(
                "Estimators must be objects;",
                f"{name!r} is the class {estimator.__name__}.",
                f"Write {estimator.__name__}().",
            )
        if declared_task(estimator) not in (task, None):
            wanted = "classifiers" if task == "classification" else "regressors"
            other = "evaluate_regressors" if task == "classification" else "evaluate_classifiers"
            raise EvaluationError(
                f"Here all estimators must be {wanted};",
                f"{name!r} ({_kind(estimator)}) is not one.",
                f"Leave it out, or use itemcurve.{other}.",
            )


def declared_task(estimator: Any) -> Task | None:
    """What an estimator says it is; None of those that do not say."""
    from sklearn.base import is_classifier, is_regressor

    try:
        if is_classifier(estimator):
            return "classification"
        return "regression" if is_regressor(estimator) else None
    except AttributeError:
        # Objects that only look like estimators carry no tags.
        return None


def _class_names(estimators: Sequence[Any]) -> tuple[str, ...]:
    kinds = [_kind(estimator) for estimator in estimators]
    names, seen = [], dict.fromkeys(kinds, 0)
    for kind in kinds:
        seen[kind] += 1
        names.append(f"{kind} {seen[kind]}" if kinds.count(kind) > 1 else kind)
    return tuple(names)


def _kind(estimator: object) -> str:
    # What a pipeline ends in tells more than that it is one.
    steps = getattr(estimator, "steps", None)
    last = steps[-1][1] if steps else estimator
    return last.__name__ if isinstance(last, type) else type(last).__name__
