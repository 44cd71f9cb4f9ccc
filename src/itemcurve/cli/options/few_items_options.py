"""Options that the commands for scores from few items share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class FormatChoice(StrEnum):
    """How items are printed."""

    TEXT = "text"
    JSON = "json"
    LM_EVAL = "lm-eval"
    INSPECT = "inspect"


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
        help="List of items that `itemcurve import` wrote; the one beside the responses if left "
        "out.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
