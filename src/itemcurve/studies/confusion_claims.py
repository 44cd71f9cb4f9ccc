"""The seventeen claims of the paper on the IRT confusion matrix, judged."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.filtered_metrics import rank_values
from itemcurve.analysis.label_metrics import METRICS
from itemcurve.studies.claims import Claim, claims_frame, judge
from itemcurve.studies.confusion import ConfusionStudy
from itemcurve.studies.confusion_tables import irt_scores

if TYPE_CHECKING:
    import pandas

SIX = tuple(name for name in METRICS if name != "mcc")
_SHOWN = ("GB", "RF", "SVM", "LDA")
_DRAWS = 4_000


def judge_claims(study: ConfusionStudy) -> "pandas.DataFrame":
    """Give one row per claim: the paper's value, ours, verdict and tested cause."""
    rules = (
        _judge_items,
        _judge_classical,
        _judge_scores,
        _judge_tests,
        _judge_cells,
        _judge_filtered,
    )
    return claims_frame(claim for rule in rules for claim in rule(study))


def _judge_items(study: ConfusionStudy) -> list[Claim]:
    items = study.fit.items
    a, b, c = (items[name].to_numpy() for name in ("discrimination", "difficulty", "guessing"))
    share = float((a < 0).mean())
    low, high = _negative_interval(a, items["discrimination_se"].to_numpy())
    minority = study.heart.y_test == 1
    p_value = study.summary.p_values["guessing"]
    plain = study.plain.items
    free_c = plain["guessing"].to_numpy()
    outliers = [_easy_outliers(fit["difficulty"].to_numpy(), minority) for fit in (items, plain)]
    return [
        Claim(
            "C1",
            "Not very difficult, discriminates well: mean difficulty negative, mean discrimination "
            "positive",
            "b −2.677 (median −1.600), a 3.131 (2.619), c .202 (.081)",
            f"b {b.mean():.3f} ({np.median(b):.3f}), a {a.mean():.3f} ({np.median(a):.3f}), "
            f"c {c.mean():.3f} ({np.median(c):.3f})",
            judge(b.mean() < 0 < a.mean() and np.median(b) < 0 < np.median(a)),
        ),
        Claim(
            "C2",
            "About a quarter of the items have negative discrimination",
            "24.7 % (20 of 81)",
            f"{share:.1%} ({int((a < 0).sum())} of {a.size}), 90 % interval {low:.1%} to {high:.1%}",
            judge(0.15 <= share <= 0.35),
            is_headline=True,
        ),
        Claim(
            "C3",
            "Minority items have higher guessing; most majority items have none",
            "9 majority items (11 % of all) above 0",
            f"means {c[minority].mean():.3f} and {c[~minority].mean():.3f}, rank test "
            f"p {p_value:.3f}; without priors {int((free_c[~minority] > 0.01).sum())} of "
            f"{int((~minority).sum())} majority items above .01",
            judge(
                c[minority].mean() > c[~minority].mean()
                and p_value < 0.05
                and (free_c[~minority] > 0.01).mean() < 0.5,
                partly=c[minority].mean() > c[~minority].mean() and p_value < 0.05,
            ),
            "a guessing parameter is barely determined by items that nobody guesses: under the "
            "prior none is 0, without it the pool's weak members decide",
            is_headline=True,
        ),
        Claim(
            "C4",
            "Three minority items are outliers in easiness",
            "3",
            f"{outliers[0]} under the default prior, {outliers[1]} without priors "
            "(below the lower quartile by three interquartile ranges)",
            judge(outliers[0] == 3, partly=outliers[1] == 3),
            "outlying difficulties are those of flat items, b = −e/a with a near 0: they follow "
            "the prior, not the class",
        ),
    ]


