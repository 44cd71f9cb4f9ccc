"""`itemcurve datasets`: several tables in; classifiers and data sets on one scale out."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import BoundedMeasureChoice
from itemcurve.cli.options.frequent_options import Json, RunToWrite
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.training_options import Drop, Pool, Target, TrainingOptions

if TYPE_CHECKING:
    from itemcurve.datasets.dataset_table import DatasetTable
    from itemcurve.estimation.result import FitResult

EXAMPLE = "Example: itemcurve datasets a.csv b.csv c.csv d.csv --target label --out run"


@dataclass(frozen=True)
class DatasetOptions:
    """What is predicted in each table, by whom, and what is measured."""

    tables: Annotated[
        list[str],
        typer.Argument(
            help="Two or more: .csv, .tsv or .parquet, or breast_cancer, digits, iris, wine."
        ),
    ]
    target: Target = None
    drop: Drop = None
    pool: Pool = "families"
    measure: Annotated[
        BoundedMeasureChoice,
        typer.Option(help="Which of the six measures is modelled; all are kept."),
    ] = BoundedMeasureChoice.ACCURACY
    splits: Annotated[int, typer.Option(min=1, help="Halvings of each table.")] = 5
    rows: Annotated[int, typer.Option(min=20, help="Rows of a table at most.")] = 10_000


@spread_options
def datasets_command(
    asked: DatasetOptions, training: TrainingOptions, out: RunToWrite = None, json: Json = False
) -> None:
    """Measure classifiers on several tables: data sets as items."""
    from itemcurve.cli.layout.table_summaries.datasets import print_datasets
    from itemcurve.cli.options.targets import check_run, claimed_run
    from itemcurve.estimation.fit import fit
    from itemcurve.evaluation.tables.measured_tables import measure_datasets

    check_run(out)
    with claimed_run(out), training.training(out, not json, in_pipes=True) as settings:
        table = measure_datasets(
            asked.tables,
            asked.pool,
            target=asked.target,
            drop=asked.drop or (),
            splits=asked.splits,
            rows=asked.rows,
            **settings,
        )
        found = fit(
            table.responses(asked.measure.value),
            "logit-normal",
            discrimination="positive",
            on_failure="ignore",
        )
        if out is not None:
            _save(table, found, out)
    if json:
        _print_json(table, found, asked.measure.value)
    else:
        print_datasets(table, found, asked.measure.value, out)


def _save(table: "DatasetTable", found: "FitResult", out: Path) -> None:
    from itemcurve.cli.options.targets import write_csv
    from itemcurve.estimation.saving.saved_fit import save_fit

    save_fit(found, out)
    table.save(out / "dataset_table.npz")
    write_csv(table.frame(), out / "measurements.csv")


def _print_json(table: "DatasetTable", found: "FitResult", measure: str) -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.table_summaries.dataset_words import say_datasets
    from itemcurve.storage.tables import pack_table

    print_json(
        {
            "command": "datasets",
            "measure": measure,
            "status": str(found.status),
            "classifiers": pack_table(found.respondents, "Classifiers"),
            "datasets": pack_table(found.items, "Data sets"),
            "measurements": pack_table(table.frame(), "Measurements"),
            "missing": list(table.missing),
            "notes": list(table.notes),
            "says": say_datasets(table, found, measure),
        }
    )
