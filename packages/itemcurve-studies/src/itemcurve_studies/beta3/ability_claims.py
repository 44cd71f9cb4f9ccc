"""Claims of the study of β³ on the abilities of classifiers: B13 to B17."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from itemcurve_studies.beta3.fits import FIXED
from itemcurve_studies.beta3.sweep import FOLLOWED, PAPER_NOISE
from itemcurve_studies.beta3.tables import METRICS, SHORT, average_metrics, correlate, select
from itemcurve_studies.study.claims import Claim, judge, skip

if TYPE_CHECKING:
    import pandas

Raw = Mapping[str, "pandas.DataFrame"]
Ways = tuple[str, ...]
# The first decides; the others stand beside it.
_WAYS: Ways = ("published", "log-loss")
# Table 2 and 3 of the paper.
PAPER_ABILITIES = {
    "MLP": 0.8384,
    "KNN": 0.8228,
    "LDA": 0.8052,
    "LR": 0.8001,
    "DT": 0.7438,
    "NB": 0.7423,
    "RF": 0.7395,
    "QDA": 0.5892,
    "AdaBoost": 0.4887,
}
PAPER_CORRELATIONS = dict(zip(METRICS, (0.83, 0.33, 0.33, -0.05, -0.05, 0.35), strict=True))
# A rank correlation of nine is significant at 5 % from here on.
_SIGNIFICANT = 0.68


def judge_metrics(raw: Raw, ways: Ways = _WAYS) -> Claim:
    """B13: rank correlations of ability, losses negated, nine real classifiers."""
    table = select(correlate(raw["respondents"], "mnist"), first="ability")
    words, means = [], {}
    for way in ways:
        own = select(table, way=way).set_index("second")
        means[way] = own["mean"].to_dict()
        listed = ", ".join(f"{own['mean'][name]:.2f}" for name in METRICS)
        spread = ", ".join(f"{own['std'][name]:.2f}" for name in METRICS)
        # One seed has no spread.
        words.append(f"{way}: {listed}" + (f" (sd {spread})" if "nan" not in spread else ""))
    found = means[ways[0]]
    others = [found[name] for name in METRICS[1:]]
    return Claim(
        "B13",
        "Ability differs from the other metrics: Spearman with average response, accuracy, F1, "
        "Brier, log-loss, AUC (losses negated)",
        ", ".join(f"{value:.2f}" for value in PAPER_CORRELATIONS.values()),
        "; ".join(words),
        judge(
            found["mean_response"] > max(others) and max(others) < _SIGNIFICANT,
            found["mean_response"] > max(others),
        ),
        is_headline=True,
    )


def judge_order(raw: Raw, ways: Ways = _WAYS) -> Claim:
    """B14: Spearman of the paper's abilities with ours."""
    words, found = [], {}
    for way in ways:
        table = select(average_metrics(raw["respondents"], "mnist"), way=way)
        own = {
            SHORT[name]: value
            for name, value in zip(table["respondent"], table["ability_01"], strict=True)
        }
        # A classifier may fail on a draw: Naive Bayes does where its likelihoods vanish.
        known = [name for name in PAPER_ABILITIES if name in own]
        found[way] = _spearman([PAPER_ABILITIES[n] for n in known], [own[n] for n in known])
        listed = ", ".join(f"{name} {value:.3f}" for name, value in own.items())
        rest = [name for name in known if name != "QDA"]
        without = _spearman([PAPER_ABILITIES[name] for name in rest], [own[n] for n in rest])
        words.append(f"{way}: Spearman {found[way]:.2f}, without QDA {without:.2f} ({listed})")
    return Claim(
        "B14",
        "On MNIST the order of abilities is MLP, KNN, LDA, LR, DT, NB, RF, QDA, AdaBoost",
        ", ".join(f"{value:.3f}" for value in PAPER_ABILITIES.values()),
        "; ".join(words),
        judge(found[ways[0]] >= _SIGNIFICANT, found[ways[0]] > 0.4),
        "QDA learns from fewer images than pixels, which do not determine its covariances",
    )


def judge_boosting(raw: Raw, ways: Ways = _WAYS) -> Claim:
    """B15: ranks of AdaBoost among the nine."""
    words, found = [], {}
    for way in ways:
        table = select(average_metrics(raw["respondents"], "mnist"), way=way)
        ranks = table[["ability_01", "accuracy"]].rank(ascending=False)
        place = table.index[table["respondent"] == "AdaBoost"][0]
        best = np.sort(table["accuracy"].to_numpy(float))[::-1]
        gap = float(best[0] - best[5])
        row = table.loc[place]
        found[way] = (ranks["accuracy"][place], ranks["ability_01"][place])
        words.append(
            f"{way}: accuracy {row['accuracy']:.3f} (rank {found[way][0]:.0f}), ability "
            f"{row['ability_01']:.3f} (rank {found[way][1]:.0f}), average response "
            f"{row['mean_response']:.3f}"
        )
    accuracy, ability = found[ways[0]]
    return Claim(
        "B15",
        "AdaBoost: good accuracy, poor ability, because its probabilities stay near 0.5",
        "accuracy .775 (third), ability .489 (last), average response .562",
        "; ".join(words),
        judge(accuracy <= 5 and ability == 9, ability >= 8),
        "" if accuracy <= 5 else f"the six best accuracies lie within {gap:.3f}",
    )


