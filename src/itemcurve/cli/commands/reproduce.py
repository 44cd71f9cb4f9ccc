"""`itemcurve reproduce`: the studies behind the project, run again."""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import pandas

    from itemcurve.studies.contract import StudyResult

EXAMPLE = "Example: itemcurve reproduce llm --out llm"
# Name of a study -> module and function; loaded when asked for.
STUDIES: Mapping[str, tuple[str, str]] = {
    "adaptive": ("itemcurve.studies.adaptive", "reproduce_adaptive"),
    "beta3": ("itemcurve.studies.beta3", "reproduce_beta3"),
    "confusion": ("itemcurve.studies.confusion", "reproduce_confusion"),
    "gamma": ("itemcurve.studies.gamma", "reproduce_gamma"),
    "llm": ("itemcurve.studies.llm", "reproduce_llm"),
    "robustness": ("itemcurve.studies.robustness", "reproduce_robustness"),
}
# Repetitions with which a study takes a few minutes at most.
QUICK_SEEDS: Mapping[str, int] = {"adaptive": 3, "confusion": 3, "gamma": 4, "llm": 2}

# Longer tables are the data of figures: for files, not for terminals.
_MOST_ROWS = 60


def reproduce_command(
    study: Annotated[str, typer.Argument(help=f"One of: {', '.join(STUDIES)}.")],
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
) -> None:
    """Run a study and compare what it finds with what was claimed."""
    from itemcurve.cli.interruptions import interruptible, kept_in
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.errors import ModelError

    if study not in STUDIES:
        raise ModelError(
            f"A study is one of {', '.join(STUDIES)}.", f"Got {study!r}.", "Choose one of these."
        )
    module, name = STUDIES[study]
    run = getattr(import_module(module), name)
    settings: dict[str, bool | int] = {**_quick_settings(run)} if quick else {}
    if rows is not None:
        _refuse_rows(study, run)
        settings["rows"] = rows
    folder = data or Path(os.environ.get("ITEMCURVE_DATA", "."))
    console = messages()
    work = None if out is None else out / "work"
    with interruptible(lambda: kept_in(work, "finished parts", "--out")):
        result = run(
            folder,
            seeds=QUICK_SEEDS.get(study) if quick and seeds is None else seeds,
            report=lambda line: console.print(line, soft_wrap=True),
            work=work,
            **settings,
        )
        if out is not None:
            result.save(out)
    _print(result, out, is_json=json)


def _quick_settings(run: Callable[..., "StudyResult"]) -> dict[str, bool]:
    """Ask for the small form of a study that has one; others take fewer repetitions."""
    return {"quick": True} if "quick" in signature(run).parameters else {}


def _refuse_rows(study: str, run: Callable[..., "StudyResult"]) -> None:
    from itemcurve.errors import ModelError

    if "rows" not in signature(run).parameters:
        raise ModelError(
            "Rows can be chosen where a study takes a sample of its data sets.",
            f"The study {study} takes all of them.",
            "Leave --rows out.",
        )


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
        if "verdict" in table:
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
        parts = (("paper", row["paper"]), ("here", row["measured"]), ("cause", row["cause"]))
        for word, text in parts:
            if text:
                console.print(Padding(Text(f"{word}: {text}"), (0, 0, 0, 4)))
    console.print()


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