def _judge_classical(study: ConfusionStudy) -> list[Claim]:
    ranks = {name: _by_name(study, rank_values(study.metrics.on_all[name])) for name in SIX}
    best = [name for name in SIX if ranks[name]["GB"] == 1]
    recall = study.metrics.on_all["recall"]
    names = study.view.respondents
    leader = names[int(recall.argmax())]
    mean = study.metrics.mean_ranks().sort_values("mean_rank")
    order = mean["respondent"].tolist()
    steadiest = mean.sort_values("rank_sd")["respondent"].iloc[0]
    steady = study.metrics.mean_ranks().set_index("respondent")["rank_sd"]
    return [
        Claim(
            "C5",
            "GB is best in five of six metrics and sixth in recall; LSVM is best in recall",
            "5 of 6, rank 6; LSVM .806",
            f"GB best in {len(best)} of 6, rank {ranks['recall']['GB']} in recall; "
            f"{leader} {recall.max():.3f}",
            judge(
                len(best) == 5 and ranks["recall"]["GB"] == 6 and leader == "LSVM",
                partly=len(best) >= 4,
            ),
            is_headline=True,
        ),
        Claim(
            "C6",
            "Mean rank: GB first, RF second, MLP third and with the smallest variation",
            "1.83, 3.00, 3.00 from its table; the smallest sd there is KNN's and DT's",
            f"{', '.join(order[:3])}; sd of MLP {steady['MLP']:.2f}, smallest is {steadiest}'s",
            judge(
                order[:3] == ["GB", "RF", "MLP"] and steadiest == "MLP", order[:2] == ["GB", "RF"]
            ),
            "the paper's own table contradicts the smallest variation",
        ),
    ]


def _judge_scores(study: ConfusionStudy) -> list[Claim]:
    table = irt_scores(study)
    by_true = table.sort_values("true_score", ascending=False)
    by_total = table.sort_values("total_score", ascending=False)
    half = table.sort_values("half_true_score", ascending=False)["respondent"].tolist()
    spread = by_true["true_score"].iloc[0] - by_true["true_score"].iloc[5]
    leaders = by_total["respondent"].tolist()[:3]
    return [
        Claim(
            "C7",
            "True Score ranks BAG first, GB second, almost equal",
            "BAG .7853, GB .7851",
            ", ".join(
                f"{name} {value:.4f} ± {error:.4f}"
                for name, value, error in by_true[["respondent", "true_score", "true_score_se"]]
                .head(4)
                .itertuples(index=False)
            ),
            judge(by_true["respondent"].tolist()[:2] == ["BAG", "GB"]),
            f"the first six lie within {spread:.3f}, about one standard error; with abilities from "
            f"the more discriminating half of the items, as the paper's code has them, the order "
            f"is {', '.join(half[:4])}",
        ),
        Claim(
            "C8",
            "Total Score ranks GB first, RF second, LDA third",
            "GB .6122, RF .5874, LDA .5865",
            ", ".join(
                f"{name} {value:.4f} ± {error:.4f}"
                for name, value, error in by_total[["respondent", "total_score", "total_score_se"]]
                .head(4)
                .itertuples(index=False)
            ),
            judge(leaders == ["GB", "RF", "LDA"], set(leaders) == {"GB", "RF", "LDA"}),
            ""
            if leaders == ["GB", "RF", "LDA"]
            else "RF and LDA have the same accuracy and differ by less than a standard error",
            is_headline=True,
        ),
    ]


