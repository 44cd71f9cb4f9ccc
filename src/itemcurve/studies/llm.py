"""Language models on real benchmarks: a new model's score from 50 of its answers.

Two protocols: models held out at random, and models better than all that were calibrated on
(calibration on the worst half, prediction of the best 30 %).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.prediction.catalogue import ESTIMATORS
from itemcurve.adaptive.prediction.contract import Sample
from itemcurve.adaptive.prediction.score_prediction import ScorePredictions, predict_scores
from itemcurve.bank.ability_estimation import Scores
from itemcurve.errors import StorageError
from itemcurve.estimation.fit import fit
from itemcurve.estimation.result import FitResult
from itemcurve.responses.matrix import Responses
from itemcurve.studies.contract import Report, StudyResult

PROTOCOLS = ("random", "better")
N_ASKED = 50
_SEEDS = 20
_MISSING = 255
_MEASURES = ("mae", "coverage", "outside", "ability_coverage")
_WIDTH = 1.645


def reproduce_llm(
    data: Path, *, seeds: int | None = None, report: Report = print, work: Path | None = None
) -> StudyResult:
    """Compare all estimators of scores under both protocols.

    Parameters
    ----------
    data : folder with `data/llm/*.npz` (models × items, 0 and 1, 255 for missing).
    seeds : repetitions, 20 when None.
    work : not used; the study takes minutes.
    """
    import pandas

    repeats = _SEEDS if seeds is None else seeds
    rows: list[dict[str, Any]] = []
    for name, matrix in read_matrices(data).items():
        for protocol in PROTOCOLS:
            found = _run(matrix, protocol, repeats)
            rows += [{"protocol": protocol, "matrix": name, **row} for row in found]
            best = min(found, key=lambda row: row["mae"])
            report(f"{name}, {protocol}: best {best['estimator']} {best['mae']:.2f}")
    table = pandas.DataFrame(rows)
    columns = ["mae", "coverage", "outside", "ability_coverage"]
    means = table.groupby(["protocol", "estimator"], sort=False)[columns]
    summary = means.mean().reset_index()
    return StudyResult(
        "Scores of language models from 50 answers",
        {"summary": summary, "matrices": table, "claims": _judge(summary)},
        {"seeds": repeats, "items_asked": N_ASKED, "matrices": sorted(set(table["matrix"]))},
    )


def read_matrices(data: Path) -> Mapping[str, NDArray[np.float64]]:
    """Read the response matrices, without items that some model did not answer."""
    paths = sorted((data / "data" / "llm").glob("*.npz"))
    if not paths:
        raise StorageError(
            "The study needs response matrices of language models;",
            f"there is no data/llm/*.npz under {str(data)!r}.",
            "Set ITEMCURVE_DATA to the folder that has them.",
        )
    found = {}
    for path in paths:
        with np.load(path, allow_pickle=False) as arrays:
            responses = arrays["R"]
        kept = (responses != _MISSING).all(axis=0)
        found[path.stem.removeprefix("benchpred_")] = responses[:, kept].astype(float)
    return found


def split(
    matrix: NDArray[np.float64], protocol: str, seed: int
) -> tuple[NDArray[np.int_], NDArray[np.int_], NDArray[np.int_]]:
    """Calibration models, target models and items asked."""
    rng = np.random.default_rng([seed, PROTOCOLS.index(protocol)])
    n_models, n_items = matrix.shape
    if protocol == "random":
        order = rng.permutation(n_models)
        held = round(0.25 * n_models)
        sources, targets = order[held:], order[:held]
    else:
        order = np.argsort(matrix.mean(axis=1), kind="stable")
        sources, targets = order[: n_models // 2], order[n_models - round(0.3 * n_models) :]
    asked = rng.choice(n_items, N_ASKED, replace=False)
    return np.sort(sources), np.sort(targets), asked


def _run(matrix: NDArray[np.float64], protocol: str, seeds: int) -> list[dict[str, Any]]:
    """Errors (points of 100), coverage of 90 % intervals and share called outside."""
    results: dict[str, list[list[float]]] = {name: [] for name in ESTIMATORS}
    fitted: FitResult | None = None
    for seed in range(seeds):
        sources, targets, asked = split(matrix, protocol, seed)
        # The worst half is the same for every seed.
        if fitted is None or protocol == "random":
            fitted = fit(Responses.from_array(matrix[sources]), "2pl", on_failure="ignore")
        whole = Responses.from_array(matrix[targets], items=fitted.bank.items)
        given = whole.take(columns=asked.tolist())
        # The other items know nothing of those asked: what they say about ability is a check.
        others = np.setdiff1d(np.arange(matrix.shape[1]), asked)
        abilities = Sample(others, matrix[np.ix_(targets, others)]).abilities(fitted.bank)
        truth = _Truth(matrix[targets].mean(axis=1), abilities)
        for name, outcomes in results.items():
            outcomes.append(truth.compare(predict_scores(fitted, given, estimator=name)))
    return [
        {"estimator": name, **dict(zip(_MEASURES, means, strict=True))}
        for name, outcomes in results.items()
        for means in [np.mean(outcomes, axis=0).tolist()]
    ]


@dataclass(frozen=True, eq=False)
class _Truth:
    """Scores of the targets on all items, and abilities by the items not asked."""

    scores: NDArray[np.float64]
    abilities: Scores

    def compare(self, found: ScorePredictions) -> list[float]:
        """Give the numbers of `_MEASURES`."""
        is_covered = (found.score_lower <= self.scores) & (self.scores <= found.score_upper)
        gaps = np.abs(found.ability - self.abilities.ability)
        error = np.sqrt(found.ability_se**2 + self.abilities.ability_se**2)
        return [
            float(100 * np.abs(found.score - self.scores).mean()),
            float(is_covered.mean()),
            float(found.outside_calibration.mean()),
            float((gaps <= _WIDTH * error).mean()),
        ]


def _judge(summary: Any) -> Any:
    """What `guarded` must do, the plainest estimator for both protocols, and whether it did."""
    import pandas

    errors = summary.set_index(["protocol", "estimator"])["mae"]
    rivals = min(errors["better", "sample-mean"], errors["better", "ridge-aipw"])
    bars = [
        ("error, random models", errors["random", "guarded"], errors["random", "ridge"], "ridge"),
        ("error, better models", errors["better", "guarded"], rivals, "sample mean, ridge-AIPW"),
    ]
    rows = [
        {"claim": claim, "found": value, "bar": f"≤ {bar:.2f} ({who})", "holds": value <= bar}
        for claim, value, bar, who in bars
    ]
    for column, what in (("coverage", "score"), ("ability_coverage", "ability")):
        cover = summary.set_index(["protocol", "estimator"])[column]
        for protocol in PROTOCOLS:
            value = cover[protocol, "guarded"]
            claim = f"90 % intervals of {what}, {protocol} models"
            row = {"claim": claim, "found": value, "bar": "0.86 to 0.94"}
            rows.append({**row, "holds": 0.86 <= value <= 0.94})
    return pandas.DataFrame(rows)
