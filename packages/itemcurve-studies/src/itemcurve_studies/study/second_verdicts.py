"""The second verdict of a claim: by the paper's own protocol."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from itemcurve_studies.study.claims import Verdict
from itemcurve_studies.study.rules import SAME, Rule

if TYPE_CHECKING:
    import pandas

NOT_RUN: Verdict = "not run"


@dataclass(frozen=True)
class SecondVerdict:
    """What became of a claim by the paper's own protocol.

    Attributes
    ----------
    measured : ours, by that protocol.
    interval : of what decides, or why it has none.
    cause : why it does not hold in full, as it was tested; it stands after that of the first.
    """

    claim: str
    measured: str
    verdict: Verdict
    interval: str = ""
    cause: str = ""


def add_second(
    claims: "pandas.DataFrame", rules: Mapping[str, Rule], found: Iterable[SecondVerdict]
) -> "pandas.DataFrame":
    """Put both rules and the second verdict beside the first.

    Where both rules are the same, so are the verdicts; a second one whose run is missing is said
    to be missing.
    """
    import pandas

    second = {each.claim: each for each in found}
    rows = []
    for row in claims.to_dict("records"):
        rule = rules[row["claim"]]
        is_first = rule.paper == SAME or row["verdict"] == "cannot be tested"
        usual = SecondVerdict(row["claim"], "", row["verdict"] if is_first else NOT_RUN)
        other = second.get(row["claim"], usual)
        rows.append(
            {
                **row,
                "cause": " ".join(text for text in (row.get("cause", ""), other.cause) if text),
                "rule": rule.ours,
                "paper_rule": rule.paper,
                "paper_measured": other.measured,
                "paper_verdict": other.verdict,
                "interval": other.interval or row.get("interval", "") or rule.spread,
            }
        )
    return pandas.DataFrame(rows)
