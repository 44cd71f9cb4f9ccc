"""Runs of ratings, votes and several abilities as pages: sentences, a picture, tables, checks."""

from collections.abc import Iterable
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.dashboard.bundle import frozen_page
from itemcurve.dashboard.plain_tables import plain_table
from itemcurve.dashboard.run_page import plain_finding
from itemcurve.dashboard.still_page import still_page
from itemcurve.dashboard.terms import GLOSSARY
from itemcurve.reports.embedding import embed_bytes
from itemcurve.reports.other_runs.plain_page import gather_page
from itemcurve.storage.json_documents import pack_line

# Sentences in a list of runs.
_BRIEF = 2

if TYPE_CHECKING:
    from itemcurve.reports.other_runs.plain_page import OtherFit


def other_page(fit: "OtherFit", title: str, mute: Iterable[str]) -> dict[str, Any]:
    """Give what the page of such a run says; tables without rows are left out."""
    page = gather_page(fit, title, mute)
    return {
        "version": __version__,
        "title": page.title,
        "facts": page.facts,
        "words": list(page.words),
        "intervals": None if page.picture is None else asdict(page.picture),
        "tables": [plain_table(table) for table in page.tables if table.n_rows],
        "findings": [plain_finding(each) for each in page.findings],
        "methods": list(page.methods),
        "glossary": dict(GLOSSARY),
    }


class OtherDocuments:
    """What pages show of such a run, worked out once.

    Parameters
    ----------
    fit : of ratings, votes or several abilities.
    """

    def __init__(self, fit: "OtherFit") -> None:
        self._fit = fit

    @cached_property
    def _page(self) -> dict[str, Any]:
        return other_page(self._fit, "", ())

    def page(self) -> dict[str, Any]:
        """Give its one page."""
        return {"other": self._page}

    def brief(self) -> dict[str, Any]:
        """Give what a list of runs says of it: a heading and its first sentences."""
        known = {name: self._page[name] for name in ("title", "facts")}
        return {**known, "words": self._page["words"][:_BRIEF], "tiles": []}


def freeze_other(fit: "OtherFit", title: str, mute: Iterable[str]) -> str:
    """Give the page of such a run with all that it shows inside."""
    page = other_page(fit, title, mute)
    content = embed_bytes(pack_line({"other": page}, "the page"))
    first = page["tables"][0] if page["tables"] else {"columns": []}
    still = still_page(page["title"], page["facts"], page["words"], first)
    return frozen_page(page["title"], {"data-run": content}, still)
