"""Abilities and metrics along the amount of noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.regrading import regrade
from itemcurve.evaluation.noise.added_noise import (
    blur_features,
    blur_targets,
    flip_labels,
)
from itemcurve.evaluation.pools.pool import Pool, as_pool, declared_task
from itemcurve.evaluation.regressors import evaluate_regressors

if TYPE_CHECKING:
    import pandas

Kind = Literal["labels", "targets", "features"]
Place = Literal["test", "both"]
DetectionRule = Literal["audit", "negative"]
LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


@dataclass(frozen=True, eq=False)
class NoisyEvaluation:
    """One evaluation under noise.

    Attributes
    ----------
    level, repeat : how much noise, and which draw of it.
    evaluation : of the noisy data.
    changed : test items whose label, target or features noise changed.
    """

    level: float
    repeat: int
    evaluation: Evaluation
    changed: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class NoiseSweep:
    """Evaluations along the amount of noise; `notes` say what was decided about the table."""

    kind: Kind
    steps: tuple[NoisyEvaluation, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        levels = dict.fromkeys(f"{step.level:g}" for step in self.steps)
        return f"NoiseSweep({self.kind}, {len(self.steps)} evaluations at {', '.join(levels)})"

    def frame(self) -> "pandas.DataFrame":
        """One row per level, repeat and respondent: ability and the usual metrics."""
        import pandas

        parts = []
        for step in self.steps:
            table = step.evaluation.leaderboard().frame()
            table.insert(0, "repeat", step.repeat)
            table.insert(0, "noise", step.level)
            parts.append(table)
        return pandas.concat(parts, ignore_index=True)

    @property
    def failures(self) -> dict[str, str]:
        """Why respondents are missing at some level, by name: nothing tells what noise took."""
        return {
            failure.respondent: f"at noise {step.level:g}, {failure.reason}"
            for step in self.steps
            for failure in step.evaluation.failures
        }

    def detection(self, rule: DetectionRule = "audit") -> "pandas.DataFrame":
        """One row per level and repeat: how many of the flipped labels are found.

        `ranked` is the share of flipped labels among as many items as were flipped, the most
        suspicious first; precision and recall are those of the verdicts.

        Parameters
        ----------
        rule : `"audit"`, the suspect labels of `evaluation.audit()`; or `"negative"`, items whose
            discrimination is negative, as Chen et al. (2019) do (evaluate with their model).
        """
        import pandas

        rows = []
        for step in self.steps:
            found, suspicion = _suspect(step.evaluation, rule)
            flipped = int(step.changed.sum())
            right = int((found & step.changed).sum())
            first = np.argsort(-suspicion, kind="stable")[:flipped]
            rows.append(
                {
                    "noise": step.level,
                    "repeat": step.repeat,
                    "flipped": flipped,
                    "suspects": int(found.sum()),
                    "precision": right / found.sum() if found.any() else np.nan,
                    "recall": right / flipped if flipped else np.nan,
                    "ranked": float(step.changed[first].mean()) if flipped else np.nan,
                }
            )
        return pandas.DataFrame(rows)


def _suspect(
    evaluation: Evaluation, rule: DetectionRule
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which items are suspect, and how suspicious each is."""
    if rule == "negative":
        slopes = evaluation.fit.slopes.values
        return slopes < 0, -slopes
    if rule != "audit":
        raise EvaluationError(
            "Flipped labels are found by the rule 'audit' or 'negative';",
            f"given is {rule!r}.",
            "Leave it out if unsure.",
        )
    audit = evaluation.audit()
    if audit.labels is None:
        raise EvaluationError(
            "Flipped labels can be found among classes;",
            "this sweep is over numbers.",
            "Use noise_sweep with kind='labels'.",
        )
    return audit.labels.is_suspect, audit.labels.noise.probability_wrong


