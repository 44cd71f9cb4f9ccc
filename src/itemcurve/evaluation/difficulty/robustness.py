"""Robustness to noise by difficulty: how far a model agrees with itself when inputs are noisy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.kappa import cross_table, kappa_interval, kappa_of_tables
from itemcurve.analysis.robustness.data_complexity import data_complexity
from itemcurve.analysis.robustness.system_curves import SystemCurves, perturbed
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.answer_collection import Collected, Progress
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
    values, counts = read_difficulty(difficulty, len(labels))
    places = part_by_difficulty(values, counts, bins, np.random.default_rng([seed, 0]))
    split = cross_validate(X, labels, cv, is_stratified=True, seed=seed)
    refuse_partial(split)
    doubled = add_noisy_rows(split, noise, attributes, seed)
    found, notes = plan.collect(pool, doubled, classes, fewest=1)
    chosen = found.values.argmax(axis=2)
    means = np.array([values[places == place].mean() for place in range(bins)])
    blank = np.empty((len(found.names), bins, len(shares)))
    curves = SystemCurves(
        name,
        found.names,
        means,
        shares,
        *(blank, blank, blank),
        level,
        classes.names,
        classes.positions(labels),
        chosen[:, : len(labels)],
        chosen[:, len(labels) :],
        places,
        draw_order(places, np.random.default_rng([seed, 1])),
        _measure_complexity(split.folds[0].X_test, len(labels), len(classes.names)),
        (*notes, *_list_notes(counts, means, found)),
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
    counts: NDArray[np.bool_], means: NDArray[np.float64], found: Collected
) -> Iterator[str]:
    """Say which instances and models were left out, and which bins cannot be told apart."""
    if not counts.all():
        yield f"{int((~counts).sum())} instances without a usable difficulty are left out."
    if bool((np.diff(means) < 1e-6).any()):
        yield "Some bins are equally hard: more instances tie than a bin holds."
    yield from (f"{one.respondent} failed: {one.reason}" for one in found.failures)


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
