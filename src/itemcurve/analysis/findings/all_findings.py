"""Findings: what a reader of a fit should know, each with a code and advice."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from itemcurve.analysis.evaluated_fits import HasFit, fit_of
from itemcurve.analysis.findings import category_findings, data_findings, fit_findings
from itemcurve.analysis.findings.dimension_findings import find_more_abilities
from itemcurve.analysis.findings.finding_kinds import CODES, PROTECTING, Finding
from itemcurve.analysis.findings.missing_findings import (
    find_cells_answered_twice,
    find_missing_answers,
)
from itemcurve.analysis.findings.population_findings import find_other_shape
from itemcurve.analysis.findings.whole_fit_findings import (
    find_odd_respondents,
    find_poor_model_fit,
)
from itemcurve.analysis.items.verdicts import item_verdicts
from itemcurve.analysis.model_fit.item_fit import ItemFit, item_fit
from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.result import FitResult
from itemcurve.showing.html_cards import html_card

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Findings:
    """All findings about a fit, in the order of their codes."""

    found: tuple[Finding, ...]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __str__(self) -> str:
        if not self.found:
            return "Nothing found."
        return "\n".join(f"{f.code} {f.title}: {f.message} {f.advice}" for f in self.found)

    def _repr_html_(self) -> str:
        if not self.found:
            return html_card("Findings", ["Nothing found."])
        return html_card(f"{len(self.found)} findings", (), self.brief(), rows=20)

    @property
    def has_warnings(self) -> bool:
        """Whether something casts doubt on the results."""
        return any(finding.severity == "warning" for finding in self.found)

    @property
    def is_trustworthy(self) -> bool:
        """Whether there is no warning, and nothing that protects from misreading the numbers."""
        return not any(f.severity == "warning" or f.code in PROTECTING for f in self.found)

    def without(self, muted: Iterable[str]) -> "Findings":
        """Leave out findings with these codes."""
        codes = check_codes(muted)
        return Findings(tuple(finding for finding in self.found if finding.code not in codes))

    def brief(self) -> "pandas.DataFrame":
        """Give what one reads: all but the names of those concerned."""
        return self.frame()[["code", "severity", "title", "message", "advice"]]

    def frame(self) -> "pandas.DataFrame":
        """One row per finding: code, title, severity, message, advice, concerned."""
        import pandas

        names = ["code", "title", "severity", "message", "advice", "concerned"]
        rows = [[getattr(finding, name) for name in names] for finding in self.found]
        return pandas.DataFrame(rows, columns=names)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What checks look at; costly parts are computed when first asked for.

    Attributes
    ----------
    measure_items : gives the fit of the items, where it is not to be computed anew.
    """

    fit: FitResult
    audit: "pandas.DataFrame | None" = None
    measure_items: Callable[[FitResult], ItemFit] = item_fit

    @cached_property
    def item_fit(self) -> ItemFit:
        """Fit statistics of the items."""
        return self.measure_items(self.fit)

    @cached_property
    def verdicts(self) -> "pandas.DataFrame":
        """Verdict of every item."""
        return item_verdicts(self.fit, self.audit)


def read_findings(table: "pandas.DataFrame") -> Findings:
    """Read findings back from their stored table; rows that are none are passed over."""
    found = []
    for row in table.to_dict("records"):
        severity = row.get("severity")
        if row.get("code") not in CODES or severity not in ("warning", "note"):
            continue
        names = str(row.get("concerned") or "")
        found.append(
            Finding(
                str(row["code"]),
                severity,
                str(row.get("message") or ""),
                str(row.get("advice") or ""),
                tuple(name for name in names.split("\n") if name),
            )
        )
    return Findings(tuple(found))


def pack_findings(found: Findings) -> "pandas.DataFrame":
    """Give findings as a table of plain cells, those concerned one to a line."""
    table = found.frame()
    table["concerned"] = ["\n".join(names) for names in table["concerned"]]
    return table


Check = Callable[[Evidence], Finding | None]
_CHECKS: dict[str, Check] = {
    "IRT001": lambda evidence: data_findings.find_constant_items(evidence.fit),
    "IRT002": lambda evidence: fit_findings.find_unconverged(evidence.fit),
    "IRT003": lambda evidence: data_findings.find_few_respondents(evidence.fit),
    "IRT004": lambda evidence: fit_findings.find_poor_item_fit(evidence.item_fit),
    "IRT005": lambda evidence: fit_findings.find_local_dependence(evidence.fit),
    "IRT006": lambda evidence: data_findings.find_suspect_labels(
        evidence.verdicts, evidence.audit is not None
    ),
    "IRT007": lambda evidence: data_findings.find_edge_abilities(evidence.fit),
    "IRT008": lambda evidence: data_findings.find_boundary_responses(evidence.fit),
    "IRT009": lambda evidence: fit_findings.find_bounds(evidence.fit),
    "IRT014": lambda evidence: find_more_abilities(evidence.fit),
    "IRT015": lambda evidence: find_missing_answers(evidence.fit),
    "IRT016": lambda evidence: category_findings.find_unused_categories(evidence.fit),
    "IRT017": lambda evidence: category_findings.find_disordered_thresholds(evidence.fit),
    "IRT018": lambda evidence: category_findings.find_ratings_as_shares(evidence.fit),
    "IRT020": lambda evidence: find_poor_model_fit(evidence.fit),
    "IRT021": lambda evidence: find_odd_respondents(evidence.fit),
    "IRT023": lambda evidence: find_other_shape(evidence.fit),
    "IRT024": lambda evidence: find_cells_answered_twice(evidence.fit),
}


def findings(
    fit: FitResult | HasFit | RaterFit | DimensionsFit,
    *,
    mute: Iterable[str] = (),
    audit: "pandas.DataFrame | None" = None,
) -> Findings:
    """Look for whatever casts doubt on a fit, and say what to do about it.

    Parameters
    ----------
    fit : a fit, of several abilities, ratings or votes as well; of an evaluation, its own findings,
        which know its leaderboard.
    mute : codes to leave out, such as `("IRT005",)`; their checks are not run.
    audit : an item audit's table, with columns `item` and `verdict`; without it, labels are
        judged by the sign of the discrimination.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=30, items=8, seed=2).responses)
    >>> [finding.code for finding in ic.findings(fit, mute=("IRT007",))]
    ['IRT003']
    """
    muted = check_codes(mute)
    if isinstance(fit, RaterFit):
        from itemcurve.analysis.judges.judge_findings import find_in_ratings

        return find_in_ratings(fit, muted)
    if isinstance(fit, DimensionsFit):
        from itemcurve.analysis.findings.ability_findings import find_in_abilities

        return find_in_abilities(fit, muted)
    own = getattr(fit, "findings", None)
    if audit is None and callable(own):
        found: Findings = own(mute=muted)
        return found
    return gather(Evidence(fit_of(fit), audit), muted)


def gather(evidence: Evidence, muted: frozenset[str]) -> Findings:
    """Run all checks but the muted ones."""
    results = [check(evidence) for code, check in _CHECKS.items() if code not in muted]
    return Findings(tuple(finding for finding in results if finding is not None))


def check_codes(codes: Iterable[str]) -> frozenset[str]:
    """Give the codes as a set, refusing unknown ones."""
    given = (codes,) if isinstance(codes, str) else tuple(codes)
    unknown = [code for code in given if code not in CODES]
    if unknown:
        raise ModelError(
            f"Findings have the codes {', '.join(CODES)}.",
            f"Got {unknown[0]!r}.",
            "Mute one of these.",
        )
    return frozenset(given)
