"""What is read from logs: which measures count, and what the columns of foreign tables mean."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from itemcurve.logs.formats.columns import LogColumns


def _column(what: str) -> Any:
    return typer.Option(metavar="COLUMN", help=f"{what}, in tables that no harness wrote.")


@dataclass(frozen=True)
class ColumnOptions:
    """Columns of tables that no harness wrote."""

    respondent_column: Annotated[
        str, _column("Model; @file or @folder take the name from there")
    ] = ""
    item_column: Annotated[str, _column("Id of the item")] = ""
    value_column: Annotated[str, _column("Score")] = ""
    answer_column: Annotated[str, _column("Right answer, to compare with the prediction")] = ""
    prediction_column: Annotated[str, _column("Prediction, to compare with the answer")] = ""
    task_column: Annotated[str, _column("Task")] = ""
    repeat_column: Annotated[str, _column("Number of the try")] = ""
    content_column: Annotated[str, _column("The question itself, which identifies the item")] = ""

    def columns(self) -> "LogColumns":
        """Give them as `read_logs` takes them."""
        from itemcurve.logs.formats.columns import LogColumns

        return LogColumns(
            **{name.removesuffix("_column"): text for name, text in asdict(self).items()}
        )


@dataclass(frozen=True)
class MeasureOptions:
    """Which of the measures in the logs become responses."""

    task: Annotated[
        list[str] | None,
        typer.Option(help="Only this task, group (mmlu) or pattern ('mmlu_*'); may be repeated."),
    ] = None
    metric: Annotated[str | None, typer.Option(help="The harness's main one if left out.")] = None
    filter: Annotated[str | None, typer.Option(help="Filter or perturbation.")] = None
    group: Annotated[str | None, typer.Option(help="Group or split; all if left out.")] = None
    rescale: Annotated[
        bool, typer.Option("--rescale", help="Map the stated range to 0 to 1, 1 being best.")
    ] = False

    @property
    def chosen(self) -> "tuple[list[str] | None, str | None, str | None, str | None]":
        """As tables of logs choose: tasks, metric, filter and group."""
        return self.task or None, self.metric, self.filter, self.group
