"""The experiment: ten tuned classifiers against a 3PL of many random ones."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.confusion.confusion_matrix import Confusion, confusion
from itemcurve.analysis.confusion.recommendation import Recommendation, recommend
from itemcurve.analysis.items.item_summary import ItemSummary, summarise_items
from itemcurve.analysis.metrics.filtered_metrics import FilteredMetrics, filter_metrics
from itemcurve.analysis.metrics.rank_tests import MetricComparison, compare_metrics
from itemcurve.estimation.fit import fit
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve_studies.confusion.tuned_classifiers import (
    HeartSplit,
    TunedPredictions,
    predict_tuned,
    read_heart,
)
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts

if TYPE_CHECKING:
    import pandas

# Seeds of the paper's pool, and of another one to see what depends on it.
PAPER_SEED, OTHER_SEED = 0, 1_000


@dataclass(frozen=True, eq=False)
class ConfusionStudy:
    """Everything the tables, claims and pictures are made from.

    Attributes
    ----------
    fit : the 3PL of the paper's pool with default priors; `plain` without priors, `over_items`
        with the items integrated out, `other_pool` of classifiers drawn with other seeds.
    view : the ten tuned classifiers against `fit`.
    """

    heart: HeartSplit
    tuned: TunedPredictions
    fit: FitResult
    plain: FitResult
    over_items: FitResult
    other_pool: FitResult
    view: Confusion
    metrics: FilteredMetrics
    comparison: MetricComparison
    summary: ItemSummary
    recommendation: Recommendation


def run_study(data: Path, rounds: int, report: Report, work: Path | None) -> ConfusionStudy:
    """Train the classifiers, calibrate the items, and open the confusion matrices."""
    heart = read_heart(data)
    tuned = predict_tuned(heart, work)
    parts = FinishedParts(work)
    report("ten classifiers tuned by grid search")
    fits = {}
    for name, seed in (("calibration", PAPER_SEED), ("other pool", OTHER_SEED)):
        fits[name] = _calibrate(heart, rounds, seed, parts, name.replace(" ", "-"))
        report(f"{name}: {fits[name]}")
    first = fits["calibration"]
    variants: dict[str, dict[str, Any]] = {
        "over-items": {"method": Marginal(over="items")},
        "without-priors": {"method": Marginal(over="respondents"), "prior": None},
    }
    for name, settings in variants.items():
        refit = partial(fit, first.responses, "3pl", on_failure="ignore", **settings)
        fits[name] = parts.fit(name, refit)
        report(f"{name}: {fits[name]}")
    view = confusion(first, heart.y_test, tuned.labels)
    metrics = filter_metrics(view)
    return ConfusionStudy(
        heart,
        tuned,
        first,
        fits["without-priors"],
        fits["over-items"],
        fits["other pool"],
        view,
        metrics,
        compare_metrics(join_scores(view, metrics).drop(columns="respondent")),
        summarise_items(first, name_classes(heart.y_test)),
        recommend(view),
    )


def join_scores(view: Confusion, metrics: FilteredMetrics) -> "pandas.DataFrame":
    """Give the six classical metrics of the paper beside True Score and Total Score."""
    table = metrics.table().drop(columns="mcc")
    return table.assign(true_score=view.scores.true_score, total_score=view.scores.total_score)


def name_classes(y: NDArray[np.int64]) -> list[str]:
    """Name the classes as the paper does."""
    return ["minority (present)" if label else "majority (absent)" for label in y]


def _calibrate(
    heart: HeartSplit, rounds: int, seed: int, parts: FinishedParts, name: str
) -> FitResult:
    """Give the 3PL of the pool's answers."""
    cache = None if parts.folder is None else parts.folder / f"{name}-answers"
    return parts.fit(
        name,
        lambda: (
            evaluate_classifiers(
                random_pool(10 * rounds, seed=seed),
                heart.X_train,
                heart.y_train,
                heart.X_test,
                heart.y_test,
                response="correct",
                model="3pl",
                # The priors as the rules were fixed with; a population of the 81 items would draw
                # their guessing together, which is what the paper is about.
                method=Marginal(item_priors="fixed"),
                cache=cache,
            ).fit
        ),
    )