def judge_response(raw: Raw) -> Claim:
    """B16: ability against average response on CLUSTERS."""
    words, found = [], {}
    for way in _WAYS:
        own = select(raw["respondents"], data="clusters", noise=PAPER_NOISE, way=way)
        lines, spreads, differs = [], [], []
        for _, table in own.groupby("seed"):
            lines.append(table["ability_01"].corr(table["mean_response"]))
            real = table[~table["respondent"].isin(FIXED)]
            alike = real[(real["mean_response"] - 0.72).abs() < 0.05]
            spreads.append(alike["ability_01"].max() - alike["ability_01"].min())
            differs.append(real["ability_01"].idxmax() != real["mean_response"].idxmax())
        found[way] = (
            float(np.mean(lines)),
            float(np.nanmean(spreads)),
            float(np.mean(differs)),
        )
        words.append(
            f"{way}: Pearson {found[way][0]:.2f}, abilities of those with average response .67 to "
            f".77 spread over {found[way][1]:.2f}, best ability is not best average response in "
            f"{found[way][2]:.0%} of seeds"
        )
    line, spread, differ = found["published"]
    return Claim(
        "B16",
        "Ability against average response is near-linear except at the ends; with average response "
        "about 0.7 abilities range from 0.65 to 0.8; the highest ability is not the highest "
        "average response",
        "spread .15 (CLUSTERS)",
        "; ".join(words),
        judge(line > 0.9 and spread > 0.05 and differ > 0.5, line > 0.9 or differ > 0.5),
        ""
        if differ > 0.5
        else "the paper shows one draw; in most of ours the ablest also has the "
        "best average response",
        is_headline=True,
    )


def judge_stability(raw: Raw) -> Claim:
    """B17: change of abilities and of their order by the share of wrong labels."""
    words, found = [], {}
    for way in FOLLOWED:
        for name in dict.fromkeys(raw["respondents"]["data"]):
            change, order, accuracy = _follow(raw, way, str(name), 0.4)
            half = _follow(raw, way, str(name), 0.5)
            found[way, name] = (change, order, accuracy)
            words.append(
                f"{name}, {way}: ability ±{change:.3f} (accuracy ±{accuracy:.3f}), Spearman with "
                f"no noise {order:.2f}, at 50 % {half[1]:.2f}"
            )
    own = [value for (way, _), value in found.items() if way == "published"]
    is_steady = all(change <= 0.1 and order >= _SIGNIFICANT for change, order, _ in own)
    return Claim(
        "B17",
        "Abilities stay nearly constant until half of the test labels are wrong",
        "up to 50 %",
        "mean change of ability in (0, 1) at 40 %: " + "; ".join(words),
        judge(is_steady, all(change < accuracy for change, _, accuracy in own)),
        is_headline=True,
    )


def _follow(raw: Raw, way: str, name: str, noise: float) -> tuple[float, float, float]:
    """Mean change of ability, Spearman with the noise-free order, mean change of accuracy."""
    own = select(raw["respondents"], way=way, data=name)
    own = own[~own["respondent"].isin(FIXED)]
    found = []
    for _, table in own.groupby("seed"):
        before = select(table, noise=0.0).set_index("respondent")
        after = select(table, noise=noise).set_index("respondent").loc[before.index]
        found.append(
            (
                (after["ability_01"] - before["ability_01"]).abs().mean(),
                before["ability"].corr(after["ability"], method="spearman"),
                (after["accuracy"] - before["accuracy"]).abs().mean(),
            )
        )
    change, order, accuracy = np.nanmean(found, axis=0)
    return float(change), float(order), float(accuracy)


def list_ability_claims(raw: Raw) -> list[Claim]:
    """Give B13 to B17; those without data cannot be tested."""
    reason = "MNIST is not in the data folder"
    if "mnist" in set(raw["respondents"]["data"]):
        claims = [judge_metrics(raw), judge_order(raw), judge_boosting(raw)]
    else:
        claims = [skip(name, reason) for name in ("B13", "B14", "B15")]
    return [*claims, judge_response(raw), judge_stability(raw)]


def _spearman(first: list[float], second: list[float]) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(first, second).statistic)
