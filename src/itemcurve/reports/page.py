"""The report itself: everything gathered, laid out and written as one HTML file."""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.analysis.findings.all_findings import check_codes
from itemcurve.analysis.respondents.ranking import ranking
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.reports.embedding import embed_json
from itemcurve.reports.evaluation_text import (
    BY_ABILITY,
    SKILL_COLUMNS,
    say_order,
    summarise_evaluation,
)
from itemcurve.reports.methods_text import describe_methods, reproduce_command
from itemcurve.reports.sections import (
    AnalysisSection,
    ItemSection,
    analysis_sections,
    item_section,
    respondent_table,
    scale_drawings,
    skill_table,
)
from itemcurve.reports.source import Source, find_in_source, read_source
from itemcurve.reports.summary import summarise
from itemcurve.reports.tables import PageTable
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.run_folder import Run, beside_run

if TYPE_CHECKING:
    import pandas

_SCRIPTS = ("theme", "numbers", "data", "tables", "curve", "scatter", "start")


def report(
    source: FitResult | Evaluation | str | PathLike[str],
    path: str | PathLike[str],
    *,
    title: str = "",
    tables: "Mapping[str, pandas.DataFrame] | None" = None,
    notes: Mapping[str, Mapping[str, Any]] | None = None,
    mute: Iterable[str] = (),
) -> Path:
    """Write a fit, or everything a run folder holds, as one self-contained HTML page.

    Parameters
    ----------
    source : a fit, an evaluation, or the path of a run folder; every table that analyses left
        there gets a section. What takes time to compute is kept there, for the next report of the
        same run.
    path : the file to write.
    title : heading of the page; names the model and the data when left out.
    tables : further tables by name; an `audit` with columns `item` and `verdict` gives the items'
        verdicts, a `leaderboard` with `respondent` and `tier` the respondents' tiers.
    notes : by name of a table, settings and single numbers that belong to it.
    mute : codes of findings to leave out.

    Returns
    -------
    The path written.

    Examples
    --------
    >>> import tempfile
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=200, items=10, seed=1).responses)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ic.report(fit, f"{folder}/report.html").name
    'report.html'
    """
    if isinstance(source, Evaluation):
        # It brings its own tables, and asks again for its fit.
        made: Path = source.report(path, title=title, mute=mute)
        return made
    muted = check_codes(mute)
    found = read_source(source, tables, notes)
    content = render(found, title, muted)
    target = Path(path)
    _write(content.encode("utf-8"), target, found.opened)
    if found.kept is not None:
        found.kept.write()
    return target


def _write(content: bytes, target: Path, run: Run | None) -> None:
    """Write the page; into the folder of its run only while that is the run it is of."""
    if run is None or target.parent.resolve() != run.path:
        write_bytes(target, content)
        return
    with beside_run(run, target.name) as own:
        write_bytes(own, content)


def render(source: Source, title: str, muted: frozenset[str]) -> str:
    """Give the page as text."""
    fit = source.fit
    evidence, found = find_in_source(source, muted)
    items = item_section(evidence)
    board = source.table("leaderboard", "respondent", "rank", "tier", *SKILL_COLUMNS)
    respondents = (
        respondent_table(fit, source.table("leaderboard", "respondent", "tier"))
        if board is None
        else skill_table(board)
    )
    analyses = analysis_sections(source)
    script = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    page: str = _template().render(
        title=title or _title(source),
        version=__version__,
        style=_asset("page.css"),
        script=script,
        script_hash=_hash(script),
        summary=summarise(fit, ranking(fit), items.counts, found)
        if board is None
        else summarise_evaluation(fit, board, source, found),
        order=say_order(source) if board is not None else BY_ABILITY,
        findings=found,
        respondents=respondents,
        items=items,
        drawings=scale_drawings(fit),
        analyses=analyses,
        methods=describe_methods(fit),
        command=reproduce_command(fit, source.run),
        data=embed_json(_data(respondents, items, analyses)),
    )
    return page


def _title(source: Source) -> str:
    """Name what was evaluated where it is known, else the model."""
    fit = source.fit
    about = str(source.notes("evaluation").get("data") or fit.model)
    return (
        f"{about}: {len(fit.responses.respondents):,} respondents, "
        f"{len(fit.responses.items):,} items"
    )


def _data(
    respondents: PageTable, items: ItemSection, analyses: list[AnalysisSection]
) -> dict[str, Any]:
    tables = [respondents, items.table, *(section.table for section in analyses)]
    return {
        "tables": [table.data() for table in tables],
        "curves": items.curves.layout,
        "axes": items.axes,
    }


def _template() -> Any:
    # Imported here because only those who write a report should wait for it.
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = (resources.files("itemcurve.reports") / "templates" / "page.html").read_text("utf-8")
    return environment.from_string(text)


def _asset(name: str) -> str:
    return (resources.files("itemcurve.reports") / "assets" / name).read_text("utf-8")


def _hash(script: str) -> str:
    """Give what a content security policy allows this script by."""
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
