"""The report itself: everything gathered, laid out and written as one HTML file."""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.analysis.findings.all_findings import Findings, check_codes
from itemcurve.analysis.respondents.ranking import Ranking, ranking
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.pairs.pair_fit import PairFit
from itemcurve.reports.embedding import embed_json
from itemcurve.reports.evaluation_text import (
    BY_ABILITY,
    SKILL_COLUMNS,
    say_order,
    summarise_evaluation,
)
from itemcurve.reports.glossary import explain, explain_used
from itemcurve.reports.headline import (
    Tile,
    advise,
    answer_best,
    answer_items,
    answer_numbers,
    answer_trust,
    make_heading,
)
from itemcurve.reports.interval_picture import draw_abilities, draw_skills
from itemcurve.reports.label_section import item_facts, label_table
from itemcurve.reports.methods_text import (
    describe_evaluation,
    describe_methods,
    reproduce_command,
)
from itemcurve.reports.other_runs.any_run import other_fit
from itemcurve.reports.other_runs.plain_page import write_other
from itemcurve.reports.respondent_pictures import Picture, draw_against_accuracy, draw_calibration
from itemcurve.reports.sections import (
    ItemSection,
    analysis_sections,
    item_section,
    respondent_table,
    scale_drawings,
    skill_table,
)
from itemcurve.reports.source import Source, find_in_source, read_source
from itemcurve.reports.summary import Summary, summarise
from itemcurve.reports.surprising_answers import Surprises, find_surprises
from itemcurve.reports.tables import PageTable
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.run_folder import Run, beside_run

if TYPE_CHECKING:
    import pandas

_SCRIPTS = ("theme", "numbers", "data", "tables", "cards", "curve", "scatter", "meanings", "start")


def report(
    source: FitResult | Evaluation | RaterFit | PairFit | str | PathLike[str],
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
    source : a fit (of responses, ratings or votes), an evaluation, or the path of a run folder;
        every table that analyses left there gets a section. What takes time to compute is kept
        there, for the next report of the same run.
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
    other = other_fit(source)
    if other is not None:
        return write_other(other, path, title, mute)
    assert not isinstance(source, RaterFit | PairFit)
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
    items, order = item_section(evidence), ranking(fit)
    board = source.table("leaderboard", "respondent", "rank", "tier", *SKILL_COLUMNS)
    respondents = (
        respondent_table(fit, source.table("leaderboard", "respondent", "tier"))
        if board is None
        else skill_table(board)
    )
    labels, analyses = label_table(source), analysis_sections(source)
    tables = [respondents, items.table, *(section.table for section in analyses)]
    tables += [] if labels is None else [labels]
    tiles = _tiles(source, board, order, items, found, labels is not None)
    script = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    page: str = _template().render(
        heading=make_heading(source, title),
        version=__version__,
        style=_asset("page.css"),
        script=script,
        script_hash=_hash(script),
        tiles=tiles,
        picture=draw_abilities(fit, order) if board is None else draw_skills(board),
        steps=advise(board, tiles, found),
        summary=_summary(source, board, order, items, found),
        order=say_order(source) if board is not None else BY_ABILITY,
        findings=found,
        respondents=respondents,
        pictures=_pictures(source, board),
        labels=labels,
        items=items,
        drawings=scale_drawings(fit),
        analyses=analyses,
        methods=describe_evaluation(source.notes("evaluation")) + describe_methods(fit),
        command=reproduce_command(fit, source.run),
        explain=explain,
        glossary=explain_used(column.label for table in tables for column in table.columns),
        data=embed_json(_data(source, tables, items)),
    )
    return page


def _tiles(
    source: Source,
    board: "pandas.DataFrame | None",
    order: Ranking,
    items: ItemSection,
    found: Findings,
    has_labels: bool,
) -> tuple[Tile, Tile, Tile]:
    return (
        answer_best(board, order),
        answer_numbers(source.fit, found)
        if board is not None and "mae" in board
        else answer_items(source, items.counts, has_labels),
        answer_trust(source.fit, found),
    )


def _summary(
    source: Source,
    board: "pandas.DataFrame | None",
    order: Ranking,
    items: ItemSection,
    found: Findings,
) -> Summary:
    if board is None:
        return summarise(source.fit, order, items.counts, found)
    return summarise_evaluation(source.fit, board, source, found)


def _pictures(source: Source, board: "pandas.DataFrame | None") -> list[Picture]:
    """Pictures of the respondents, where an evaluation has metrics and probabilities."""
    if board is None:
        return []
    best = board[board["rank"].notna()]["respondent"].astype(str).tolist()
    curves = source.table("calibration", "respondent", "stated", "right", "items")
    drawn = (draw_against_accuracy(board), draw_calibration(curves, best))
    return [picture for picture in drawn if picture is not None]


def _data(source: Source, tables: list[PageTable], items: ItemSection) -> dict[str, Any]:
    names = next(column.cells for column in items.table.columns if column.name == "item")
    return {
        "tables": [table.data() for table in tables],
        "curves": items.curves.layout,
        "axes": items.axes,
        "facts": item_facts(source, list(names)),
        "surprises": _surprise_data(find_surprises(source.fit)),
    }


def _surprise_data(found: Surprises | None) -> dict[str, Any] | None:
    return None if found is None else {"better": found.better, "worse": found.worse}


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
