"""`itemcurve export`: tables of a run as CSV, Markdown or LaTeX, and a section for a model card."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.options.frequent_options import Json, Run

EXAMPLE = "Example: itemcurve export run leaderboard.md audit.csv model_card.md"


def export_command(
    run: Run,
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Files to write, named after what they hold: leaderboard, audit, suspects, "
            "findings, respondents or items as .csv, .md or .tex; of ratings and votes also "
            "judges, agreement, effects; model_card.md, report.html."
        ),
    ],
    respondent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose model card; the first when left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Write tables of a run as CSV, Markdown, LaTeX; a model card."""
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.exchange.run_exports import check_exports, export_run

    check_exports(files)
    written = export_run(run, files, respondent)
    if json:
        print_json({"command": "export", "run": str(run), "written": [str(p) for p in written]})
        return
    console = output()
    for path in written:
        console.print(f"Saved to {path}", soft_wrap=True)
