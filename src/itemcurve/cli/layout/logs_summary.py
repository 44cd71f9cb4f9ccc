"""How folders of logs are shown: tables for people, one object for machines."""

from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, number

if TYPE_CHECKING:
    from rich.console import Console

    from itemcurve.logs.table.log_summary import MeasureSummary
    from itemcurve.logs.table.long_table import LogResponses

_MOST_PROBLEMS = 20


def describe_logs(table: "LogResponses") -> dict[str, Any]:
    """Give the object that `itemcurve import --json` prints."""
    summary = table.summary()
    return {
        "itemcurve": __version__,
        "command": "import",
        "respondents": list(table.respondents),
        "measures": [vars(measure) for measure in summary.measures],
        "errors": summary.errors,
        "superseded": summary.superseded,
        "collisions": [vars(collision) for collision in table.collisions],
        "files": [vars(note) for note in table.files],
    }


def print_logs(table: "LogResponses", console: "Console") -> None:
    """Print what is there: metrics by task, respondents, then every file with its reason."""
    measures = table.summary().measures
    if measures:
        columns = [
            Column("task", [measure.task for measure in measures]),
            Column("metric", [_metric(measure) for measure in measures], is_text=True),
            Column("models", [str(measure.respondents) for measure in measures]),
            Column("items", [str(measure.items) for measure in measures]),
            Column(
                "repeats", [str(measure.most_repeats) for measure in measures], is_optional=True
            ),
            Column("mean", [number(measure.mean, 3) for measure in measures], is_optional=True),
            Column("missing", [str(measure.unscored) for measure in measures], is_optional=True),
        ]
        print_table(console, "Metrics (* taken when none is named)", columns)
    names = ", ".join(clean(name) for name in table.respondents)
    console.print(f"Respondents ({len(table.respondents)}): {names}", soft_wrap=True)
    counts = table.summary().files
    console.print(
        "Files: " + ", ".join(f"{count} {status}" for status, count in counts.items()),
        soft_wrap=True,
    )
    print_problems(table, console, most=None)


def print_problems(
    table: "LogResponses", console: "Console", most: int | None = _MOST_PROBLEMS
) -> None:
    """Print failures, collisions and files with problems, one line each."""
    summary = table.summary()
    lines = [f"{task}: {count} samples failed: missing" for task, count in summary.errors.items()]
    if summary.superseded:
        lines.append(f"{summary.superseded} rows of earlier runs give way to newer ones")
    lines += [
        f"Collision ({found.kind}): {found.where}: {found.detail}" for found in table.collisions
    ]
    lines += [f"{note.path}: {note.status}: {note.reason}" for note in summary.problems]
    for line in lines if most is None else lines[:most]:
        console.print(clean(line), soft_wrap=True)
    if most is not None and len(lines) > most:
        console.print(f"… and {len(lines) - most} more; --list shows all", soft_wrap=True)


def _metric(measure: "MeasureSummary") -> str:
    parts = [measure.metric, measure.filter, measure.group]
    shown = ", ".join(clean(part) for part in parts if part not in ("", "none"))
    return f"{'*' if measure.is_default else ' '} {shown}"
