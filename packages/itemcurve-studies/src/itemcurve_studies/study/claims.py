"""Claims of a paper, each with the paper's value, ours, and a verdict."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas

Verdict = Literal["holds", "holds in part", "does not hold", "cannot be tested", "not run"]


@dataclass(frozen=True)
class Claim:
    """One claim and what became of it.

    Attributes
    ----------
    claim : its number, such as `C2`.
    statement : what the paper says.
    paper, measured : the paper's value and ours, as people read them.
    verdict : by a rule that was fixed before the study ran.
    cause : where it does not hold or differs: the explanation that was tested.
    is_headline : whether it belongs in a summary.
    interval : of what decides, where it has one.
    """

    claim: str
    statement: str
    paper: str
    measured: str
    verdict: Verdict
    cause: str = ""
    is_headline: bool = False
    interval: str = ""


def judge(holds: bool, partly: bool = False) -> Verdict:
    """Give the verdict: holds; holds in part where only a weaker form does; does not hold.

    Examples
    --------
    >>> judge(False, partly=True)
    'holds in part'
    """
    return "holds" if holds else "holds in part" if partly else "does not hold"


def claims_frame(claims: Iterable[Claim]) -> "pandas.DataFrame":
    """Give one row per claim."""
    import pandas

    return pandas.DataFrame([asdict(claim) for claim in claims])


def skip(claim: str, reason: str) -> Claim:
    """Give a claim that could not be tested, with the reason."""
    return Claim(claim, "", "", "", "cannot be tested", reason)


def claims_text(claims: "pandas.DataFrame") -> str:
    """Give the claims as a table in Markdown: ★ marks headlines, causes stand in italics.

    Where claims have a second verdict, by the paper's own protocol, it has a column of its own.

    Examples
    --------
    >>> table = claims_frame([Claim("C1", "Sky", "blue", "grey", "does not hold", "rain")])
    >>> print(claims_text(table).splitlines()[-1])
    | C1 | Sky | blue | grey. *rain* | **does not hold** |
    """
    has_second = "paper_verdict" in claims
    heads = ["", "claim", "paper", "here", "by our rule"]
    heads += ["by the paper's protocol", "interval"] if has_second else []
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for row in claims.to_dict("records"):
        cells = [_starred(row), row["statement"], row["paper"], _found(row), _bold(row["verdict"])]
        if has_second:
            second = _bold(row["paper_verdict"])
            told = row["paper_measured"]
            cells += [f"{second}: {told}" if told else second, row["interval"]]
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _starred(row: "dict[Any, Any]") -> str:
    return f"{row['claim']} ★" if row["is_headline"] else str(row["claim"])


def _found(row: "dict[Any, Any]") -> str:
    return f"{row['measured']}. *{row['cause']}*" if row["cause"] else str(row["measured"])


def _bold(verdict: object) -> str:
    return f"**{verdict}**"
