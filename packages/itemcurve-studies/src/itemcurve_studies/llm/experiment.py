"""The experiment: every estimator of scores on every matrix, under both protocols."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.prediction.catalogue import ESTIMATORS
from itemcurve.adaptive.prediction.contract import Sample
from itemcurve.adaptive.prediction.score_prediction import ScorePredictions, predict_scores
from itemcurve.bank.ability_estimation import Scores
from itemcurve.estimation.fit import fit
from itemcurve.estimation.result import FitResult
from itemcurve.responses.matrix import Responses
from itemcurve_studies.llm.matrices import PROTOCOLS, read_matrices, split
from itemcurve_studies.study.contract import RunOptions

if TYPE_CHECKING:
    import pandas

_SEEDS = 20
_MEASURES = ("mae", "coverage", "outside", "ability_coverage")
_WIDTH = 1.645


@dataclass(frozen=True, eq=False)
class LlmStudy:
    """One row per protocol, matrix and estimator, and over how many repetitions."""

    matrices: "pandas.DataFrame"
    seeds: int

    @property
    def summary(self) -> "pandas.DataFrame":
        """Means over the matrices, by protocol and estimator."""
        groups = self.matrices.groupby(["protocol", "estimator"], sort=False)[list(_MEASURES)]
        return groups.mean().reset_index()


def run_llm(options: RunOptions) -> LlmStudy:
    """Compare all estimators; it takes minutes, and keeps no parts.

    `seeds` are repetitions, 20 when None.
    """
    import pandas

    seeds = _SEEDS if options.seeds is None else options.seeds
    rows: list[dict[str, Any]] = []
    for name, matrix in read_matrices(options.data).items():
        for protocol in PROTOCOLS:
            found = _compare(matrix, protocol, seeds)
            rows += [{"protocol": protocol, "matrix": name, **row} for row in found]
            best = min(found, key=lambda row: row["mae"])
            options.report(f"{name}, {protocol}: best {best['estimator']} {best['mae']:.2f}")
    return LlmStudy(pandas.DataFrame(rows), seeds)


def _compare(matrix: NDArray[np.float64], protocol: str, seeds: int) -> list[dict[str, Any]]:
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
