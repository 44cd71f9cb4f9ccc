"""What commands that train estimators on a table are told, and how they train."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer


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
    target: Annotated[str, typer.Option(help="Column to predict.")] = "target"
    drop: Annotated[list[str] | None, typer.Option(help="Column not to use; may be repeated.")] = (
        None
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
            yield {"seed": self.seed, "n_jobs": self.jobs, "cache": kept, "report": report}
