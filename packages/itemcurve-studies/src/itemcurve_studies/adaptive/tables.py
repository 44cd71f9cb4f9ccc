"""Tables I to IV of the adaptive study, and the agreement of sequences (Fig. 2)."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.adaptive.calibration import MODELS, PAPER_MODELS
from itemcurve_studies.adaptive.experiment import AdaptiveStudy
from itemcurve_studies.adaptive.sequences import RULES, Sequences

if TYPE_CHECKING:
    import pandas


# Table I of the paper: what it prints is read as mean squared errors (table III has .08).
PAPER_MSE = {
    "logit-normal": (0.01349, 0.00555, 0.04379, 0.00922, 0.01763, 0.05150),
    "beta3": (0.01569, 0.00625, 0.04151, 0.02367, 0.01498, 0.05060),
}
_STEPS = (1, 2, 3, 10, 50, 100, 150)


def list_tables(study: AdaptiveStudy) -> dict[str, "pandas.DataFrame"]:
    """Give every table by name."""
    return {
        "table_1_inference": _inference(study),
        "table_2_sequences": _sequences(study),
        "table_3_errors": _errors(study),
        "table_4_convergence": convergence_frame(study),
        "figure_2_agreement": _agreement(study),
    }


def _inference(study: AdaptiveStudy) -> "pandas.DataFrame":
    import pandas

    rows = []
    for place, (measure, found) in enumerate(study.measures.items()):
        inference = found.inference
        for model, errors in inference.rmse.items():
            printed = PAPER_MSE.get(model)
            rows.append(
                {
                    "measure": measure,
                    "model": model,
                    "rmse": errors.mean(),
                    "sd_over_halves": errors.std(),
                    "mse": (errors**2).mean(),
                    "paper_root_of_printed": np.sqrt(printed[place]) if printed else np.nan,
                    "noise_floor": inference.floor,
                    "population_mean": inference.mean,
                    "population_sd": inference.sd,
                }
            )
    return pandas.DataFrame(rows)


def _sequences(study: AdaptiveStudy) -> "pandas.DataFrame":
    """Data sets that the first candidate is asked, by accuracy."""
    import pandas

    found = study.measures["accuracy"].sequences
    steps = [step for step in _STEPS if step <= len(study.table.datasets)]
    rows: list[dict[str, Any]] = []
    for model, rules in found.items():
        for rule, sequences in rules.items():
            asked = sequences.asked[0, 0]
            names = {f"test {step}": study.table.datasets[asked[step - 1]] for step in steps}
            rows.append({"model": model, "rule": rule, **names})
    return pandas.DataFrame(rows)


def _errors(study: AdaptiveStudy) -> "pandas.DataFrame":
    """RMSE of the first candidate along the test, by accuracy; medians of random orders."""
    import pandas

    rows: list[dict[str, Any]] = []
    for model, rules in study.measures["accuracy"].sequences.items():
        for rule, sequences in rules.items():
            path = error_path(sequences, 0)
            steps = [step for step in (0, *_STEPS) if step < len(path)]
            values = {f"test {step}" if step else "start": path[step] for step in steps}
            rows.append({"model": model, "rule": rule, **values})
    return pandas.DataFrame(rows)


def error_path(sequences: Sequences, candidate: int) -> NDArray[np.float64]:
    """Median RMSE over runs, at the start and after each test."""
    return np.asarray(np.median(sequences.rmse[candidate], axis=0))


def convergence_frame(study: AdaptiveStudy) -> "pandas.DataFrame":
    """One row per measure, model and rule: tests to convergence of each candidate, and the RMSE.

    Medians over runs, each of which answers with another split; the combined rule is run once,
    for the first candidate alone.
    """
    import pandas

    rows: list[dict[str, Any]] = []
    for measure, found in study.measures.items():
        for model in MODELS:
            for rule in RULES:
                sequences = found.sequences[model][rule]
                points = np.full(len(study.candidates), np.nan)
                points[: len(sequences.asked)] = sequences.typical
                row: dict[str, Any] = {"measure": measure, "model": model, "rule": rule}
                row |= dict(zip(study.candidates, points.tolist(), strict=True))
                row["median"] = float(np.nanmedian(points))
                row["final_rmse"] = float(sequences.rmse[..., -1].mean())
                rows.append(row)
    return pandas.DataFrame(rows)


def _agreement(study: AdaptiveStudy) -> "pandas.DataFrame":
    """Kendall's τ between the sequences of the first candidate, for each measure."""
    import pandas

    rows: list[dict[str, Any]] = []
    for measure in study.measures:
        names, ranks = rank_sequences(study, measure)
        for first in range(len(names)):
            for second in range(first):
                tau = kendall(ranks[first], ranks[second])
                rows.append(
                    {"measure": measure, "first": names[second], "second": names[first], "tau": tau}
                )
    return pandas.DataFrame(rows)


def rank_sequences(study: AdaptiveStudy, measure: str) -> tuple[list[str], list[NDArray[np.int_]]]:
    """Step at which each data set is asked, by model and rule of the paper."""
    names, ranks = [], []
    for model in PAPER_MODELS:
        for rule in ("fisher", "kl", "random"):
            names.append(f"{model} {rule}")
            ranks.append(np.argsort(study.measures[measure].sequences[model][rule].asked[0, 0]))
    return names, ranks


def kendall(first: NDArray[np.int_], second: NDArray[np.int_]) -> float:
    """Kendall's τ of two orders."""
    from scipy.stats import kendalltau

    return float(kendalltau(first, second).statistic)
