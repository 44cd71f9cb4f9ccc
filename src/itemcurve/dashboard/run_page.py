"""A run as one document: what its pages say, their tables and their pictures."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from zlib import crc32

from itemcurve import __version__
from itemcurve.analysis.curves.ability_axis import ability_axis
from itemcurve.analysis.findings.all_findings import Evidence, Findings
from itemcurve.analysis.items.verdicts import LABEL_ERROR, SUSPECT
from itemcurve.analysis.respondents.ranking import Ranking, ranking
from itemcurve.dashboard.pair_matrix import pair_matrix
from itemcurve.dashboard.plain_tables import plain_frame, plain_table
from itemcurve.dashboard.terms import GLOSSARY
from itemcurve.reports.difference_section import DIFFERENCES, difference_steps
from itemcurve.reports.evaluation_text import (
    BY_ABILITY,
    SKILL_COLUMNS,
    ranked_by,
    say_order,
    summarise_evaluation,
)
from itemcurve.reports.headline import (
    Tile,
    advise,
    answer_best,
    answer_items,
    answer_numbers,
    answer_trust,
    make_heading,
)
from itemcurve.reports.interval_picture import draw_abilities, draw_ranks, draw_skills
from itemcurve.reports.label_section import item_facts, label_table, say_classes
from itemcurve.reports.methods_text import (
    describe_evaluation,
    describe_methods,
    reproduce_command,
)
from itemcurve.reports.respondent_pictures import draw_against_accuracy, draw_calibration
from itemcurve.reports.sections import (
    analysis_sections,
    count_verdicts,
    rank_items,
    respondent_table,
    scale_drawings,
    skill_table,
)
from itemcurve.reports.source import Source
from itemcurve.reports.summary import Summary, summarise

if TYPE_CHECKING:
    import pandas

Document = dict[str, Any]
# Beyond the suspect ones, so many are worth a look.
_NEXT = 30
_SKETCHED = 64


def run_page(source: Source, title: str, evidence: Evidence, found: Findings) -> Document:
    """Give what a run's pages say, the cards of single items and respondents aside."""
    fit = source.fit
    order, board = ranking(fit), _skill_board(source)
    counts = count_verdicts(evidence)
    labels = label_table(source)
    tiles = _tiles(source, board, order, found, counts, labels is not None)
    return {
        "version": __version__,
        **asdict(make_heading(source, title)),
        "tiles": [asdict(tile) for tile in tiles],
        "steps": advise(board, tiles, found, _split(source), ranked_by(source))
        + difference_steps(source.notes(DIFFERENCES), source.table(DIFFERENCES, "flagged")),
        "summary": asdict(_summary(source, board, order, counts, found)),
        "findings": [plain_finding(each) for each in found],
        **_board(source, board, order),
        "has_labels": labels is not None,
        "labels_are": say_classes(source),
        "classes": _classes(source),
        "is_numeric": _is_numeric(board),
        "worklist": _to_check(source, evidence, board) if labels is None else plain_table(labels),
        "verdicts": counts,
        "scale": [asdict(drawing) for drawing in scale_drawings(fit)],
        "analyses": [
            {
                "key": section.key,
                "title": section.title,
                "notes": section.notes,
                "pictures": [asdict(picture) for picture in section.pictures],
                "table": plain_table(section.table),
            }
            for section in analysis_sections(source)
        ],
        "methods": describe_evaluation(source.notes("evaluation")) + describe_methods(fit),
        "command": _command(source),
        "glossary": dict(GLOSSARY),
    }


def _split(source: Source) -> str:
    return str(source.notes("evaluation").get("split") or "")


def brief_page(source: Source, evidence: Evidence, found: Findings) -> Document:
    """Give what a list of runs says of one: heading, three answers, sizes."""
    order, board = ranking(source.fit), _skill_board(source)
    counts, labels = count_verdicts(evidence), label_table(source)
    tiles = _tiles(source, board, order, found, counts, labels is not None)
    respondents, items = source.fit.responses.shape
    return {
        **asdict(make_heading(source, "")),
        "tiles": [asdict(tile) for tile in tiles],
        "model": source.fit.model,
        "respondents": respondents,
        "items": items,
        "sketch": _sketch(source.fit.responses.items),
    }


