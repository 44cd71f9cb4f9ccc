"""The report on judges, as text and as JSON.

`judges`::

    itemcurve, command, run    version; "judges"; the run folder, null when not saved
    model            as "grm"
    status           {name, message, is_converged, iterations}
    in_words         [sentences]
    spreads          standard deviations of respondents, items, answers, tastes
    judges           [{rater, severity, severity_se, discrimination, …, flags: []}]
    respondents      [{respondent, ability, ability_se, fair_rating, …}], highest first
    agreement        [{rater, other, shared, exact, agreement, agreement_corrected}]
    findings         [{code, title, severity, message, advice, concerned}]
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, number

if TYPE_CHECKING:
    from rich.console import Console

    from itemcurve.analysis.judges.judge_report import JudgeReport

_MOST_ROWS = 20


def describe(report: "JudgeReport", run: Path | None) -> dict[str, Any]:
    """Give the object of a report on judges."""
    fit = report.fit
    rows = report.frame().to_dict("records")
    judges = [{str(name): value for name, value in row.items()} for row in rows]
    for row in judges:
        row["flags"] = [flag for flag in row["flags"].split(", ") if flag]
    ranked = fit.respondents.sort_values("ability", ascending=False, kind="stable")
    return {
        "itemcurve": __version__,
        "command": "judges",
        "run": None if run is None else str(run),
        "model": fit.model,
        "status": {
            "name": fit.status.name.lower(),
            "message": str(fit.status),
            "is_converged": fit.status.is_converged,
            "iterations": fit.iterations,
        },
        "in_words": str(report).splitlines(),
        "spreads": fit.spreads,
        "judges": judges,
        "respondents": ranked.to_dict("records"),
        "agreement": report.agreement().to_dict("records"),
        "findings": report.findings().frame().to_dict("records"),
    }


def print_judges(
    report: "JudgeReport", console: "Console", run: Path | None, respondents: int | None = None
) -> None:
    """Print words, judges and respondents, the first 20 unless told how many."""
    for line in str(report).splitlines():
        console.print(clean(line), soft_wrap=True)
    console.print()
    _print_raters(report, console)
    _print_respondents(report, console, _MOST_ROWS if respondents is None else respondents)
    if run is not None:
        console.print(f"Saved to {run}", soft_wrap=True)


def _print_raters(report: "JudgeReport", console: "Console") -> None:
    table = report.frame()
    severity = zip(table["severity"], table["severity_se"], strict=True)
    follows = zip(table["discrimination"], table["discrimination_se"], strict=True)
    columns = [
        Column("judge", [str(name) for name in table["rater"]]),
        Column("severity\n± se (points)", [estimate(value, error) for value, error in severity]),
        Column("discrimi-\nnation ± se", [estimate(v, e) for v, e in follows], is_optional=True),
        Column("consis-\ntency", [number(value) for value in table["consistency"]]),
        Column("ratings", [f"{value:,}" for value in table["ratings"]], is_optional=True),
        Column("flags", list(table["flags"]), is_text=True),
    ]
    print_table(console, "Judges", columns)


def _print_respondents(report: "JudgeReport", console: "Console", most: int) -> None:
    table = report.fit.respondents.sort_values("ability", ascending=False, kind="stable")
    shown = table.head(most)
    ability = zip(shown["ability"], shown["ability_se"], strict=True)
    fair = zip(shown["fair_rating"], shown["fair_rating_se"], strict=True)
    columns = [
        Column("respondent", [str(name) for name in shown["respondent"]]),
        Column("ability\n± se (sd)", [estimate(value, error) for value, error in ability]),
        Column("fair rating\n± se", [estimate(value, error) for value, error in fair]),
        Column("mean\nrating", [number(value) for value in shown["mean_rating"]]),
    ]
    print_table(console, f"Respondents ({len(shown):,} of {len(table):,})", columns)
