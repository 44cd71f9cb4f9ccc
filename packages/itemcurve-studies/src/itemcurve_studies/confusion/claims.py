"""Claims of the paper on the IRT confusion matrix; here those on metrics and scores."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.filtered_metrics import rank_values
from itemcurve.analysis.metrics.usual_metrics import LABEL_METRICS
from itemcurve_studies.confusion import cell_claims as cells
from itemcurve_studies.confusion import item_claims as items
from itemcurve_studies.confusion.experiment import ConfusionStudy
from itemcurve_studies.confusion.tables import irt_scores
from itemcurve_studies.study.claims import Claim, claims_frame, judge

if TYPE_CHECKING:
    import pandas

SIX = tuple(name for name in LABEL_METRICS if name != "mcc")


def judge_claims(study: ConfusionStudy) -> "pandas.DataFrame":
    """Give one row per claim: the paper's value, ours, verdict and tested cause."""
    rules = (
        items.judge_level,
        items.judge_negative_share,
        items.judge_guessing,
        items.judge_easy_outliers,
        judge_best,
        judge_mean_ranks,
        judge_true_score,
        judge_total_score,
        judge_friedman,
        judge_true_score_apart,
        judge_total_score_apart,
        cells.judge_gradient_boosting,
        cells.judge_random_forest,
        cells.judge_cleanest,
        cells.judge_agreed,
        cells.judge_guessed_hits,
        judge_well_formed,
    )
    return claims_frame(rule(study) for rule in rules)


def judge_best(study: ConfusionStudy) -> Claim:
    """C5: ranks in the same table."""
    ranks = {name: by_name(study, rank_values(study.metrics.on_all[name])) for name in SIX}
    wins = sum(ranks[name]["GB"] == 1 for name in SIX)
    recall = by_name(study, study.metrics.on_all["recall"])
    leader = max(recall, key=lambda name: recall[name])
    return Claim(
        "C5",
        "GB is best in five of six metrics and sixth in recall; LSVM is best in recall",
        "5 of 6, rank 6; LSVM .806",
        f"GB best in {wins} of 6, rank {ranks['recall']['GB']:.0f} in recall; {leader} "
        f"{recall[leader]:.3f}",
        judge(wins == 5 and ranks["recall"]["GB"] == 6 and leader == "LSVM", wins >= 4),
        is_headline=True,
    )


def judge_mean_ranks(study: ConfusionStudy) -> Claim:
    """C6: recomputed from the table."""
    table = study.metrics.mean_ranks().set_index("respondent")
    order = [str(name) for name in table["mean_rank"].sort_values().index]
    steadiest = str(table["rank_sd"].idxmin())
    return Claim(
        "C6",
        "Mean rank: GB first, RF second, MLP third and with the smallest variation",
        "1.83, 3.00, 3.00 from its table; the smallest sd there is KNN's and DT's",
        f"{', '.join(order[:3])}; sd of MLP {table['rank_sd'].to_dict()['MLP']:.2f}, the smallest "
        f"is {steadiest}'s",
        judge(order[:3] == ["GB", "RF", "MLP"] and steadiest == "MLP", order[:2] == ["GB", "RF"]),
        "the paper's own table contradicts the smallest variation; our MLP has two hits less, its "
        "training being sensitive to the last digit of the arithmetic",
    )


def judge_true_score(study: ConfusionStudy) -> Claim:
    """C7: the same table, with standard errors."""
    table = irt_scores(study)
    order = table.sort_values("true_score", ascending=False)["respondent"].tolist()
    half = table.sort_values("half_true_score", ascending=False)["respondent"].tolist()
    values = table["true_score"].sort_values(ascending=False).to_numpy()
    return Claim(
        "C7",
        "True Score ranks BAG first, GB second, almost equal",
        "BAG .7853, GB .7851",
        _leading(table, "true_score"),
        judge(order[:2] == ["BAG", "GB"]),
        f"the first six lie within {values[0] - values[5]:.3f}, about two standard errors; with "
        "abilities from the more discriminating half of the items, as the paper's code has them, "
        f"the order is {', '.join(half[:5])}",
    )


