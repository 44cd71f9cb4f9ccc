"""What a report is made from: a fit, and the tables of analyses that lie beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from itemcurve.analysis.findings.all_findings import Evidence, Findings, read_findings
from itemcurve.analysis.keeping.kept_analyses import KeptAnalyses
from itemcurve.analysis.keeping.kept_findings import gather_evidence, kept_findings
from itemcurve.errors import ModelError
from itemcurve.estimation.groups.population_fit import PopulationFit
from itemcurve.estimation.groups.saved_population_fit import read_population_fit
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.saving.saved_fit import read_fit
from itemcurve.reports.difference_section import (
    CURVES,
    DIFFERENCES,
    KEPT,
    look_for_differences,
)
from itemcurve.storage.run_folder import Run, read_whole
from itemcurve.storage.run_kinds import POPULATIONS
from itemcurve.storage.tables import is_table, unpack_table

if TYPE_CHECKING:
    import pandas

_OWN_DOCUMENTS = ("config", "fit")
# Tables that the page shows at places of their own, not as sections.
_PLACED = ("findings", "calibration", "classes", CURVES)
# What readers look for first; other analyses follow by name, empty ones last.
_FIRST = ("leaderboard", "audit", DIFFERENCES)


@dataclass(frozen=True, eq=False)
class Analysis:
    """A table of an analysis, with what its author noted."""

    name: str
    title: str
    frame: "pandas.DataFrame"
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Source:
    """A fit with its analyses.

    Attributes
    ----------
    run : the folder they came from, as it was given; None for a fit in memory.
    opened : that folder as it was read.
    kept : analyses that it keeps; None also where they would rest on an audit from elsewhere.
    """

    fit: FitResult
    analyses: tuple[Analysis, ...]
    run: str | None
    opened: Run | None = None
    kept: KeptAnalyses | None = None

    @property
    def shown(self) -> "tuple[Analysis, ...]":
        """Analyses that have a section of their own."""
        is_board = self.table("leaderboard", "respondent", "skill") is not None
        is_judged = self.table("audit", "item", "verdict", "given_label") is not None
        apart = (*_PLACED, *("leaderboard",) * is_board, *("audit",) * is_judged)
        # A section without rows says nothing.
        return tuple(a for a in self.analyses if a.name not in apart and not a.frame.empty)

    def notes(self, name: str) -> Mapping[str, Any]:
        """Give what the author of an analysis noted, nothing when there is none."""
        return next((a.notes for a in self.analyses if a.name == name), {})

    def table(self, name: str, *columns: str) -> "pandas.DataFrame | None":
        """Give the table of the analysis with this name, None when none has these columns."""
        for analysis in self.analyses:
            if analysis.name == name and set(columns) <= set(analysis.frame.columns):
                return analysis.frame
        return None


def read_source(
    source: FitResult | PopulationFit | str | PathLike[str],
    tables: "Mapping[str, pandas.DataFrame] | None" = None,
    notes: Mapping[str, Mapping[str, Any]] | None = None,
) -> Source:
    """Read a run folder, or take a fit as it is; `tables` add to or replace stored analyses."""
    if isinstance(source, FitResult):
        found = Source(source, (), None)
    elif isinstance(source, PopulationFit):
        own = [Analysis(name, *both) for name, both in source.tables().items()]
        found = Source(source.fit, (*own, *_analyses(look_for_differences(source))), None)
    elif isinstance(source, str | PathLike):
        found = replace(read_whole(source, _read_run), run=fspath(source))
    else:
        raise ModelError(
            "A report is made from a fit or the path of a run folder.",
            f"Got {type(source).__name__}.",
            "Give what itemcurve.fit returned, or the folder it was saved to.",
        )
    known = notes or {}
    given = [
        Analysis(name, _titled(name), table, known.get(name, {}))
        for name, table in (tables or {}).items()
    ]
    names = {analysis.name for analysis in given}
    analyses = [*(a for a in found.analyses if a.name not in names), *given]
    return replace(
        found,
        analyses=tuple(sorted(analyses, key=_place)),
        kept=None if "audit" in names else found.kept,
    )


def find_in_source(source: Source, muted: frozenset[str]) -> tuple[Evidence, Findings]:
    """Give what checks look at, and what they find, computed only where the run has it not."""
    audit = source.table("audit", "item", "verdict")
    evidence = gather_evidence(source.fit, audit, source.kept)
    stored = source.table("findings", "code", "severity", "message")
    if stored is not None:
        # An evaluation knew more than its fit: predictions, metrics, references.
        return evidence, read_findings(stored).without(muted)
    return evidence, kept_findings(evidence, muted, source.kept)


def _titled(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _place(analysis: Analysis) -> tuple[bool, int]:
    is_first = analysis.name in _FIRST
    return analysis.frame.empty, _FIRST.index(analysis.name) if is_first else len(_FIRST)


def _read_run(opened: Run) -> Source:
    fit, kept = read_fit(opened), KeptAnalyses(opened)
    names = [name.removesuffix(".json") for name in opened.files if name.endswith(".json")]
    documents = {name: opened.document(name) for name in names if name not in _OWN_DOCUMENTS}
    if POPULATIONS in opened.files and DIFFERENCES not in documents:
        sought = kept.get(KEPT, lambda: look_for_differences(read_population_fit(opened)))
        documents.update(sought)
    return Source(fit, tuple(_analyses(documents)), str(opened.path), opened, kept)


def _analyses(documents: Mapping[str, dict[str, Any]]) -> list[Analysis]:
    found = []
    for name in sorted(documents):
        document = documents[name]
        if is_table(document):
            notes = document.get("notes")
            found.append(
                Analysis(
                    name,
                    str(document.get("title") or name),
                    unpack_table(document, name),
                    notes if isinstance(notes, dict) else {},
                )
            )
    return found
