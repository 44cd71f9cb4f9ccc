"""Claims of a paper, each with the paper's value, ours, and a verdict."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas

Verdict = Literal["holds", "holds in part", "does not hold", "cannot be tested"]


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
    """

    claim: str
    statement: str
    paper: str
    measured: str
    verdict: Verdict
    cause: str = ""
    is_headline: bool = False


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


def claims_text(claims: "pandas.DataFrame") -> str:
    """Give the claims as a table in Markdown: ★ marks headlines, causes stand in italics.

    Examples
    --------
    >>> table = claims_frame([Claim("C1", "Sky", "blue", "grey", "does not hold", "rain")])
    >>> print(claims_text(table).splitlines()[-1])
    | C1 | Sky | blue | grey. *rain* | **does not hold** |
    """
    lines = ["| | claim | paper | here | verdict |", "|---|---|---|---|---|"]
    for row in claims.to_dict("records"):
        name = f"{row['claim']} ★" if row["is_headline"] else row["claim"]
        found = f"{row['measured']}. *{row['cause']}*" if row["cause"] else row["measured"]
        cells = (name, row["statement"], row["paper"], found, f"**{row['verdict']}**")
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"