def noise_sweep(
    estimators: Pool | Mapping[str, Any] | Sequence[Any],
    X_train: Any,
    y_train: Any,
    X_test: Any,
    y_test: Any,
    *,
    kind: Kind = "labels",
    levels: Sequence[float] = LEVELS,
    repeats: int = 1,
    place: Place = "test",
    seed: int = 0,
    **settings: Any,
) -> NoiseSweep:
    """Evaluate the same estimators under more and more noise.

    Parameters
    ----------
    estimators, X_train, y_train, X_test, y_test
        As for `evaluate_classifiers` and `evaluate_regressors`.
    kind : `"labels"` flips a share of the labels (classifiers), `"targets"` blurs targets by a
        standard deviation in units of theirs (regressors), `"features"` blurs features likewise
        (of either).
    levels : amounts of noise.
    repeats : draws of noise at each level.
    place : noise in the `"test"` part only, or in `"both"`.
    seed : of the noise; the estimators' own seed is among the settings.
    settings : further arguments of the evaluation, as `response`, `n_jobs`, `cache`; with a cache
        no estimator is trained twice on the same data.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(120, noise=0.3, random_state=0)
    >>> pool = ic.pools.random_pool(4)
    >>> sweep = noise_sweep(
    ...     pool, X[:60], y[:60], X[60:], y[60:], levels=(0, 0.2), response="correct"
    ... )
    >>> sorted(set(sweep.frame()["noise"]))
    [0.0, 0.2]
    """
    if kind not in ("labels", "targets", "features") or place not in ("test", "both"):
        raise EvaluationError(
            "kind must be 'labels', 'targets' or 'features', place 'test' or 'both';",
            f"given are {kind!r} and {place!r}.",
            "Leave them out for wrong labels in the test part.",
        )
    if not levels or repeats < 1:
        raise EvaluationError(
            "A sweep needs at least one level and one repeat;",
            f"given are {len(levels)} and {repeats}.",
            "Leave them out for six levels from 0 to 0.5.",
        )
    for level in levels:
        check_amount(level, kind)
    data = (X_train, y_train, X_test, y_test)
    pool = as_pool(estimators)
    evaluate = evaluate_classifiers if _is_classification(kind, pool) else evaluate_regressors
    # Noise in the answers of the test part changes no prediction: train once, grade anew.
    is_cheap = place == "test" and kind != "features"
    clean = evaluate(pool, *data, **settings) if is_cheap else None
    steps: list[NoisyEvaluation] = []
    for index, (level, repeat) in enumerate(product(levels, range(repeats))):
        noisy, changed = _disturb(data, kind, place, level, seed + 2 * index)
        if level == 0 and repeat:
            # Without noise there is nothing to draw.
            evaluation = steps[-1].evaluation
        elif clean is not None:
            evaluation = regrade(clean, noisy[3])
        else:
            evaluation = evaluate(pool, *noisy, **settings)
        steps.append(NoisyEvaluation(float(level), repeat, evaluation, changed))
    return NoiseSweep(kind, tuple(steps))


def check_amount(level: float, kind: Kind) -> None:
    """Raise unless there can be so much noise of this kind."""
    if kind == "labels" and not 0 <= level <= 1:
        raise EvaluationError(
            "The level of noise in labels is the share that is flipped, from 0 to 1;",
            f"given is {level:g}.",
            "Use 0.2 for 20 % of the labels. Standard deviations are those of noise in features "
            "and targets (kind, --kind).",
        )
    if kind != "labels" and not (level >= 0 and isfinite(level)):
        raise EvaluationError(
            f"The level of noise in {kind} is in standard deviations, from 0;",
            f"given is {level:g}.",
            "Use 0.2 for a fifth of a standard deviation.",
        )


def _is_classification(kind: Kind, pool: Pool) -> bool:
    """By the kind of noise, and where both can bear it by who is evaluated."""
    if kind != "features":
        return kind == "labels"
    return all(declared_task(estimator) != "regression" for estimator in pool.estimators)


def _disturb(
    data: tuple[Any, Any, Any, Any], kind: Kind, place: Place, level: float, seed: int
) -> tuple[tuple[Any, Any, Any, Any], NDArray[np.bool_]]:
    """Put noise into the test part, and into the training part where asked for."""
    X_train, y_train, X_test, y_test = data
    if kind == "features":
        asked = blur_features(X_test, level, seed, reference=X_train)
        known = blur_features(X_train, level, seed + 1).values if place == "both" else X_train
        return (known, y_train, asked.values, y_test), asked.changed
    change = flip_labels if kind == "labels" else blur_targets
    asked = change(y_test, level, seed)
    known = change(y_train, level, seed + 1).values if place == "both" else y_train
    return (X_train, known, X_test, asked.values), asked.changed