def _judge_tests(study: ConfusionStudy) -> list[Claim]:
    comparison = study.comparison
    pairs = comparison.matrix()
    true, total = pairs.loc["true_score", list(SIX)], pairs.loc["total_score", list(SIX)]
    apart = [name for name in SIX if total[name] < 0.05]
    return [
        Claim(
            "C9",
            "The metrics have different distributions (Friedman)",
            "chi-square 54.459, p 1.9e-9",
            f"chi-square {comparison.statistic:.3f}, p {comparison.p_value:.2g}",
            judge(comparison.p_value < 1e-4),
            is_headline=True,
        ),
        Claim(
            "C10",
            "True Score does not differ from any classical metric (Nemenyi)",
            "all p > .05",
            ", ".join(f"{name} {p:.3f}" for name, p in true.items()),
            judge(bool((true > 0.05).all()), bool((true > 0.05).sum() >= 4)),
            "values of different scales are ranked against each other: our True Score lies "
            "higher than recall for nearly every classifier",
        ),
        Claim(
            "C11",
            "Total Score differs from four of six metrics, not from F1 and recall",
            "confidence 97.73 % or more; F1 52.25 %, recall 24.84 %",
            ", ".join(f"{name} {1 - p:.2%}" for name, p in total.items()),
            judge(set(apart) == set(SIX) - {"f1", "recall"}, len(apart) >= 4),
            "Total Score is True Score minus the error rate, so it lies below accuracy by "
            "construction: the test sees a shift of scale, not new information",
            is_headline=True,
        ),
    ]


def _judge_cells(study: ConfusionStudy) -> list[Claim]:
    view = study.view
    cells = view.frame().set_index(["respondent", "cell"])
    bad = (cells["items"] * cells["negative_share"].fillna(0)).round().astype(int)
    good = cells["items"] - bad
    gb = tuple(
        int(value)
        for value in (bad["GB", "TP"], good["GB", "FN"], good["GB", "FP"], bad["GB", "TN"])
    )
    rf = (
        int(cells["items"]["RF", "TP"]),
        int(bad["RF", "TP"]),
        int(good["RF", "FP"] + good["RF", "FN"]),
    )
    worse = all(
        cells["total_score"]["RF", cell] < cells["total_score"]["GB", cell] for cell in ("TP", "TN")
    )
    svm = tuple(
        int(value)
        for value in (bad["SVM", "TP"], good["SVM", "FP"] + good["SVM", "FN"], bad["SVM", "TN"])
    )
    lda = (int(bad["LDA", "TP"]), int(bad["LDA", "TN"]))
    agreed = view.agreed_items()
    both = int((agreed["class"] == "0").sum())
    guessing = cells["guessing"].unstack("cell").loc[list(_SHOWN)]
    highest = guessing.idxmax(axis=1)
    information = cells["information"]
    return [
        Claim(
            "C12",
            "GB: all true positives discriminate positively, all false negatives negatively, one "
            "well-formed false positive, seven malformed true negatives",
            "0, 0, 1, 7 (of 42 TN); information .320 (TP), .043 (TN)",
            f"{', '.join(map(str, gb))} (of {int(cells['items']['GB', 'TN'])} TN); information "
            f"{information['GB', 'TP']:.3f} (TP), {information['GB', 'TN']:.3f} (TN)",
            judge(gb == (0, 0, 1, 7), gb[:2] == (0, 0)),
            is_headline=True,
        ),
        Claim(
            "C13",
            "RF hits more positives, some malformed; three well-formed items among its errors; "
            "lower Total Score than GB in TP and TN",
            "28 TP, 4 malformed, 3",
            f"{rf[0]} TP, {rf[1]} malformed, {rf[2]}; Total Score lower in both cells: "
            f"{'yes' if worse else 'no'} (TP {cells['total_score']['RF', 'TP']:.3f} against "
            f"{cells['total_score']['GB', 'TP']:.3f}, TN {cells['total_score']['RF', 'TN']:.3f} "
            f"against {cells['total_score']['GB', 'TN']:.3f})",
            judge(rf == (28, 4, 3) and worse, rf[:2] == (28, 4)),
            "GB hits seven malformed negatives, RF two: hits on malformed items have a low P, so "
            "they lower a cell's mean",
        ),
        Claim(
            "C14",
            "SVM: one malformed TP, only negative discrimination among its errors, two malformed "
            "TN; LDA: none in TP, three in TN",
            "1, 0, 2; 0, 3",
            f"{', '.join(map(str, svm))}; {', '.join(map(str, lda))}",
            judge(svm == (1, 0, 2) and lda == (0, 3), svm == (1, 0, 2) and lda[0] == 0),
            _flat_true_negatives(study),
            is_headline=True,
        ),
        Claim(
            "C15",
            "One malformed item is a true negative for every model",
            "1",
            f"{both}",
            judge(both == 1, both > 1),
            _nearly_agreed(study),
        ),
        Claim(
            "C16",
            "True-positive cells have high mean guessing in all matrices shown",
            "none",
            "; ".join(
                f"{name}: {', '.join(f'{cell} {guessing.loc[name, cell]:.3f}' for cell in guessing)}"
                for name in guessing.index
            ),
            judge(bool((highest == "TP").all()), bool((highest == "TP").any())),
        ),
    ]


