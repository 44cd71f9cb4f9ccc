"""Write docs/claims.md from docs/claims/*.csv: `python docs/make_claims.py`, from the root.

Each file is the `claims.csv` of `itemcurve reproduce NAME --out folder`; rules come from the
studies.
"""

from importlib import import_module
from pathlib import Path

import pandas

from itemcurve_studies.study.claims import claims_text
from itemcurve_studies.study.rules import SAME

DOCS = Path(__file__).parent
PAPERS = {
    "gamma": "Γ-IRT (Moraes, Reinaldo, Prudêncio and Silva Filho)",
    "beta3": "β³-IRT (Chen, Silva Filho, Prudêncio, Diethe and Flach 2019)",
    "robustness": "Robustness by difficulty (Fabra-Boluda et al. 2024)",
    "confusion": "The IRT confusion matrix (Cardoso et al.)",
    "adaptive": "Adaptive testing (Song and Flach 2021)",
}
VERDICTS = ("holds", "holds in part", "does not hold", "cannot be tested", "not run")
HEAD = """# All claims, judged twice

Every claim of the five papers in one form: what the paper says and its value, ours with the cause
that was tested, and two verdicts. **By our rule**: fixed when the claims were listed, before the
studies ran. **By the paper's protocol**: what its text and published code do, on seeds that nobody
had looked at; its rule was written down and committed before it ran. ★ marks headline claims. The
rules are below each table, and in `rules.py` of each study.
[What came of it, in words](papers.md) · [the data](study_data.md).

*Not run*: the run that the second verdict needs has not ended; what its finished parts say stands
beside it (*so far*) and counts as no verdict. *Cannot be tested*: the data are
private, or what would be measured is decided by something else than the data.
"""


def main() -> None:
    """Write the page."""
    tables = {
        name: pandas.read_csv(DOCS / "claims" / f"{name}.csv", keep_default_na=False)
        for name in PAPERS
    }
    parts = [HEAD, _count(tables)]
    for name, title in PAPERS.items():
        parts += [f"## {title}\n", claims_text(tables[name]), _list_rules(name)]
    (DOCS / "claims.md").write_text("\n".join(parts), "utf-8")


def _count(tables: dict[str, pandas.DataFrame]) -> str:
    """How many claims have which verdict, by both rules."""
    lines = [f"| paper | claims | {' | '.join(VERDICTS)} |", f"|{'---|' * (2 + len(VERDICTS))}"]
    for name, table in {**tables, "all": pandas.concat(tables.values())}.items():
        counts = []
        for verdict in VERDICTS:
            first, second = ((table[c] == verdict).sum() for c in ("verdict", "paper_verdict"))
            counts.append(f"{first} → {second}")
        lines.append(f"| {name} | {len(table)} | {' | '.join(counts)} |")
    return "By our rule → by the paper's protocol:\n\n" + "\n".join(lines) + "\n"


def _list_rules(name: str) -> str:
    rules = import_module(f"itemcurve_studies.{name}.rules").RULES
    lines = ["| | our rule | the paper's protocol |", "|---|---|---|"]
    for claim, rule in rules.items():
        paper = "the same" if rule.paper == SAME else rule.paper
        cells = (text.replace("|", "\\|") for text in (rule.ours, paper))
        lines.append(f"| {claim} | {' | '.join(cells)} |")
    return "Rules:\n\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