def _sketch(items: Sequence[str]) -> list[int]:
    """The lowest marks of item names: runs that have one in common share items."""
    return sorted({crc32(name.encode("utf-8")) for name in items})[:_SKETCHED]


def _command(source: Source) -> str:
    """The command that makes the run again; none of an evaluation that was made in Python."""
    known = source.notes("evaluation")
    return str(known.get("command") or "") or (
        "" if known else reproduce_command(source.fit, source.run)
    )


def _classes(source: Source) -> Document | None:
    """The table of classes, where there are labels."""
    frame = source.table("classes", "class", "rows", "share_right")
    if frame is None:
        return None
    who = str(source.notes("classes").get("respondent") or "")
    return plain_frame(
        frame, "classes", f"Class by class, as {who} sees them" if who else "Classes"
    )


def _tiles(
    source: Source,
    board: "pandas.DataFrame | None",
    order: Ranking,
    found: Findings,
    counts: dict[str, int],
    has_labels: bool,
) -> tuple[Tile, Tile, Tile]:
    """Who is best, what to check, whether to trust it."""
    return (
        answer_best(board, order, ranked_by(source)),
        answer_numbers(source.fit, found)
        if _is_numeric(board)
        else answer_items(source, counts, has_labels),
        answer_trust(source.fit, found),
    )


def _is_numeric(board: "pandas.DataFrame | None") -> bool:
    """Whether answers are numbers, of which none is a wrong label."""
    return board is not None and "mae" in board


def _to_check(source: Source, evidence: Evidence, board: "pandas.DataFrame | None") -> Document:
    """Items to check where labels are not known: suspect ones, and those next in line.

    Of numbers, those that are forecast worst; nothing where nothing tells them apart.
    """
    ranked = rank_items(evidence)
    if _is_numeric(board):
        ranked = ranked.sort_values("mean_response", ascending=False, kind="stable")
    elif not {"probability_negative", LABEL_ERROR} & set(ranked.columns):
        ranked = ranked.head(0)
    number = int((ranked["verdict"] == SUSPECT).sum()) + _NEXT
    names = ["item", "probability_negative", LABEL_ERROR, "mean_response", "verdict"]
    kept = ranked.head(number)[[name for name in names if name in ranked]]
    kept = kept.assign(**item_facts(source, kept["item"].astype(str).tolist()))
    return plain_frame(kept, "worklist", "Items to check", item="item", verdict="verdict")


def _skill_board(source: Source) -> "pandas.DataFrame | None":
    return source.table("leaderboard", "respondent", "rank", "tier", *SKILL_COLUMNS)


def _board(source: Source, board: "pandas.DataFrame | None", order: Ranking) -> Document:
    fit = source.fit
    if board is None:
        table = respondent_table(fit, source.table("leaderboard", "respondent", "tier"))
        picture, names, words = draw_abilities(fit, order), list(order.respondents), BY_ABILITY
    else:
        by, words = ranked_by(source), say_order(source)
        is_drawn = by == "ability" and "ability_lower" in board
        table = skill_table(board, by)
        picture = draw_ranks(board, ability_axis(fit).label) if is_drawn else draw_skills(board)
        names = board[board["rank"].notna()]["respondent"].astype(str).tolist()
    return {
        "board": plain_table(table),
        "order": words,
        "intervals": asdict(picture),
        "pictures": _pictures(source, board),
        "pairs": pair_matrix(fit, names),
    }


def _pictures(source: Source, board: "pandas.DataFrame | None") -> list[Document]:
    if board is None:
        return []
    best = board[board["rank"].notna()]["respondent"].astype(str).tolist()
    curves = source.table("calibration", "respondent", "stated", "right", "items")
    drawn = (draw_against_accuracy(board), draw_calibration(curves, best))
    return [asdict(picture) for picture in drawn if picture is not None]


def _summary(
    source: Source,
    board: "pandas.DataFrame | None",
    order: Ranking,
    counts: dict[str, int],
    found: Findings,
) -> Summary:
    if board is None:
        return summarise(source.fit, order, counts, found)
    return summarise_evaluation(source.fit, board, source, found)


def plain_finding(found: Any) -> Document:
    """Give a finding as a document."""
    names = ("code", "title", "severity", "message", "advice")
    document: Document = {name: str(getattr(found, name)) for name in names}
    document["concerned"] = [str(name) for name in found.concerned]
    return document
