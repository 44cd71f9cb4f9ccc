"""Robustness to noise by difficulty: how far a model agrees with itself when inputs are noisy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.kappa import cross_table, kappa_interval, kappa_of_tables
from itemcurve.analysis.robustness.data_complexity import data_complexity
from itemcurve.analysis.robustness.system_curves import SystemCurves, perturbed
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.answer_collection import Failure, Progress
from itemcurve.evaluation.collecting.splits import cross_validate, refuse_partial
from itemcurve.evaluation.collecting.targets import check_labels, find_classes
from itemcurve.evaluation.collecting.training_plan import Prepare, TrainingPlan
from itemcurve.evaluation.difficulty.difficulty_bins import (
    check_bins,
    draw_order,
    part_by_difficulty,
    read_difficulty,
)
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty
from itemcurve.evaluation.noise.noisy_split import add_noisy_rows
from itemcurve.evaluation.noise.perturbation import Perturbation, check_level
from itemcurve.evaluation.pools.pool import Pool, as_pool, check_kind

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


def system_curves(
    estimators: Pool | Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any,
    *,
    difficulty: "Difficulty | NDArray[np.floating] | Sequence[float]",
    noise: float | Perturbation = 0.2,
    shares: Sequence[float] = SHARES,
    bins: int = 5,
    cv: Any = 5,
    attributes: int | Sequence[Any] | None = None,
    name: str = "",
    level: float = 0.9,
    resamples: int = 200,
    seed: int = 0,
    prepare: Prepare = "auto",
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
) -> SystemCurves:
    """Measure how models keep their predictions under noise, on easy and on hard instances.

    Every instance is predicted twice by models trained without it: as it is and with noise. Within
    each bin of difficulty a share of the instances takes the noisy prediction, and Cohen's κ
    compares that with the clean predictions, over the instances of all folds. Larger shares hold
    the instances of smaller ones, and all models see the same noise.

    Parameters
    ----------
    estimators : classifiers, as for `evaluate_classifiers`.
    difficulty : from `estimate_difficulty`, of which instances that are not `is_usable` are left
        out, or one number per instance.
    noise : level of `noise.perturb_features`, or a function of one's own that takes the rows to
        perturb, the training rows and a random generator, and gives the noisy rows.
    shares : of noisy instances per bin; 0 is added when it is not there.
    bins : number of bins of equal size.
    cv : number of folds, or a scikit-learn splitter.
    attributes : perturb only these columns, or as a number so many with the largest mutual
        information with the class in the training part.
    name : of the data set.
    level, resamples : of the bootstrap intervals.
    seed, prepare, n_jobs, cache, progress : as for `evaluate_classifiers`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(100, noise=0.3, random_state=0)
    >>> difficulty = ic.robustness.estimate_difficulty(X, y, pool=ic.pools.random_pool(20))
    >>> models = ic.pools.random_pool(2)
    >>> ic.robustness.system_curves(models, X, y, difficulty=difficulty, bins=2).frame().shape
    (24, 8)
    """
    plan, pool = TrainingPlan(seed, prepare, n_jobs, cache, progress), as_pool(estimators)
    labels = check_labels(y, "y")
    shares = check_noise_plan(pool, noise, shares, bins, len(labels))
    classes = find_classes(labels)
    parts = _part(difficulty, len(labels), bins, seed)
    split = cross_validate(X, labels, cv, is_stratified=True, seed=seed)
    refuse_partial(split)
    doubled = add_noisy_rows(split, noise, attributes, seed)
    found, notes = plan.collect(pool, doubled, classes, fewest=1)
    choices = NamedClasses(
        found.names,
        found.values.argmax(axis=2),
        classes.positions(labels),
        classes.names,
        found.failures,
        notes,
    )
    complexity = _measure_complexity(split.folds[0].X_test, len(labels), len(classes.names))
    return _join(choices, parts, shares, name, level, resamples, seed, complexity)


@dataclass(frozen=True, eq=False)
class NamedClasses:
    """Which class each model named of every instance, as it is and with noise.

    Attributes
    ----------
    respondents : models that answered every instance.
    chosen : models × instances twice, clean and then noisy, as positions among the classes.
    labels : positions of the given classes.
    failures : models that did not answer.
    notes : what was done to the data, in words.
    """

    respondents: tuple[str, ...]
    chosen: NDArray[np.intp]
    labels: NDArray[np.intp]
    classes: tuple[str, ...]
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()


def join_curves(
    choices: NamedClasses,
    difficulty: "Difficulty | NDArray[np.floating] | Sequence[float]",
    *,
    shares: Sequence[float] = SHARES,
    bins: int = 5,
    name: str = "",
    level: float = 0.9,
    resamples: int = 200,
    seed: int = 0,
    complexity: float = float("nan"),
) -> SystemCurves:
    """Give the curves of models that have answered already; the parameters are those above.

    Parameters
    ----------
    choices : what they answered.
    complexity : of the data set, see `data_complexity`.
    """
    count = len(choices.labels)
    check_bins(bins, count)
    parts = _part(difficulty, count, bins, seed)
    return _join(choices, parts, _check_shares(shares), name, level, resamples, seed, complexity)


@dataclass(frozen=True, eq=False)
class _Parts:
    """Difficulties, which of them count, and the bin of each instance."""

    values: NDArray[np.float64]
    counts: NDArray[np.bool_]
    places: NDArray[np.intp]
    bins: int


def _part(difficulty: Any, rows: int, bins: int, seed: int) -> _Parts:
    values, counts = read_difficulty(difficulty, rows)
    places = part_by_difficulty(values, counts, bins, np.random.default_rng([seed, 0]))
    return _Parts(values, counts, places, bins)


def _join(
    choices: NamedClasses,
    parts: _Parts,
    shares: tuple[float, ...],
    name: str,
    level: float,
    resamples: int,
    seed: int,
    complexity: float,
) -> SystemCurves:
    count = len(choices.labels)
    means = np.array([parts.values[parts.places == place].mean() for place in range(parts.bins)])
    blank = np.empty((len(choices.respondents), parts.bins, len(shares)))
    curves = SystemCurves(
        name,
        choices.respondents,
        means,
        shares,
        *(blank, blank, blank),
        level,
        choices.classes,
        choices.labels,
        choices.chosen[:, :count],
        choices.chosen[:, count:],
        parts.places,
        draw_order(parts.places, np.random.default_rng([seed, 1])),
        complexity,
        (*choices.notes, *_list_notes(parts.counts, means, choices.failures)),
    )
    return measure_kappa(curves, resamples, seed)


def check_noise_plan(
    pool: Pool, noise: float | Perturbation, shares: Sequence[float], bins: int, rows: int
) -> tuple[float, ...]:
    """Give the shares in order; raise when something cannot be, before anything is trained."""
    check_kind(pool, "classification")
    if not callable(noise):
        check_level(noise)
    check_bins(bins, rows)
    return _check_shares(shares)


def _measure_complexity(X: Any, rows: int, classes: int) -> float:
    """Attributes × classes / instances; NaN of texts, which have no attributes."""
    return data_complexity(rows, X.shape[1] + 1, classes) if len(X.shape) > 1 else float("nan")


def _list_notes(
    counts: NDArray[np.bool_], means: NDArray[np.float64], failures: tuple[Failure, ...]
) -> Iterator[str]:
    """Say which instances and models were left out, and which bins cannot be told apart."""
    if not counts.all():
        yield f"{int((~counts).sum())} instances without a usable difficulty are left out."
    if bool((np.diff(means) < 1e-6).any()):
        yield "Some bins are equally hard: more instances tie than a bin holds."
    yield from (f"{one.respondent} failed: {one.reason}" for one in failures)


def measure_kappa(curves: SystemCurves, resamples: int = 200, seed: int = 0) -> SystemCurves:
    """Give the curves with κ and its intervals, from the clean and noisy predictions they hold."""
    shape = (len(curves.respondents), curves.n_bins, len(curves.shares))
    kappa, lower, upper = (np.empty(shape) for _ in range(3))
    for place in range(curves.n_bins):
        inside = np.flatnonzero(curves.bins == place)
        for column, share in enumerate(curves.shares):
            moved = perturbed(curves.order[inside], share)
            rng = np.random.default_rng([seed, 2, place, column])
            for who in range(shape[0]):
                clean = curves.clean[who, inside]
                table = cross_table(clean, np.where(moved, curves.noisy[who, inside], clean))
                kappa[who, place, column] = kappa_of_tables(table)
                lower[who, place, column], upper[who, place, column] = kappa_interval(
                    table, rng, level=curves.level, resamples=resamples
                )
    return replace(curves, kappa=kappa, lower=lower, upper=upper)


def _check_shares(shares: Sequence[float]) -> tuple[float, ...]:
    found = sorted({0.0, *(float(share) for share in shares)})
    if found[0] < 0 or not found[-1] <= 1 or len(found) < 2:
        raise EvaluationError(
            "Shares of noisy instances lie between 0 and 1, one at least above 0;",
            f"given are {', '.join(f'{share:g}' for share in shares)}.",
            "Leave them out for 0 to 0.5 in steps of 0.1.",
        )
    return tuple(found)