def _judge_filtered(study: ConfusionStudy) -> list[Claim]:
    values = study.metrics.on_well_formed
    ranks = {name: _by_name(study, rank_values(values[name])) for name in SIX}
    leads = [n for n in SIX if ranks[n]["LDA"] == 1 and ranks[n]["SVM"] == 1]
    accuracy = _by_name(study, values["accuracy"])
    third = sorted(set(accuracy) - {"LDA", "SVM"}, key=lambda name: -accuracy[name])
    lowest = min(_by_name(study, values[n])[who] for n in SIX for who in ("LDA", "SVM"))
    return [
        Claim(
            "C17",
            "Without negatively discriminating items LDA and SVM lead on every metric, GB next",
            "1.000 on all six; GB .984 accuracy",
            f"both first on {len(leads)} of 6, at least {lowest:.3f}; next {third[0]} "
            f"{accuracy[third[0]]:.3f}, GB {accuracy['GB']:.3f}",
            judge(
                len(leads) == 6 and accuracy["GB"] == accuracy[third[0]],
                len(leads) >= 5 and lowest >= 0.95,
            ),
            is_headline=True,
        )
    ]


def _by_name(study: ConfusionStudy, values: NDArray[np.generic]) -> dict[str, float]:
    return dict(zip(study.view.respondents, values.tolist(), strict=True))


def _negative_interval(a: NDArray[np.float64], error: NDArray[np.float64]) -> tuple[float, float]:
    """Give the 90 % interval of the share of negative slopes, drawing each from its normal."""
    rng = np.random.default_rng(0)
    draws = a + np.nan_to_num(error) * rng.standard_normal((_DRAWS, a.size))
    low, high = np.quantile((draws < 0).mean(axis=1), (0.05, 0.95))
    return float(low), float(high)


def _easy_outliers(b: NDArray[np.float64], minority: NDArray[np.bool_]) -> int:
    low, high = np.quantile(b, (0.25, 0.75))
    return int(((b < low - 3 * (high - low)) & minority).sum())


def _flat_true_negatives(study: ConfusionStudy) -> str:
    """Say how certain the signs of LDA's malformed true negatives are."""
    items = study.fit.items.set_index("item")
    names = [n for n in study.view.members("LDA", "TN") if items.loc[n, "discrimination"] < 0]
    listed = ", ".join(
        f"{items.loc[n, 'discrimination']:.2f} ± {items.loc[n, 'discrimination_se']:.2f}"
        for n in names
    )
    return f"discriminations of LDA's malformed true negatives: {listed}"


def _nearly_agreed(study: ConfusionStudy) -> str:
    """Say which malformed negative most classifiers hit."""
    view = study.view
    hits = view.is_right.sum(axis=0)
    found = np.flatnonzero(view.is_malformed & (view.y_true == 0))
    best = found[hits[found].argmax()]
    a = view.parameters["discrimination"][best]
    return (
        f"the malformed negative with most hits is {view.bank.items[best]}, by {hits[best]} of "
        f"{len(view.respondents)} (a {a:.2f})"
    )
