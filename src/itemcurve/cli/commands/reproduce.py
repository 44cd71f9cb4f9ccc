"""`itemcurve reproduce`: the studies behind the project, run again."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.layout.data_check import print_data_check

if TYPE_CHECKING:
    import pandas

    from itemcurve.cli.installed_studies import StudyResult

EXAMPLE = "Example: itemcurve reproduce llm --out llm"
# Longer tables are the data of figures: for files, not for terminals.
_MOST_ROWS = 60


def reproduce_command(
    study: Annotated[
        str,
        typer.Argument(
            help="One that is installed; itemcurve-studies has adaptive, beta3, confusion, gamma, "
            "llm and robustness."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder for tables, pictures and finished parts.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="Folder with published data; else ITEMCURVE_DATA.")
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Repetitions, for a quick look.")] = None,
    rows: Annotated[
        int | None,
        typer.Option(min=0, help="Rows of a data set at most, 0 for all; where a study samples."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A smaller form that takes a few minutes.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    data_check: Annotated[
        bool,
        typer.Option(
            "--data-check",
            help="Run nothing: list the files it reads, which are missing, where they come from.",
        ),
    ] = False,
) -> None:
    """Run a study and compare what it finds with what was claimed."""
    from itemcurve.cli.installed_studies import load_evaluation
    from itemcurve.cli.interruptions import interruptible, kept_in
    from itemcurve.cli.layout.terminal import messages

    run = load_evaluation(study)
    folder = data or Path(os.environ.get("ITEMCURVE_DATA", "."))
    if data_check:
        print_data_check(study, run, folder, is_json=json)
        return
    console = messages()
    work = None if out is None else out / "work"
    with interruptible(lambda: kept_in(work, "finished parts", "--out")):
        result = run(
            folder,
            seeds=seeds,
            rows=rows,
            quick=quick,
            report=lambda line: console.print(line, soft_wrap=True),
            work=work,
        )
        if out is not None:
            result.save(out)
    _print(result, out, is_json=json)


def _print(result: "StudyResult", out: Path | None, *, is_json: bool) -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.storage.tables import pack_table

    if is_json:
        packed = {name: pack_table(table, name) for name, table in result.tables.items()}
        print_json({"title": result.title, "notes": dict(result.notes), "tables": packed})
        return
    console = output()
    console.print(result.title, style="bold", soft_wrap=True)
    for name, table in result.tables.items():
        if {"claim", "verdict"} <= set(table.columns):
            _print_claims(name, table)
        elif len(table) <= _MOST_ROWS:
            _print_frame(name, table)
        else:
            console.print(f"{name}: {len(table):,} rows, saved with --out", soft_wrap=True)
    if out is not None:
        console.print(f"Saved to {out}", soft_wrap=True)


def _print_claims(title: str, table: "pandas.DataFrame") -> None:
    """Print claims as paragraphs: in a table of long texts the verdicts would have no room."""
    from rich.padding import Padding
    from rich.text import Text

    from itemcurve.cli.layout.terminal import output

    console = output()
    console.print(title, style="bold", soft_wrap=True)
    for row in table.to_dict("records"):
        star = " ★" if row["is_headline"] else ""
        console.print(Text(f"{row['claim']}{star} {row['verdict']}: {row['statement']}"))
        parts = (
            ("paper", row["paper"]),
            ("here", row["measured"]),
            ("cause", row["cause"]),
            ("by the paper's own protocol", _say_second(row)),
        )
        for word, text in parts:
            if text:
                console.print(Padding(Text(f"{word}: {text}"), (0, 0, 0, 4)))
    console.print()


def _say_second(row: "dict[Any, Any]") -> str:
    """The second verdict, of studies that have one."""
    told = [row.get(name, "") for name in ("paper_verdict", "paper_measured", "interval")]
    return "; ".join(str(part) for part in told if part)


def _print_frame(name: str, table: "pandas.DataFrame") -> None:
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import number, output

    columns = [
        Column(
            str(header),
            [number(v, 3) if isinstance(v, float) else str(v) for v in table[header]],
            is_text=table[header].dtype.kind not in "fi",
        )
        for header in table.columns
    ]
    print_table(output(), name, columns)
