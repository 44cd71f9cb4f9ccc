"""Claims of the study of β³ on answers of students: B3 to B6, also with δ started in reverse."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from itemcurve_studies.beta3.students.answers import REPEATED
from itemcurve_studies.beta3.tables import compare_losses
from itemcurve_studies.study.claims import Claim, Verdict, judge, skip

if TYPE_CHECKING:
    import pandas

Raw = Mapping[str, "pandas.DataFrame"]
_PRIVATE = "the paper's 33 courses are private; public data, same protocol"
PRINTED, REVERSED = "beta3", "beta3, δ reversed"
NAMES = ("B3", "B3 δ reversed", "B4", "B4 δ reversed", "B5", "B6", "B6 δ reversed")
# A median question that training moves by less is where it started.
LEAST_MOVE = 0.1


def list_student_claims(raw: Raw) -> list[Claim]:
    """Give B3 to B6; without data they cannot be tested."""
    if "losses" not in raw:
        reason = "no answers of students in the data folder, and the paper's courses are private"
        return [skip(name, reason) for name in NAMES]
    table = compare_losses(raw["losses"])
    average = table[(table["scenario"] == "average") | ~table["data"].isin(REPEATED)]
    first = table[table["scenario"] == "first"]
    return [
        _judge_losses("B3", "average responses", average, is_headline=True),
        _judge_reversed("B3 δ reversed", "average responses", average),
        _judge_losses("B4", "first attempts", first, is_headline=False),
        _judge_reversed("B4 δ reversed", "first attempts", first),
        _judge_flat(raw["questions"]),
        _judge_negative("B6", raw["questions"], PRINTED),
        _judge_negative("B6 δ reversed", raw["questions"], REVERSED),
    ]


def _judge_losses(claim: str, words: str, table: "pandas.DataFrame", *, is_headline: bool) -> Claim:
    wins = int((table[PRINTED] < table["2pl-nd"]).sum())
    with_sum = int((table["beta3, sum"] < table["2pl-nd, sum"]).sum())
    trained = table[[PRINTED, REVERSED]].min(axis=1)
    regular = int((table["2pl, regularised"] < trained).sum())
    gap = float((table["beta3, priors"] - table["2pl, regularised"]).mean())
    largest = table["p, beta3 = 2pl-nd"].max()
    columns = (
        PRINTED,
        "2pl-nd",
        "beta3, sum",
        "2pl-nd, sum",
        REVERSED,
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
        f"{table['hold_outs'].min()} hold-outs; by sums of gradients {with_sum}; a regularised 2PL "
        f"beats β³ so trained, either way round, on {regular}; means: {means}",
        judge(wins == len(table), wins > len(table) / 2),
        f"{_PRIVATE}. Both models have the same curves on the logit scale: what differs is where "
        "training starts, at counts of the answers or at random; β³ with priors is "
        f"{gap:+.3f} from the 2PL with the students integrated out",
        is_headline=is_headline,
    )


def _judge_reversed(claim: str, words: str, table: "pandas.DataFrame") -> Claim:
    wins = int((table[REVERSED] < table["2pl-nd"]).sum())
    return Claim(
        claim,
        f"The same with difficulties started at B(wrong, right), {words}",
        "printed B(right, wrong), probably a misprint",
        f"{wins} of {len(table)} data sets; means {table[REVERSED].mean():.3f} against "
        f"{table['2pl-nd'].mean():.3f}",
        judge(wins == len(table), wins > len(table) / 2),
        "easy questions then start out easy",
    )


def judge_share(share: float, move: float, wide: tuple[float, float]) -> Verdict:
    """Within 10 points of 46 %; in part within `wide`; untested where the start decides."""
    if move < LEAST_MOVE:
        return "cannot be tested"
    return judge(0.36 <= share <= 0.56, wide[0] <= share <= wide[1])


def _judge_flat(questions: "pandas.DataFrame") -> Claim:
    words, shares, moves = [], {}, {}
    for method, own in questions.groupby("method", sort=False):
        shares[str(method)] = float((own["discrimination"].abs() < 1).mean())
        moves[str(method)] = float((own["discrimination"] - own["start"]).abs().median())
        words.append(f"{method}: {shares[str(method)]:.0%}, moved by {moves[str(method)]:.3f}")
    verdict = judge_share(shares[PRINTED], moves[PRINTED], (0.26, 0.66))
    start = float((questions["start"].abs() < 1).mean())
    return Claim(
        "B5",
        "About 46 % of discriminations lie in (−1, 1)",
        "46 %",
        "; ".join(words),
        verdict,
        f"{_PRIVATE}; at the start a ~ N(1, 1) {start:.0%} lie in (−1, 1)"
        + ("; training hardly moves them" if verdict == "cannot be tested" else ""),
    )


def _judge_negative(claim: str, questions: "pandas.DataFrame", method: str) -> Claim:
    own = questions[questions["method"] == method]
    share, start = (float((own[column] < 0).mean()) for column in ("discrimination", "start"))
    return Claim(
        claim,
        "About 10 % of discriminations are negative"
        + (", difficulties started at B(wrong, right)" if method == REVERSED else ""),
        "10 %",
        f"{share:.0%}",
        judge(0.05 <= share <= 0.15, 0.0 < share <= 0.2),
        f"{_PRIVATE}; at the start {start:.0%} are",
    )
