"""What commands that train estimators on a table are told, and how they train."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from itemcurve.cli.options.config_file import take_config

Pool = Annotated[
    str,
    typer.Option(
        metavar="MODELS",
        help="standard, families, random:N, names of their members with semicolons between, or "
        "code of your own as models.py:pool.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Column to predict; when left out the one called target, label, class, y or outcome.",
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Column not to use; may be repeated."),
]

Repeats = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Cross-validations, each with other folds, that judge labels together: how firm a "
        "suspicion is.",
    ),
]


@dataclass(frozen=True)
class TableOptions:
    """What is predicted from what."""

    table: Annotated[
        str,
        typer.Argument(
            help="One row per instance: .csv, .tsv or .parquet; or breast_cancer, diabetes, "
            "digits, iris, wine."
        ),
    ]
    target: Target = None
    drop: Drop = None


@dataclass(frozen=True)
class SourceOptions:
    """A table to train on, or a table of predictions."""

    table: Annotated[
        str | None,
        typer.Argument(
            help="One row per instance: .csv, .tsv or .parquet; or breast_cancer, diabetes, "
            "digits, iris, wine.",
            show_default=False,
        ),
    ] = None
    # Right after the table: whether one was given decides whether the folder's own file is read.
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            callback=take_config,
            help="Settings in TOML; without a table or predictions, itemcurve.toml.",
        ),
    ] = None
    predictions: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Instead of a table to train on: a table with the target and one column of "
            "answers per model (labels, probabilities of the second class, or model:class).",
        ),
    ] = None
    target: Target = None
    drop: Drop = None
    groups: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Rows of one value are never on both sides."),
    ] = None
    weights: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Weights of rows in training.")
    ] = None

    def check(self) -> None:
        """Raise unless there is one source."""
        from itemcurve.errors import EvaluationError

        if (self.table is None) == (self.predictions is None):
            given = "none" if self.table is None else "both"
            raise EvaluationError(
                "Give a table to train on, or --predictions of models that exist;",
                f"given is {given}.",
                "Use 'data.csv --target label', or '--predictions preds.csv --target label'.",
            )
        if self.predictions is not None and (self.groups or self.weights):
            raise EvaluationError(
                "--groups and --weights are about training;",
                "with --predictions nothing is trained.",
                "Leave them out.",
            )


@dataclass(frozen=True)
class TrainingOptions:
    """How estimators are trained."""

    seed: Annotated[int, typer.Option(help="Of splits, noise and all estimators.")] = 0
    jobs: Annotated[int, typer.Option(help="Processes at a time; -1 for all cores.")] = -1
    cache: Annotated[
        Path | None,
        typer.Option(
            help="Folder that keeps predictions for later runs; without it they are kept beside "
            "--out until the run is complete."
        ),
    ] = None

    @contextmanager
    def training(self, out: Path | None, is_shown: bool, **progress: Any) -> Iterator[Any]:
        """Give the settings of an evaluation, whose finished parts outlive an interruption.

        Parameters
        ----------
        is_shown : whether to show how far it got; `progress` as for `training_progress`.
        """
        from itemcurve.cli.interruptions import interruptible, kept_in
        from itemcurve.cli.progress import training_progress
        from itemcurve.evaluation.collecting.answer_cache import temporary_cache

        with (
            temporary_cache(self.cache, out) as kept,
            interruptible(lambda: kept_in(kept, "predictions", "--out or --cache")),
            training_progress(is_shown, **progress) as report,
        ):
            # Without a report of its own a command shows none: not the bar of Python's users.
            watched = report or False
            yield {"seed": self.seed, "n_jobs": self.jobs, "cache": kept, "progress": watched}
