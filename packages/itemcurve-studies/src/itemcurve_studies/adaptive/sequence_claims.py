"""Claims about the course of adaptive tests: A4 to A11."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve_studies.adaptive.calibration import PAPER_MODELS
from itemcurve_studies.adaptive.experiment import AdaptiveStudy
from itemcurve_studies.adaptive.sequences import INFORMED
from itemcurve_studies.adaptive.tables import (
    convergence_frame,
    error_path,
    kendall,
    rank_sequences,
)
from itemcurve_studies.study.claims import Claim, judge

if TYPE_CHECKING:
    import pandas


# Medians of the paper's table IV, in the order of the measures.
PAPER_MEDIANS = (5.0, 3.0, 25.5, 2.0, 2.5, 7.5)
_EARLY = 10


def judge_sequences(study: AdaptiveStudy) -> list[Claim]:
    """Judge A4 to A11."""
    table = convergence_frame(study)
    return [
        _same_start(study),
        _same_sequence(study),
        _first_tests(study),
        _better_early(study),
        _few_tests(study, table),
        _one_or_two(study, table),
        _fewer_than_random(study),
        _slowest(study, table),
    ]


def _same_start(study: AdaptiveStudy) -> Claim:
    sequences = study.measures["accuracy"].sequences
    overlaps = []
    for model in PAPER_MODELS:
        first, second = (set(sequences[model][r].asked[0, 0, :_EARLY].tolist()) for r in INFORMED)
        overlaps.append(len(first & second))
    texts = ", ".join(f"{m} {n} of {_EARLY}" for m, n in zip(PAPER_MODELS, overlaps, strict=True))
    return Claim(
        "A4",
        "Fisher and KL select nearly the same data sets at the start",
        "logit-normal: same at tests 3, 10 and 50, first two swapped",
        f"in common among the first {_EARLY}: {texts}",
        judge(min(overlaps) >= 8, max(overlaps) >= 8),
        "Over θ ± 0.1 the exact divergence is Fisher information times ε³/3 up to terms of order "
        "ε⁵, so that the order is the same; the paper takes both from 65,536 draws.",
    )


def _same_sequence(study: AdaptiveStudy) -> Claim:
    taus = {}
    for place, model in enumerate(PAPER_MODELS):
        found = []
        for measure in study.measures:
            ranks = rank_sequences(study, measure)[1]
            found.append(kendall(ranks[3 * place], ranks[3 * place + 1]))
        taus[model] = found
    least = min(min(found) for found in taus.values())
    texts = "; ".join(f"{m} {min(found):.2f} to {max(found):.2f}" for m, found in taus.items())
    return Claim(
        "A5",
        "Fisher and KL sequences correlate clearly over all data sets, on all measures",
        "figure only",
        f"Kendall's τ {texts}",
        judge(least > 0.5, least > 0),
        is_headline=True,
    )


def _first_tests(study: AdaptiveStudy) -> Claim:
    shares, texts = [], []
    for model in PAPER_MODELS:
        path = error_path(study.measures["accuracy"].sequences[model]["fisher"], 0)
        best = path.min()
        shares.append((path[0] - path[3]) / (path[0] - best))
        texts.append(
            f"{model} {path[0]:.4f} → {path[3]:.4f} after three, {path[-1]:.4f} at the end "
            f"({shares[-1]:.0%} of the way to the smallest)"
        )
    return Claim(
        "A6",
        "Most of the drop of the error comes with the first two or three tests",
        "logit-normal .1210 → .0835; β³ .1010 → .0782",
        "; ".join(texts),
        judge(min(shares) >= 0.75, max(shares) >= 0.75),
        "" if min(shares) >= 0.75 else _drift(study),
        is_headline=True,
    )


def _drift(study: AdaptiveStudy) -> str:
    path = error_path(study.measures["accuracy"].sequences["beta3"]["fisher"], 0)
    low = int(path.argmin())
    return (
        f"β³'s error is smallest at test {low} ({path[low]:.4f}) and {path[-1]:.4f} at the end; "
        "random orders end there too, so it is the fit, not the choice. With a > 0 one of α and β "
        "is at most 1, so that no β³ density is narrow around .9: the fit moves to β ≈ 1, where "
        "log y alone speaks of ability and low measurements outweigh the others."
    )


def _better_early(study: AdaptiveStudy) -> Claim:
    early, late, texts = [], [], []
    for model in PAPER_MODELS:
        sequences = study.measures["accuracy"].sequences[model]
        informed = error_path(sequences["fisher"], 0)
        random = error_path(sequences["random"], 0)
        early.append(informed[1] < random[1])
        late.append(
            abs(random[10] / informed[10] - 1) < 0.05 and abs(random[50] / informed[50] - 1) < 0.02
        )
        texts.append(
            f"{model} test 1 {informed[1]:.4f} against {random[1]:.4f}, test 10 {informed[10]:.4f} "
            f"against {random[10]:.4f}, test 50 {informed[50]:.4f} against {random[50]:.4f}"
        )
    return Claim(
        "A7",
        "Information is better than random early; random is close by test 10, all equal from 50",
        "test 1: .0841, .0782 against .0996, .0853",
        "Fisher against the median of random orders: " + "; ".join(texts),
        judge(all(early) and all(late), all(early)),
        "" if all(late) else "The model whose random orders stay apart is β³: see A6.",
        is_headline=True,
    )


def medians_by_measure(table: "pandas.DataFrame", models: tuple[str, ...]) -> list[float]:
    """Median convergence point over models, classifiers and the paper's three rules."""
    kept = table[table["model"].isin(models) & (table["rule"] != "combined")]
    cells = kept.drop(columns=["model", "rule", "median", "final_rmse"]).set_index("measure")
    return [float(np.median(cells.loc[[name]].to_numpy())) for name in table["measure"].unique()]


