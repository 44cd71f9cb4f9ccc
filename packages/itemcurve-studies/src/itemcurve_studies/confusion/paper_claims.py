"""Claims on the IRT confusion matrix by the paper's own protocol: 3PL without priors."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.confusion.confusion_matrix import confusion
from itemcurve.bank.ability_estimation import score
from itemcurve.responses.matrix import Responses
from itemcurve_studies.confusion.experiment import ConfusionStudy
from itemcurve_studies.confusion.item_claims import count_easy_outliers
from itemcurve_studies.study.claims import judge
from itemcurve_studies.study.second_verdicts import SecondVerdict

if TYPE_CHECKING:
    import pandas

_NONE = 0.01
_REACH = 4.0


def judge_by_paper(study: ConfusionStudy) -> list[SecondVerdict]:
    """Judge C1 to C4, C7 and C8."""
    table = score_by_half(study)
    return [
        _level(study),
        _negative(study),
        _guessing(study),
        _outliers(study),
        _true_score(table),
        _total_score(table),
    ]


def score_by_half(study: ConfusionStudy) -> "pandas.DataFrame":
    """True and Total Score by ability from the more discriminating half, items without priors.

    True Score is the mean chance, Total Score the mean of P of hits minus 1 − P of misses.
    """
    import pandas

    view = confusion(study.plain, study.heart.y_test, study.tuned.labels)
    order = np.argsort(view.parameters["discrimination"])
    half = [view.bank.items[i] for i in np.sort(order[len(order) // 2 :])]
    answers = Responses.from_array(
        view.is_right.astype(np.int8), view.respondents, view.bank.items
    ).select(items=half)
    theta = np.clip(score(view.bank, answers, method="ml").ability, -_REACH, _REACH)
    chances = view.bank.expected_response(theta)
    total = np.where(view.is_right, chances, chances - 1).mean(axis=1)
    return pandas.DataFrame(
        {
            "respondent": view.respondents,
            "ability": theta,
            "true_score": chances.mean(axis=1),
            "total_score": total,
        }
    )


def _level(study: ConfusionStudy) -> SecondVerdict:
    a, b = (study.plain.items[name].to_numpy() for name in ("discrimination", "difficulty"))
    medians = float(np.median(a)), float(np.median(b))
    return SecondVerdict(
        "C1",
        f"b {b.mean():.3f} ({medians[1]:.3f}), a {a.mean():.3f} ({medians[0]:.3f})",
        judge(bool(b.mean() < 0 < a.mean() and medians[1] < 0 < medians[0])),
        "means of 81 items without priors follow single items; medians do not",
    )


def _negative(study: ConfusionStudy) -> SecondVerdict:
    from scipy.stats import binomtest

    a = study.plain.items["discrimination"].to_numpy()
    count = int((a < 0).sum())
    found = binomtest(count, a.size).proportion_ci(0.95, method="wilson")
    share = count / a.size
    return SecondVerdict(
        "C2",
        f"{share:.1%} ({count} of {a.size})",
        judge(0.20 <= share <= 0.30, 0.15 <= share <= 0.35),
        f"{found.low:.1%} to {found.high:.1%}",
    )


def _guessing(study: ConfusionStudy) -> SecondVerdict:
    minority = study.heart.y_test == 1
    c = study.plain.items["guessing"].to_numpy()
    gap = float(c[minority].mean() - c[~minority].mean())
    variances = (c[own].var(ddof=1) / own.sum() for own in (minority, ~minority))
    error = float(np.sqrt(sum(variances)))
    above = int((c[~minority] > _NONE).sum())
    parts = gap > 0, above < (~minority).sum() / 2
    return SecondVerdict(
        "C3",
        f"means {c[minority].mean():.3f} and {c[~minority].mean():.3f}; {above} of "
        f"{(~minority).sum()} majority items above {_NONE}",
        judge(all(parts), any(parts)),
        f"difference {gap - 1.96 * error:+.3f} to {gap + 1.96 * error:+.3f}",
    )


def _outliers(study: ConfusionStudy) -> SecondVerdict:
    minority = study.heart.y_test == 1
    count = count_easy_outliers(study.plain.items["difficulty"].to_numpy(), minority)
    return SecondVerdict(
        "C4", f"{count} without priors", judge(count == 3, 2 <= count <= 4), "a count; none"
    )


def _true_score(table: "pandas.DataFrame") -> SecondVerdict:
    ranked = table.sort_values("true_score", ascending=False, kind="stable")
    order = ranked["respondent"].tolist()
    values = table.set_index("respondent")["true_score"]
    gap = abs(float(values["BAG"] - values["GB"]))
    return SecondVerdict(
        "C7",
        _say(ranked, "true_score"),
        judge(
            order[:2] == ["BAG", "GB"] and gap < 0.001,
            {"BAG", "GB"} <= set(order[:3]) and gap < 0.005,
        ),
        f"BAG and GB {gap:.4f} apart",
    )


def _total_score(table: "pandas.DataFrame") -> SecondVerdict:
    ranked = table.sort_values("total_score", ascending=False, kind="stable")
    order = ranked["respondent"].tolist()[:3]
    paper = ["GB", "RF", "LDA"]
    values = ranked["total_score"].to_numpy(np.float64)
    return SecondVerdict(
        "C8",
        _say(ranked, "total_score"),
        judge(order == paper, set(order) == set(paper)),
        f"first and fourth {values[0] - values[3]:.4f} apart",
    )


def _say(ranked: "pandas.DataFrame", column: str) -> str:
    rows = ranked.head(5)[["respondent", column]].itertuples(index=False)
    return ", ".join(f"{name} {value:.4f}" for name, value in rows)
