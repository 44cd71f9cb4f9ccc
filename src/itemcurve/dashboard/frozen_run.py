"""The frozen dashboard: a run as one file that opens anywhere and loads nothing."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.findings.all_findings import check_codes
from itemcurve.dashboard.bundle import frozen_page
from itemcurve.dashboard.item_card import say_suspicion
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.dashboard.run_page import run_page
from itemcurve.estimation.result import FitResult
from itemcurve.reports.curve_data import curve_data
from itemcurve.reports.embedding import embed_bytes
from itemcurve.reports.label_section import item_facts
from itemcurve.reports.source import read_source
from itemcurve.reports.tables import MOST_ROWS
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.json_documents import pack_line

if TYPE_CHECKING:
    import pandas

Document = dict[str, Any]
# A page holds so many cards of respondents, and the answers of so many cells.
_MOST_CARDS = 200
_MOST_CELLS = 2_000_000
# Answers in steps; the last number marks that there is none.
_STEPS = 65534


def freeze(
    source: FitResult | str | PathLike[str],
    path: str | PathLike[str],
    *,
    title: str = "",
    tables: "Mapping[str, pandas.DataFrame] | None" = None,
    mute: Iterable[str] = (),
) -> Path:
    """Write the dashboard of one run with all that it shows inside.

    Parameters
    ----------
    source : a fit, or the path of a run folder.
    path : the file to write.
    title : heading of the page; names the model and the data when left out.
    tables : further tables by name, as `report` takes them.
    mute : codes of findings to leave out.

    Returns
    -------
    The path written.

    Examples
    --------
    >>> import tempfile
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=100, items=10, seed=1).responses)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     freeze(fit, f"{folder}/page.html").name
    'page.html'
    """
    muted = check_codes(mute)
    documents = RunDocuments(read_source(source, tables))
    page = run_page(documents.source, title, muted)
    kept = documents.ranked.head(MOST_ROWS)
    names = kept["item"].tolist()
    curves = curve_data(documents.source.fit, names)
    layout, content = _answers(documents.source.fit, kept.index.to_numpy())
    held = {
        "mark": documents.source.fit.bank.mark,
        "name": page["title"],
        "page": page,
        "health": documents.health(is_quick=True),
        "labels": documents.labels(),
        "items": documents.items(most=MOST_ROWS),
        "curves": curves.layout,
        "cards": _cards(documents, kept, names),
        "respondents": _respondents(documents, page["board"]),
        "answers": layout,
    }
    data = {
        "data-run": embed_bytes(pack_line(held, "the page")),
        "data-curves": curves.content,
        "data-map": embed_bytes(documents.map()),
        "data-answers": embed_bytes(content),
    }
    target = Path(path)
    write_bytes(target, frozen_page(page["title"], data).encode("utf-8"))
    return target


def _cards(documents: RunDocuments, kept: "pandas.DataFrame", names: list[str]) -> Document:
    """What cards say beside curves and numbers, by column in the order of the table of items."""
    facts, content = item_facts(documents.source, names), documents.content
    rows: list[Any] = kept.to_dict("records")
    own = [{name: cells[at] for name, cells in facts.items()} for at in range(len(names))]
    return {
        "facts": facts,
        "words": [content.words.get(name, "") for name in names],
        "groups": [content.groups.get(name, "") for name in names],
        "pictures": {name: content.pictures[name] for name in names if name in content.pictures},
        "suspicions": [say_suspicion(row, known) for row, known in zip(rows, own, strict=True)],
    }


def _respondents(documents: RunDocuments, board: Document) -> dict[str, Document]:
    """Cards of the respondents, the best first, as many as a page can hold."""
    known = set(documents.source.fit.responses.respondents)
    ranked = next(c["cells"] for c in board["columns"] if c["name"] == "respondent")
    return {name: documents.respondent(name) for name in ranked[:_MOST_CARDS] if name in known}


def _answers(fit: FitResult, places: "np.typing.NDArray[np.intp]") -> tuple[Document | None, bytes]:
    """Answers to these items in 16 bits each, all low bytes first; None where they are too many."""
    if len(places) * fit.responses.shape[0] > _MOST_CELLS:
        return None, b""
    order = np.argsort(-np.asarray(fit.estimates.abilities, dtype=float), kind="stable")
    values = fit.responses.take(columns=places.tolist()).array()[order].T
    is_known = np.isfinite(values)
    low, high = (float(f(values[is_known])) for f in (np.min, np.max)) if is_known.any() else (0, 1)
    width = (high - low) or 1.0
    steps = np.full(values.shape, _STEPS + 1, dtype=np.uint16)
    steps[is_known] = np.rint((values[is_known] - low) / width * _STEPS).astype(np.uint16)
    layout = {
        "respondents": [fit.responses.respondents[each] for each in order],
        "steps": _STEPS,
        "lower": low,
        "width": width,
    }
    halves = [part.astype(np.uint8).tobytes() for part in (steps % 256, steps // 256)]
    return layout, b"".join(halves)
