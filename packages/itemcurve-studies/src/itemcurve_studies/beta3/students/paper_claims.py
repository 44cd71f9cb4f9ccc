"""Claims B3 to B6 by the paper's own protocol: fresh hold-outs, with the claim's own p-values."""

from typing import TYPE_CHECKING

from itemcurve_studies.beta3.students.answers import REPEATED
from itemcurve_studies.beta3.students.claims import PRINTED, REVERSED, judge_share
from itemcurve_studies.beta3.tables import signed_rank
from itemcurve_studies.study.claims import judge
from itemcurve_studies.study.second_verdicts import SecondVerdict

if TYPE_CHECKING:
    import pandas

_SURE = 0.001


def judge_students(table: "pandas.DataFrame") -> list[SecondVerdict]:
    """Judge B3 to B6, as printed and with δ reversed."""
    average = table[table["data"].isin(REPEATED) & (table["scenario"] == "average")]
    first = table[table["scenario"] == "first"]
    found = []
    for method, word in ((PRINTED, ""), (REVERSED, " δ reversed")):
        found += [
            _losses(f"B3{word}", average, method, least=1),
            _losses(f"B4{word}", first, method, least=first["data"].nunique() // 2 + 1),
            _negative(f"B6{word}", table, method),
        ]
    return [*found, _flat(table)]


def _losses(claim: str, table: "pandas.DataFrame", method: str, *, least: int) -> SecondVerdict:
    """Sets with a lower loss and p < 0.001; in part, so many of them."""
    words, ends, wins = [], [], 0
    for data, own in table.groupby("data", sort=False):
        wide = own.pivot(index="hold_out", columns="method", values="log_loss")
        gap = wide[method] - wide["2pl-nd"]
        p = signed_rank(gap)
        wins += bool(gap.mean() < 0 and p < _SURE)
        error = 1.96 * float(gap.std()) / len(gap) ** 0.5
        words.append(f"{data} {wide[method].mean():.3f} against {wide['2pl-nd'].mean():.3f}")
        ends.append(f"{data} {gap.mean() - error:+.3f} to {gap.mean() + error:+.3f} (p {p:.1g})")
    return SecondVerdict(
        claim,
        f"{wins} of {len(words)} with p < 0.001: {', '.join(words)}",
        judge(wins == len(words), wins >= least),
        ", ".join(ends),
    )


def _shares(table: "pandas.DataFrame", method: str, column: str) -> "pandas.Series":
    """Share of all questions, by hold-out."""
    own = table[table["method"] == method].groupby("hold_out")[[column, "questions"]].sum()
    return own[column] / own["questions"]


def _negative(claim: str, table: "pandas.DataFrame", method: str) -> SecondVerdict:
    shares = _shares(table, method, "negative")
    share = float(shares.mean())
    return SecondVerdict(
        claim,
        f"{share:.1%} of the questions of all data sets",
        judge(0.05 <= share <= 0.15, 0.0 < share <= 0.2),
        f"{shares.min():.1%} to {shares.max():.1%} over {len(shares)} hold-outs",
    )


def _flat(table: "pandas.DataFrame") -> SecondVerdict:
    shares = _shares(table, PRINTED, "flat")
    start = float(_shares(table, PRINTED, "flat_at_start").mean())
    move = _median_move(table[table["method"] == PRINTED])
    return SecondVerdict(
        "B5",
        f"{shares.mean():.1%} in (−1, 1), {start:.1%} at the start; the median question moves by "
        f"{move:.3f}",
        judge_share(float(shares.mean()), move, (0.26, 0.66)),
        f"{shares.min():.1%} to {shares.max():.1%} over {len(shares)} hold-outs",
    )


def _median_move(table: "pandas.DataFrame") -> float:
    """How far the median question of all data sets moves: every data set counts as its questions.

    Of each data set its median is known; between them the one is taken at which half of the
    questions are passed.
    """
    ordered = table.sort_values("median_move")
    passed = ordered["questions"].cumsum() >= ordered["questions"].sum() / 2
    return float(ordered.loc[passed, "median_move"].iloc[0])
