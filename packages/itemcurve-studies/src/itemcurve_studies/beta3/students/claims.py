"""Claims of the study of β³ on answers of students: B3 to B6."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from itemcurve_studies.beta3.students.answers import REPEATED
from itemcurve_studies.beta3.tables import compare_losses
from itemcurve_studies.study.claims import Claim, judge, skip

if TYPE_CHECKING:
    import pandas

Raw = Mapping[str, "pandas.DataFrame"]
_PRIVATE = "the paper's 33 courses are private; public data, same protocol"


def list_student_claims(raw: Raw) -> list[Claim]:
    """Give B3 to B6; without data they cannot be tested."""
    if "losses" not in raw:
        reason = "no answers of students in the data folder, and the paper's courses are private"
        return [skip(name, reason) for name in ("B3", "B4", "B5", "B6")]
    table = compare_losses(raw["losses"])
    average = table[(table["scenario"] == "average") | ~table["data"].isin(REPEATED)]
    first = table[table["scenario"] == "first"]
    return [
        _judge_losses("B3", "average responses", average, is_headline=True),
        _judge_losses("B4", "first attempts", first, is_headline=False),
        *_judge_slopes(raw["questions"]),
    ]


def _judge_losses(claim: str, words: str, table: "pandas.DataFrame", *, is_headline: bool) -> Claim:
    wins = int((table["beta3"] < table["2pl-nd"]).sum())
    with_sum = int((table["beta3, sum"] < table["2pl-nd, sum"]).sum())
    turned = int((table["beta3, δ reversed"] < table["2pl-nd"]).sum())
    trained = table[["beta3", "beta3, δ reversed"]].min(axis=1)
    regular = int((table["2pl, regularised"] < trained).sum())
    gap = float((table["beta3, priors"] - table["2pl, regularised"]).mean())
    largest = table["p, beta3 = 2pl-nd"].max()
    columns = (
        "beta3",
        "2pl-nd",
        "beta3, sum",
        "2pl-nd, sum",
        "beta3, δ reversed",
        "beta3, priors",
        "2pl, regularised",
        "question means",
    )
    means = ", ".join(f"{name} {table[name].mean():.3f}" for name in columns)
    return Claim(
        claim,
        f"β³ has lower log-loss than 2PL-ND on all courses, {words}",
        "33 of 33, p < 0.001 (e.g. 0.631 against 0.713)",
        f"{wins} of {len(table)} data sets, largest p {largest:.2g} with "
        f"{table['hold_outs'].min()} hold-outs; with difficulties started the right way round "
        f"{turned}; by sums of gradients {with_sum}; a regularised 2PL beats β³ so trained, "
        f"either way round, on {regular}; means: {means}",
        judge(wins == len(table), wins > len(table) / 2),
        f"{_PRIVATE}. Both models have the same curves on the logit scale: what differs is where "
        "training starts, at counts of the answers or at random; β³ with priors is "
        f"{gap:+.3f} from the 2PL with the students integrated out",
        is_headline=is_headline,
    )


def _judge_slopes(questions: "pandas.DataFrame") -> list[Claim]:
    words: dict[str, list[str]] = {"B5": [], "B6": []}
    shares = {}
    for method, own in questions.groupby("method", sort=False):
        slopes = own["discrimination"]
        shares[method] = (float((slopes.abs() < 1).mean()), float((slopes < 0).mean()))
        words["B5"].append(f"{method}: {shares[method][0]:.0%}")
        words["B6"].append(f"{method}: {shares[method][1]:.0%}")
    flat, negative = shares["beta3"]
    start = "the start a ~ N(1, 1) alone has 48 % in (−1, 1) and 16 % below 0"
    return [
        Claim(
            "B5",
            "About 46 % of discriminations lie in (−1, 1)",
            "46 %",
            "; ".join(words["B5"]),
            judge(0.36 <= flat <= 0.56, 0.26 <= flat <= 0.66),
            f"{_PRIVATE}; {start}",
        ),
        Claim(
            "B6",
            "About 10 % of discriminations are negative",
            "10 %",
            "; ".join(words["B6"]),
            judge(0.05 <= negative <= 0.15, 0.0 < negative <= 0.2),
            f"{_PRIVATE}; {start}",
        ),
    ]
