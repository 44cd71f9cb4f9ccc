"""What the sections of the page show, gathered from the fit and its analyses."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.curves.information_curves import information_curves
from itemcurve.analysis.curves.wright_map import wright_map
from itemcurve.analysis.findings.all_findings import Evidence
from itemcurve.analysis.items.verdicts import LABEL_ERROR, SUSPECT, VERDICTS
from itemcurve.analysis.respondents.leading_respondents import leading_respondents
from itemcurve.analysis.respondents.order_words import RankedBy
from itemcurve.estimation.result import FitResult
from itemcurve.models.contract import ItemModel
from itemcurve.models.parameters import Role
from itemcurve.reports.difference_section import (
    CURVES,
    DIFFERENCES,
    draw_differences,
)
from itemcurve.reports.drawings import BarDrawing, LineDrawing, draw_line, draw_wright_map
from itemcurve.reports.respondent_pictures import Picture
from itemcurve.reports.source import Source
from itemcurve.reports.tables import PageTable, page_table

if TYPE_CHECKING:
    import pandas

_SHOWN_METRICS = ("accuracy", "brier", "log_loss", "auc", "mae", "rmse", "r2")
_BOARD_KINDS = {"interval": "interval", "respondent": "respondent"}
# Beside a location, the intercept that it was estimated by says nothing new.
_SHOWN_ROLES = (Role.SLOPE, Role.LOCATION, Role.THRESHOLD, Role.ASYMPTOTE, Role.SPREAD)


@dataclass(frozen=True)
class AnalysisSection:
    """One analysis of the run folder."""

    key: str
    title: str
    notes: list[tuple[str, str]]
    table: PageTable
    pictures: tuple[Picture, ...] = ()


def count_verdicts(evidence: Evidence) -> dict[str, int]:
    """Count items by verdict, in the order in which verdicts are told."""
    counts = Counter(evidence.verdicts["verdict"])
    return {word: counts[word] for word in dict.fromkeys([*VERDICTS, *counts]) if word in counts}


def rank_items(evidence: Evidence) -> "pandas.DataFrame":
    """Give all items with what is known of each, suspect ones first; the index is their place."""
    fit = evidence.fit
    table = fit.items[["item"]].copy()
    table["verdict"] = evidence.verdicts["verdict"]
    model = fit.estimates.model
    held = {spec.name for spec in model.parameters if not spec.is_free}
    for name in _shown_columns(model):
        if name not in held:
            table[name] = fit.items[name]
            table[f"{name}_se"] = fit.items[f"{name}_se"]
    if fit.slopes.name not in table:
        table[fit.slopes.name] = fit.slopes.values
    urgency = "probability_negative"
    table[urgency] = evidence.verdicts[urgency]
    if LABEL_ERROR in evidence.verdicts:
        urgency = LABEL_ERROR
        table[urgency] = evidence.verdicts[urgency]
    table["mean_response"] = fit.items["mean_response"]
    table["outfit"] = evidence.item_fit.outfit
    if np.isfinite(evidence.item_fit.p_value).any():
        table["fit_p"] = evidence.item_fit.p_value
    is_suspect = table["verdict"] == SUSPECT
    order = np.lexsort((-table[urgency].fillna(0.0), ~is_suspect))
    # Held slopes have no sign to doubt, numbers no labels.
    silent = [name for name in ("probability_negative",) if fit.slopes.name in held]
    silent += [name for name in (LABEL_ERROR,) if name in table and table[name].isna().all()]
    return table.iloc[order].drop(columns=silent)


def _shown_columns(model: ItemModel) -> list[str]:
    """Reported columns in the order of what they are; of locations only the first."""
    found = [name for role in _SHOWN_ROLES for name, own in model.columns.items() if own is role]
    others = [name for name, own in model.columns.items() if own is Role.LOCATION][1:]
    return [name for name in found if name not in others]


def respondent_table(fit: FitResult, leaderboard: "pandas.DataFrame | None") -> PageTable:
    """Gather respondents by ability with intervals as places between the ends of the scale."""
    ranked = leading_respondents(fit, tiers=leaderboard)
    ends = ranked["lower"].min(), ranked["upper"].max()
    width = max(float(ends[1] - ends[0]), 1e-12)
    places = [
        [round(1000 * (value - ends[0]) / width) for value in row]
        for row in ranked[["lower", "shown", "upper"]].to_numpy()
    ]
    means = fit.respondents.set_index("respondent").loc[ranked["respondent"]]
    columns: dict[str, Any] = {
        "rank": ranked["rank"],
        "respondent": ranked["respondent"],
        "interval": places,
        # Below a thousandth of a unit an ability is 0 to a reader.
        "ability": ranked["shown"].round(3),
        "lower": ranked["lower"].round(3),
        "upper": ranked["upper"].round(3),
        "mean_response": means["mean_response"].to_numpy(),
        "responses": means["responses"].to_numpy(),
    }
    if leaderboard is not None:
        columns["tier"] = ranked["tier"]
    if means["flags"].any():
        columns["flags"] = means["flags"].to_numpy()
    import pandas

    return page_table(pandas.DataFrame(columns), "respondents", "Leaderboard", _BOARD_KINDS)


def skill_table(board: "pandas.DataFrame", ranked_by: RankedBy = "skill") -> PageTable:
    """Gather a leaderboard, references without ranks: by skill at their places, else below."""
    import pandas

    table = board
    if ranked_by == "skill":
        table = board.sort_values("skill", ascending=False, kind="stable", ignore_index=True)
    columns: dict[str, Any] = {
        "rank": [_whole(rank, "reference") for rank in table["rank"]],
        "respondent": table["respondent"],
        "tier": [_whole(tier, "") for tier in table["tier"]],
    }
    ability = {"ability": table["ability"], "ability_se": table["ability_se"]}
    if ranked_by == "skill":
        columns["interval"] = _places(table)
    else:
        columns |= ability
    columns["skill"] = table["skill"].astype(float).round(3)
    if ranked_by == "skill":
        columns["behind_best"] = table["behind_best"].astype(float).round(3)
    for name in _SHOWN_METRICS:
        if name in table and table[name].notna().any():
            columns[name] = table[name]
    if "calibration" in table:
        columns["calibration"] = table["calibration"]
    columns |= ability
    return page_table(pandas.DataFrame(columns), "respondents", "Leaderboard", _BOARD_KINDS)


def _places(table: "pandas.DataFrame") -> list[list[int]]:
    """Ends of intervals of skill as places between the lowest and the highest."""
    ends = table["skill_lower"].min(), table["skill_upper"].max()
    width = max(float(ends[1] - ends[0]), 1e-12)
    return [
        [round(1000 * min(max((value - ends[0]) / width, 0.0), 1.0)) for value in row]
        for row in table[["skill_lower", "skill", "skill_upper"]].to_numpy(float)
    ]


def _whole(value: Any, missing: str) -> str:
    return missing if value is None or value != value else str(int(value))


def scale_drawings(fit: FitResult) -> tuple[LineDrawing, BarDrawing]:
    """Draw the information of the test, and where respondents and items lie."""
    curves = information_curves(fit)
    axis = curves.axis
    line = draw_line(
        axis.shown(axis.points),
        curves.test,
        (axis.label, "information"),
        "Information of the whole test about ability",
    )
    return line, draw_wright_map(wright_map(fit))


def analysis_sections(source: Source) -> list[AnalysisSection]:
    """Give one section per table that analyses left."""
    sections = []
    for place, analysis in enumerate(source.shown, 1):
        # A name that is no id in HTML gets a number instead.
        is_plain = re.fullmatch(r"[A-Za-z0-9_-]+", analysis.name)
        key = f"analysis-{analysis.name if is_plain else place}"
        kinds = {"item": "item"} if "item" in analysis.frame.columns else {}
        # How an evaluation was made is told among the methods.
        told = {} if analysis.name == "evaluation" else analysis.notes
        notes = [(str(name).replace("_", " "), _note(v)) for name, v in told.items()]
        table = page_table(analysis.frame, key, analysis.title, kinds)
        pictures: list[Picture] = []
        if analysis.name == DIFFERENCES:
            pictures = draw_differences(source.table(CURVES), analysis.frame)
        sections.append(AnalysisSection(key, analysis.title, notes, table, tuple(pictures)))
    return sections


def _note(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_note(own)}" for name, own in value.items())
    if isinstance(value, list):
        return ", ".join(_note(own) for own in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)
