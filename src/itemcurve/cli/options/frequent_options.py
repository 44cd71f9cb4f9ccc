"""Options and arguments that several commands have, each written once."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.options.choices import FormatChoice, LayoutChoice

Run = Annotated[Path, typer.Argument(help="Run folder that `itemcurve fit` or `evaluate` wrote.")]
RunToWrite = Annotated[
    Path | None,
    typer.Option("--out", help="Run folder to write; a former run there is replaced."),
]
ScoresToWrite = Annotated[Path | None, typer.Option("--out", help="CSV file of scores to write.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing but warnings and errors.")
]
Keep = Annotated[
    bool, typer.Option("--keep", help="Store the tables in the run folder, for its report.")
]
Mute = Annotated[
    list[str] | None,
    typer.Option(metavar="CODE", help="Finding to leave out, as IRT005; may be repeated."),
]
Layout = Annotated[
    LayoutChoice, typer.Option(help="One row per response (long) or per respondent (wide).")
]
ModelName = Annotated[str, typer.Option(help="As 2pl, grm, beta3 or gamma.")]
Format = Annotated[
    FormatChoice,
    typer.Option(
        help="One id per line; JSON; the value of `lm_eval --samples` or of "
        "`inspect eval --sample-id`."
    ),
]
Cache = Annotated[
    bool, typer.Option("--cache/--no-cache", help="Read only files that changed since.")
]
ModelInLogs = Annotated[
    str | None, typer.Option(help="Whose answers to take, where logs hold several models.")
]

# Of scores from few items.
Calibration = Annotated[
    Path,
    typer.Argument(help="Responses of models evaluated before, or the run folder of their fit."),
]
Groups = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|task",
        help="Groups of items: a CSV file with columns item and group, or the tasks of the logs.",
    ),
]
Weights = Annotated[
    Path | None, typer.Option(help="Weights in the score: CSV file with columns item and weight.")
]
ItemsFile = Annotated[
    Path | None,
    typer.Option(
        "--items",
        help="List of items that `itemcurve import` wrote; the one beside the responses or the "
        "session if left out.",
    ),
]

Picture = Annotated[
    Path | None, typer.Option(help="File to draw the result to: .png, .svg or .pdf.")
]
