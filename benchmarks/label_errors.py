"""Finding wrong labels: the item audit beside cleanlab on the same predictions."""

import os
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.label_error_data import DATA, load_case
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.analysis.labels.false_discovery import select_discoveries
from itemcurve.analysis.labels.label_noise import find_label_noise

_SEEDS = 20
_RATE = 0.1
_POOLS = {"paper": "the paper's twelve", "poor": "3 good, 12 poor"}
_SCHEMES = {
    "uniform": "cleanlab",
    "accuracy": "cleanlab_accuracy",
    "log_loss_search": "cleanlab_search",
}
# Trained predictions are kept here between runs; an hour of training otherwise.
_CACHE = Path(os.environ.get("ITEMCURVE_BENCHMARK_CACHE", "build/label-errors"))


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Means over seeds for every pool and data set."""
    names = ("clusters",) if options.small else DATA
    if "ITEMCURVE_DATA" not in os.environ:
        names = tuple(name for name in names if name != "mnist")
    seeds = range(2 if options.small else _SEEDS)
    return [_measure(pool, name, seeds) for pool in _POOLS for name in names]


def _measure(pool: str, name: str, seeds: range) -> Row:
    runs = [_run(pool, load_case(name, seed, _CACHE)) for seed in seeds]
    kept = [key for key in runs[0] if key not in ("probabilities", "wrong")]
    row: Row = {"pool": _POOLS[pool], "data": name}
    row.update({key: float(np.mean([run[key] for run in runs])) for key in kept})
    row["clean_worst"] = float(max(run["clean"] for run in runs))
    together = [np.concatenate([run[key] for run in runs]) for key in ("probabilities", "wrong")]
    row["ece_together"] = _calibration_error(*together)
    show_progress(f"  {row}")
    return row


def _run(pool: str, case: dict[str, np.ndarray]) -> dict[str, object]:
    stated, truth, given = case[pool], case["y"], case["given"]
    wrong = given != truth
    started = perf_counter()
    found = find_label_noise(stated, given)
    seconds = perf_counter() - started
    wrongness = found.probability_wrong * found.probability_of_noise
    chosen = select_discoveries(wrongness, _RATE)
    clean = _flag_clean(stated, truth)
    return {
        "audit": _rank_quality(found.probability_wrong, wrong),
        **_cleanlab(stated, given, wrong),
        "ece": _calibration_error(found.probability_wrong, wrong),
        "false": (chosen & ~wrong).sum() / max(chosen.sum(), 1),
        "recall": chosen[wrong].mean(),
        "noise": found.probability_wrong.mean(),
        "clean": clean.mean(),
        "likely": (found.likely == truth)[wrong].mean(),
        "seconds": seconds,
        "probabilities": found.probability_wrong,
        "wrong": wrong,
    }


def _flag_clean(stated: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Labels suspected where none is wrong."""
    found = find_label_noise(stated, truth)
    return select_discoveries(found.probability_wrong * found.probability_of_noise, _RATE)


def _cleanlab(stated: np.ndarray, labels: np.ndarray, wrong: np.ndarray) -> dict[str, float]:
    from cleanlab.rank import get_label_quality_ensemble_scores

    kept = [part / part.sum(axis=1, keepdims=True) for part in np.clip(stated, 1e-6, 1)]
    return {
        key: _rank_quality(
            -get_label_quality_ensemble_scores(
                labels, kept, weight_ensemble_members_by=scheme, verbose=False
            ),
            wrong,
        )
        for scheme, key in _SCHEMES.items()
    }


def _rank_quality(scores: np.ndarray, wrong: np.ndarray) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(wrong, scores))


def _calibration_error(probabilities: np.ndarray, wrong: np.ndarray) -> float:
    """Expected calibration error in ten bins of equal width."""
    place = np.minimum((probabilities * 10).astype(int), 9)
    gaps = [abs((probabilities - wrong)[place == one].sum()) for one in range(10)]
    return float(sum(gaps) / len(wrong))


SECTION = Section(
    name="label_errors",
    title="Wrong labels",
    notes=f"20 % of the test labels flipped, means over {_SEEDS} seeds. AUROC of the probability "
    "of a wrong label beside three scores of cleanlab on the same predictions (plain average, "
    "weighted by accuracy, weights by search of the log-loss); expected calibration error, per run "
    "and with all runs together; false discoveries and recall at the "
    f"{_RATE:.0%} setting, with the noise check; share of items suspected when no label is wrong. "
    "Classifiers were trained on clean labels. No constant of the audit was chosen on these data.",
    columns=(
        Column("data", "data"),
        Column("audit", "audit", ".4f"),
        Column("cleanlab", "cleanlab, average", ".4f"),
        Column("cleanlab_accuracy", "by accuracy", ".4f"),
        Column("cleanlab_search", "by search", ".4f"),
        Column("ece", "calibration error", ".3f"),
        Column("ece_together", "all runs", ".3f"),
        Column("false", "false discoveries", ".3f"),
        Column("recall", "recall", ".2f"),
        Column("noise", "noise rate found", ".3f"),
        Column("clean", "suspects, no noise", ".2%"),
        Column("clean_worst", "worst seed", ".2%"),
        Column("likely", "likely label right", ".3f"),
        Column("seconds", "seconds", ".2f"),
    ),
    measure=measure,
    group_by="pool",
)