def _few_tests(study: AdaptiveStudy, table: "pandas.DataFrame") -> Claim:
    found = medians_by_measure(table, PAPER_MODELS)
    own = [medians_by_measure(table, (model,)) for model in PAPER_MODELS]
    reached = [ours <= paper for ours, paper in zip(found, PAPER_MEDIANS, strict=True)]
    texts = "; ".join(
        f"{model} alone {', '.join(f'{v:g}' for v in values)}"
        for model, values in zip(PAPER_MODELS, own, strict=True)
    )
    return Claim(
        "A8",
        "Few tests suffice to come within 5 % of the final error and stay there",
        "medians 5, 3, 25.5, 2, 2.5, 7.5 of 165",
        f"medians {', '.join(f'{v:g}' for v in found)} of {len(study.table.datasets)}; {texts}; "
        f"at most the paper's on {sum(reached)} of 6",
        judge(all(reached), max(found) <= len(study.table.datasets) / 4),
        ""
        if all(reached)
        else "A course that is closer early than at the end counts as not converged. EAP, MAP and "
        "ML abilities, and wider priors, exchange measures with one another.",
        is_headline=True,
    )


def _one_or_two(study: AdaptiveStudy, table: "pandas.DataFrame") -> Claim:
    kept = table[table["model"].isin(PAPER_MODELS) & table["rule"].isin(INFORMED)]
    cells = kept[list(study.candidates)].to_numpy()
    share = float((cells <= 2).mean())
    return Claim(
        "A9",
        "Often one or two tests are enough",
        "various cases (58 of 120 informed cells of its table IV)",
        f"{int((cells <= 2).sum())} of {cells.size} informed cells ({share:.0%})",
        judge(share >= 0.3, share > 0.1),
    )


def _fewer_than_random(study: AdaptiveStudy) -> Claim:
    informed, random = [], []
    for found in study.measures.values():
        for model in PAPER_MODELS:
            for rule in INFORMED:
                informed.append(found.sequences[model][rule].typical)
                random.append(found.sequences[model]["random"].typical)
    first, second = np.concatenate(informed), np.concatenate(random)
    fewer, worse = float((first < second).mean()), int((first > second).sum())
    return Claim(
        "A10",
        "Fisher and KL need fewer tests than random, with a few exceptions",
        "none",
        f"fewer in {fewer:.0%} of {len(first)} cells, more in {worse}; medians "
        f"{np.median(first):g} against {np.median(second):g}",
        judge(fewer > 0.75, fewer > 0.5),
        f"The {worse} exceptions are {_exceptions(study)}.",
        is_headline=True,
    )


def _exceptions(study: AdaptiveStudy) -> str:
    """Where informed choice needs more tests than the median random order, by model and measure."""
    counts: dict[str, int] = {}
    for name, found in study.measures.items():
        for model in PAPER_MODELS:
            random = found.sequences[model]["random"].typical
            for rule in INFORMED:
                worse = int((found.sequences[model][rule].typical > random).sum())
                key = f"{model} {name}"
                counts[key] = counts.get(key, 0) + worse
    ranked = sorted(counts.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{key} {count}" for key, count in ranked if count) or "none"


def _slowest(study: AdaptiveStudy, table: "pandas.DataFrame") -> Claim:
    found = dict(zip(study.measures, medians_by_measure(table, PAPER_MODELS), strict=True))
    slowest = max(found, key=lambda name: found[name])
    own = [
        dict(zip(study.measures, medians_by_measure(table, (model,)), strict=True))
        for model in PAPER_MODELS
    ]
    partly = any(max(values, key=lambda name: values[name]) == "log_loss" for values in own)
    return Claim(
        "A11",
        "Log-loss is the slowest measure to converge",
        "median 25.5",
        ", ".join(f"{name} {value:g}" for name, value in found.items()),
        judge(slowest == "log_loss", partly),
        "" if slowest == "log_loss" else f"{slowest} is the slowest here.",
    )
