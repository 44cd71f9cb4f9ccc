"""The report: the dashboard of one run, frozen in a file that opens anywhere and loads nothing."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.findings.all_findings import check_codes
from itemcurve.dashboard.bundle import frozen_page
from itemcurve.dashboard.item_card import graded_by_skill, say_suspicion
from itemcurve.dashboard.other_run import freeze_other
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.dashboard.still_page import still_page
from itemcurve.errors import StorageError
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.estimation.groups.population_fit import PopulationFit
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.pairs.pair_fit import PairFit
from itemcurve.reports.curve_data import curve_data
from itemcurve.reports.embedding import embed_bytes
from itemcurve.reports.label_section import item_facts
from itemcurve.reports.numbers import round_number
from itemcurve.reports.other_runs.any_run import other_fit
from itemcurve.reports.source import Source, read_source
from itemcurve.reports.tables import MOST_ROWS
from itemcurve.responses.chosen_options import ChosenOptions
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.json_documents import pack_line
from itemcurve.storage.run_folder import Run, beside_run

if TYPE_CHECKING:
    import pandas

Document = dict[str, Any]
# A page holds so many cards of respondents, and the answers of so many cells.
_MOST_CARDS = 200
_MOST_CELLS = 2_000_000
# Answers in steps; the last number marks that there is none.
_STEPS = 65534
# Bytes in which a page says that it is one.
_HEAD = 1024


def report(
    source: FitResult
    | PopulationFit
    | DimensionsFit
    | Evaluation
    | RaterFit
    | PairFit
    | str
    | PathLike[str],
    path: str | PathLike[str],
    *,
    title: str = "",
    tables: "Mapping[str, pandas.DataFrame] | None" = None,
    notes: Mapping[str, Mapping[str, Any]] | None = None,
    mute: Iterable[str] = (),
) -> Path:
    """Write a fit, or everything a run folder holds, as one self-contained HTML page.

    The page is the dashboard that `itemcurve serve` shows, with the data of this one run inside.

    Parameters
    ----------
    source : a fit (of responses, several abilities, ratings or votes), an evaluation, or the path
        of a run folder; every table that analyses left there is shown. What takes time to compute
        is kept there, for the next report of the same run.
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
    _refuse_other_files(Path(path))
    if isinstance(source, Evaluation):
        # It brings its own tables, and asks again for its fit.
        made: Path = source.report(path, title=title, mute=mute)
        return made
    other = other_fit(source)
    if other is not None:
        write_bytes(Path(path), freeze_other(other, title, mute).encode("utf-8"))
        return Path(path)
    assert not isinstance(source, RaterFit | PairFit | DimensionsFit)
    muted = check_codes(mute)
    found = read_source(source, tables, notes)
    content = freeze(found, title, muted)
    target = Path(path)
    _write(content.encode("utf-8"), target, found.opened)
    if found.kept is not None:
        found.kept.write()
    return target


def _refuse_other_files(target: Path) -> None:
    """Raise where the page would take the place of something that is no page, such as data."""
    # Of a link, the link alone would be replaced.
    if target.is_symlink() or not target.is_file():
        return
    with target.open("rb") as file:
        start = file.read(_HEAD).lower()
    if start and b"<!doctype html" not in start and b"<html" not in start:
        raise StorageError(
            "A report is a new file, or replaces another page;",
            f"{str(target)!r} holds something else.",
            "Choose another path.",
        )


def _write(content: bytes, target: Path, run: Run | None) -> None:
    """Write the page; into the folder of its run only while that is the run it is of."""
    if run is None or target.parent.resolve() != run.path:
        write_bytes(target, content)
        return
    with beside_run(run, target.name) as own:
        write_bytes(own, content)


def freeze(source: Source, title: str = "", muted: frozenset[str] = frozenset()) -> str:
    """Give the dashboard of one run as a page with all that it shows inside."""
    documents = RunDocuments(source, title, muted)
    page = documents.page()
    kept = documents.ranked.head(MOST_ROWS)
    names = kept["item"].tolist()
    curves = curve_data(source.fit, names)
    layout, content = _answers(source.fit, documents.said, kept.index.to_numpy())
    held = {
        "mark": _mark(source.fit),
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
    return frozen_page(page["title"], data, _still(page))


def _mark(fit: FitResult) -> str:
    """Give what tells these answers from others: decisions in a browser are kept under it."""
    means = [round_number(float(mean)) for mean in fit.responses.means(axis=0)]
    names = {"items": fit.responses.items, "respondents": fit.responses.respondents}
    return sha256(pack_line({**names, "means": means}, "the names")).hexdigest()


def _still(page: Document) -> str:
    answers = [f"{tile['question']} {tile['answer']}: {tile['text']}" for tile in page["tiles"]]
    return still_page(page["title"], page["facts"], [*answers, *page["steps"]], page["board"])


def _cards(documents: RunDocuments, kept: "pandas.DataFrame", names: list[str]) -> Document:
    """What cards say beside curves and numbers, by column in the order of the table of items."""
    facts, content = item_facts(documents.source, names), documents.content
    rows: list[Any] = kept.to_dict("records")
    own = [{name: cells[at] for name, cells in facts.items()} for at in range(len(names))]
    is_by_skill = graded_by_skill(documents.source)
    return {
        "facts": facts,
        "words": [content.words.get(name, "") for name in names],
        "groups": [content.groups.get(name, "") for name in names],
        "pictures": {name: content.pictures[name] for name in names if name in content.pictures},
        "suspicions": [
            say_suspicion(row, known, is_by_skill=is_by_skill)
            for row, known in zip(rows, own, strict=True)
        ],
    }


def _respondents(documents: RunDocuments, board: Document) -> dict[str, Document]:
    """Cards of the respondents, the best first, as many as a page can hold."""
    known = set(documents.source.fit.responses.respondents)
    ranked = next(c["cells"] for c in board["columns"] if c["name"] == "respondent")
    return {name: documents.respondent(name) for name in ranked[:_MOST_CARDS] if name in known}


def _answers(
    fit: FitResult, said: ChosenOptions | None, places: "np.typing.NDArray[np.intp]"
) -> tuple[Document | None, bytes]:
    """Answers to these items in 16 bits each, all low bytes first; None where they are too many.

    What was said comes after, in 16 bits as well, where it is known.
    """
    if len(places) * fit.responses.shape[0] > _MOST_CELLS:
        return None, b""
    order = np.argsort(-np.asarray(fit.estimates.abilities, dtype=float), kind="stable")
    values = fit.responses.take(columns=places.tolist()).array()[order].T
    is_known = np.isfinite(values)
    low, high = (float(f(values[is_known])) for f in (np.min, np.max)) if is_known.any() else (0, 1)
    width = (high - low) or 1.0
    steps = np.full(values.shape, _STEPS + 1, dtype=np.uint16)
    steps[is_known] = np.rint((values[is_known] - low) / width * _STEPS).astype(np.uint16)
    layout: Document = {
        "respondents": [fit.responses.respondents[each] for each in order],
        "steps": _STEPS,
        "lower": low,
        "width": width,
        "options": [],
    }
    planes = [steps]
    if said is not None and len(said.options) <= _STEPS:
        layout["options"] = list(said.options)
        chosen = said.chosen[np.ix_(order, places)].T
        planes.append(np.where(chosen < 0, _STEPS + 1, chosen).astype(np.uint16))
    halves = [part for plane in planes for part in (plane % 256, plane // 256)]
    return layout, b"".join(half.astype(np.uint8).tobytes() for half in halves)
