"""A page of sentences, one picture and tables, which needs no script and no network."""

from dataclasses import dataclass
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve import __version__
from itemcurve.analysis.findings.all_findings import Findings
from itemcurve.reports.interval_picture import IntervalPicture
from itemcurve.reports.tables import PageTable
from itemcurve.storage.atomic_files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.pairs.pair_fit import PairFit

# Of more rows the run itself has the rest.
MOST_ROWS = 500


@dataclass(frozen=True)
class PlainPage:
    """What the page shows.

    Attributes
    ----------
    facts : one line below the title.
    words : sentences, the most important first.
    tables : each with a title; they may be empty.
    methods : how it was computed, in sentences.
    """

    title: str
    facts: str
    words: tuple[str, ...]
    picture: IntervalPicture | None
    tables: tuple[tuple[str, PageTable], ...]
    findings: Findings
    methods: tuple[str, ...]


def render_plain(page: PlainPage) -> str:
    """Give the page as text."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    folder = resources.files("itemcurve.reports")
    text = (folder / "templates" / "plain.html").read_text("utf-8")
    style = (folder / "assets" / "page.css").read_text("utf-8")
    tables = [(title, table) for title, table in page.tables if table.n_rows]
    content: str = environment.from_string(text).render(
        page=page, tables=tables, version=__version__, style=style
    )
    return content


def write_other(
    fit: "RaterFit | PairFit", path: str | PathLike[str], title: str, mute: "Iterable[str]"
) -> Path:
    """Write the page of a fit of ratings or votes."""
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.reports.other_runs.judges_page import judges_page
    from itemcurve.reports.other_runs.votes_page import votes_page

    page = (
        judges_page(fit, title, mute) if isinstance(fit, RaterFit) else votes_page(fit, title, mute)
    )
    target = Path(path)
    write_bytes(target, render_plain(page).encode("utf-8"))
    return target
