"""The IRT confusion matrix on Heart-Statlog (Cardoso et al., Standing on the shoulders of giants).

Follows the text: abilities rest on all items. The paper's code estimates them from the half of the
items with the larger discrimination, and parses item parameters from a print of three decimals.
"""

from dataclasses import dataclass
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
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve.studies.contract import Report, StudyResult
from itemcurve.studies.heart_classifiers import (
    HeartSplit,
    TunedPredictions,
    predict_tuned,
    read_heart,
)

if TYPE_CHECKING:
    import pandas

POOL = 200
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


def reproduce_confusion(
    data: Path,
    *,
    seeds: int | None = None,
    report: Report = print,
    work: Path | None = None,
) -> StudyResult:
    """Run the study: tables 1 to 3, the data of figures 3 to 8, and the claims.

    Parameters
    ----------
    data : folder with `data/core/heart_statlog.csv.gz`.
    seeds : classifiers of each of the ten algorithms in the pool, 20 when None.
    work : folder that keeps finished parts, so that an interrupted run resumes.
    """
    from itemcurve.studies.confusion_claims import judge_claims
    from itemcurve.studies.confusion_pictures import list_pictures
    from itemcurve.studies.confusion_tables import list_tables

    study = run_study(data, 20 if seeds is None else seeds, report, work)
    claims = judge_claims(study)
    held = claims["verdict"].value_counts().to_dict()
    report(", ".join(f"{count} {verdict}" for verdict, count in held.items()))
    return StudyResult(
        "The IRT confusion matrix on Heart-Statlog",
        {**list_tables(study), "claims": claims},
        {
            "pool": len(study.fit.responses.respondents),
            "model": study.fit.model,
            "prior": study.fit.settings["prior"],
            "recommendation": list(study.recommendation.sentences),
        },
        list_pictures(study),
    )


def run_study(data: Path, rounds: int, report: Report, work: Path | None) -> ConfusionStudy:
    """Train the classifiers, calibrate the items, and open the confusion matrices."""
    heart = read_heart(data)
    tuned = predict_tuned(heart, work)
    report("ten classifiers tuned by grid search")
    fits = {}
    for name, seed in (("calibration", PAPER_SEED), ("other pool", OTHER_SEED)):
        fits[name] = _calibrate(heart, rounds, seed, work, name.replace(" ", "-"))
        report(f"{name}: {fits[name]}")
    first = fits["calibration"]
    variants: dict[str, dict[str, Any]] = {
        "over-items": {"method": Marginal(over="items")},
        "without-priors": {"method": Marginal(over="respondents"), "prior": None},
    }
    for name, settings in variants.items():
        fits[name] = _refit(first, work, name, settings)
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
    heart: HeartSplit, rounds: int, seed: int, work: Path | None, name: str
) -> FitResult:
    """Give the 3PL of the pool's answers; a finished one is read back."""
    if work is not None and (work / name).is_dir():
        return load(work / name)
    study = evaluate_classifiers(
        random_pool(10 * rounds, seed=seed),
        heart.X_train,
        heart.y_train,
        heart.X_test,
        heart.y_test,
        response="correct",
        model="3pl",
        cache=None if work is None else work / f"{name}-answers",
    )
    if work is not None:
        study.fit.save(work / name)
    return study.fit


def _refit(
    calibration: FitResult, work: Path | None, name: str, settings: dict[str, Any]
) -> FitResult:
    """Fit the same answers in another way; a finished fit is read back."""
    if work is not None and (work / name).is_dir():
        return load(work / name)
    found = fit(calibration.responses, "3pl", on_failure="ignore", **settings)
    if work is not None:
        found.save(work / name)
    return found