def judge_total_score(study: ConfusionStudy) -> Claim:
    """C8: the same table, with standard errors."""
    table = irt_scores(study)
    order = table.sort_values("total_score", ascending=False)["respondent"].tolist()
    return Claim(
        "C8",
        "Total Score ranks GB first, RF second, LDA third",
        "GB .6122, RF .5874, LDA .5865",
        _leading(table, "total_score"),
        judge(order[:3] == ["GB", "RF", "LDA"], set(order[:3]) == {"GB", "RF", "LDA"}),
        "RF and LDA have the same accuracy; their Total Scores differ by less than a standard "
        "error, in the paper by .0009",
        is_headline=True,
    )


def judge_friedman(study: ConfusionStudy) -> Claim:
    """C9: the same test."""
    return Claim(
        "C9",
        "The metrics have different distributions (Friedman)",
        "chi-square 54.459, p 1.9e-9",
        f"chi-square {study.comparison.statistic:.3f}, p {study.comparison.p_value:.2g}",
        judge(study.comparison.p_value < 1e-4),
        is_headline=True,
    )


def judge_true_score_apart(study: ConfusionStudy) -> Claim:
    """C10: the same test."""
    p_values = study.comparison.matrix().loc["true_score", list(SIX)]
    return Claim(
        "C10",
        "True Score does not differ from any classical metric (Nemenyi)",
        "all p > .05",
        ", ".join(f"{name} {p:.3f}" for name, p in p_values.items()),
        judge(bool((p_values > 0.05).all()), bool((p_values > 0.05).sum() >= 4)),
    )


def judge_total_score_apart(study: ConfusionStudy) -> Claim:
    """C11: the same test."""
    p_values = study.comparison.matrix().loc["total_score", list(SIX)]
    apart = {str(name) for name, p in p_values.items() if p < 0.05}
    return Claim(
        "C11",
        "Total Score differs from four of six metrics, not from F1 and recall",
        "confidence 97.73 % or more; F1 52.25 %, recall 24.84 %",
        ", ".join(f"{name} {1 - p:.2%}" for name, p in p_values.items()),
        judge(apart == set(SIX) - {"f1", "recall"}, len(apart) >= 4),
        "Total Score is True Score minus the error rate, so it lies below accuracy by "
        "construction: the test sees a shift of scale, not new information",
        is_headline=True,
    )


def judge_well_formed(study: ConfusionStudy) -> Claim:
    """C17: the same table."""
    values = {name: by_name(study, study.metrics.on_well_formed[name]) for name in SIX}
    best = {name: max(values[name].values()) for name in SIX}
    leads = sum(values[n]["LDA"] == values[n]["SVM"] == best[n] for n in SIX)
    lowest = min(values[n][who] for n in SIX for who in ("LDA", "SVM"))
    accuracy = values["accuracy"]
    others = max(accuracy[name] for name in accuracy if name not in ("LDA", "SVM"))
    return Claim(
        "C17",
        "Without negatively discriminating items LDA and SVM lead on every metric, GB next",
        "1.000 on all six; GB .984 accuracy",
        f"both first on {leads} of 6, at least {lowest:.3f}; GB {accuracy['GB']:.3f}, best of the "
        f"others {others:.3f}",
        judge(leads == 6 and accuracy["GB"] == others, leads >= 5 and lowest >= 0.95),
        is_headline=True,
    )


def by_name(study: ConfusionStudy, values: NDArray[np.generic]) -> dict[str, float]:
    """Give values by the name of the classifier."""
    return dict(zip(study.view.respondents, values.tolist(), strict=True))


def _leading(table: "pandas.DataFrame", column: str) -> str:
    best = table.sort_values(column, ascending=False).head(4)
    rows = best[["respondent", column, f"{column}_se"]].itertuples(index=False)
    return ", ".join(f"{name} {value:.4f} ± {error:.4f}" for name, value, error in rows)
