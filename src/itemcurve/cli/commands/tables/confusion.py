"""`itemcurve confusion`: what the hits and misses of classifiers are made of."""

import shlex
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import MethodChoice
from itemcurve.cli.options.frequent_options import Json, Keep
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.training_options import Drop, Target, TrainingOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas

    from itemcurve.analysis.confusion.confusion_matrix import Confusion
    from itemcurve.evaluation.tables.table_confusion import TableConfusion

EXAMPLE = "Example: itemcurve confusion data.csv --target label --out confusion"
_TITLES = {
    "errors": "Errors, row by row",
    "confusion": "Cells of the confusion matrix",
    "item_scores": "True Score and Total Score",
    "filtered_metrics": "Metrics with and without malformed items",
    "malformed_items": "Malformed items",
    "recommendation": "Recommendation",
}


@dataclass(frozen=True)
class ConfusionOptions:
    """What is opened: predictions beside a run, or classifiers trained on a table."""

    predictions: Annotated[
        Path | None,
        typer.Option(
            help="With a run: CSV file with item (optional), y_true, one column per classifier."
        ),
    ] = None
    target: Target = None
    drop: Drop = None
    groups: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="With a table: rows of one value are never on both sides."
        ),
    ] = None
    models: Annotated[
        str,
        typer.Option(metavar="MODELS", help="With a table: whose matrices are opened."),
    ] = "families"
    pool: Annotated[
        str,
        typer.Option(metavar="MODELS", help="With a table: whose answers say what rows are like."),
    ] = "random:200"
    positive: Annotated[
        str | None, typer.Option(help="The positive of two classes; else the second in order.")
    ] = None
    method: Annotated[MethodChoice, typer.Option(help="How abilities are estimated.")] = (
        MethodChoice.EAP
    )
    rows: Annotated[
        str | None,
        typer.Option(
            help="Table of the instances; its columns go beside errors and malformed items."
        ),
    ] = None


@spread_options
def confusion_command(
    source: Annotated[
        str,
        typer.Argument(help="Run folder of right and wrong answers, or a table to train on."),
    ],
    asked: ConfusionOptions,
    training: TrainingOptions,
    out: Annotated[Path | None, typer.Option(help="Folder for tables and pictures.")] = None,
    keep: Keep = False,
    json: Json = False,
) -> None:
    """Open confusion matrices by the items in their cells."""
    from itemcurve.cli.layout.confusion_summary import print_confusion
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.evaluation.tables.table_files import read_table
    from itemcurve.storage.folder_swap import is_folder

    is_table = not is_folder(Path(source))
    _check_source(source, asked, keep, is_table=is_table)
    data = None if asked.rows is None else read_table(asked.rows)
    if is_table:
        found = _train(source, asked, training, out, is_shown=not json)
        view, positions, notes = found.view, found.positions, found.notes
        # One name for a row, everywhere.
        link: Callable[[int], str] = partial(_name_item, view)
    else:
        notes = ()
        view = _open(Path(source), asked)
        link = _link(view, Path(str(asked.predictions)), asked.rows, data)
    tables = _list_tables(view, data)
    if is_table:
        for name in ("errors", "malformed_items"):
            tables[name]["row"] = [int(positions[row - 1]) + 1 for row in tables[name]["row"]]
    if keep:
        _keep(Path(source), tables)
    if out is not None:
        _save(view, tables, out)
    if json:
        print_json(_pack(tables))
    else:
        print_confusion(view, tables, out, link, notes=notes, is_table=is_table)
        if is_table:
            _say_next(source, asked.target, out)


def _check_source(source: str, asked: ConfusionOptions, keep: bool, *, is_table: bool) -> None:
    """Say before anything is read what does not go together."""
    from itemcurve.errors import EvaluationError

    if not is_table and asked.groups is not None:
        raise EvaluationError(
            "--groups goes with a table, whose rows are parted;",
            f"{source!r} is a run folder.",
            "Leave it out.",
        )
    if not is_table and asked.predictions is None:
        raise EvaluationError(
            "With a run, the labels of its items and what classifiers named must be given;",
            "there is no --predictions.",
            "Add --predictions preds.csv, or give a table: itemcurve confusion data.csv.",
        )
    if is_table and (asked.predictions is not None or keep):
        raise EvaluationError(
            "--predictions and --keep go with a run folder;",
            f"{source!r} is none.",
            "Give the run folder that itemcurve fit wrote, or leave them out to train on a table.",
        )


def _open(run: Path, asked: ConfusionOptions) -> "Confusion":
    from itemcurve.analysis.confusion.confusion_matrix import confusion
    from itemcurve.analysis.confusion.label_files import read_labels
    from itemcurve.estimation.saving.saved_fit import load

    labels = read_labels(Path(str(asked.predictions)))
    return confusion(
        load(run),
        labels.y_true,
        labels.y_pred,
        items=labels.items,
        positive=asked.positive,
        method=asked.method.value,
    )


def _train(
    source: str,
    asked: ConfusionOptions,
    training: TrainingOptions,
    out: Path | None,
    is_shown: bool,
) -> "TableConfusion":
    """Train pool and classifiers on a table."""
    from itemcurve.evaluation.tables.table_confusion import confusion_of_table

    with training.training(out, is_shown, in_pipes=True) as settings:
        return confusion_of_table(
            source,
            asked.target,
            models=asked.models,
            pool=asked.pool,
            positive=asked.positive,
            drop=asked.drop or (),
            groups=asked.groups,
            **settings,
        )


def _name_item(view: "Confusion", row: int) -> str:
    return view.bank.items[row - 1]


def _say_next(source: str, target: str | None, out: Path | None) -> None:
    from itemcurve.cli.layout.terminal import output

    kept = "Add --out FOLDER for all items and curves. " if out is None else ""
    command = shlex.join(["itemcurve", "audit", source, *(["--target", target] if target else [])])
    output().print(f"{kept}Next: are these labels wrong? {command}", soft_wrap=True)


def _link(
    view: "Confusion", predictions: Path, rows: str | None, data: "pandas.DataFrame | None"
) -> "Callable[[int], str]":
    """Give what writes a row as a place that editors and terminals open: file and line."""
    from itemcurve.analysis.confusion.malformed_items import find_rows

    # Line 1 has the names of the columns.
    if rows is None or data is None or not Path(rows).is_file():
        return lambda row: f"{predictions}:{row + 1}"
    places = find_rows(view.bank.items, data)
    return lambda row: f"{rows}:{places[row - 1] + 2}"


def _list_tables(
    view: "Confusion", data: "pandas.DataFrame | None"
) -> dict[str, "pandas.DataFrame"]:
    from itemcurve.analysis.confusion.malformed_items import add_rows
    from itemcurve.analysis.confusion.recommendation import recommend
    from itemcurve.analysis.metrics.filtered_metrics import filter_metrics

    malformed, errors = view.malformed_items(), view.errors()
    if data is not None:
        malformed, errors = (add_rows(table, view, data) for table in (malformed, errors))
    return {
        "errors": errors,
        "confusion": view.frame(),
        "item_scores": view.scores.frame(),
        "filtered_metrics": filter_metrics(view).frame(),
        "malformed_items": malformed,
        "recommendation": recommend(view).frame(),
    }


def _pack(tables: dict[str, "pandas.DataFrame"]) -> dict[str, dict[str, Any]]:
    from itemcurve.storage.tables import pack_table

    return {name: pack_table(table, _TITLES[name]) for name, table in tables.items()}


def _keep(run: Path, tables: dict[str, "pandas.DataFrame"]) -> None:
    from itemcurve.storage.run_folder import update_run

    update_run(run, _pack(tables), {})


def _save(view: "Confusion", tables: dict[str, "pandas.DataFrame"], out: Path) -> None:
    from importlib.util import find_spec

    from itemcurve.cli.options.targets import write_csv

    for name, table in tables.items():
        write_csv(table, out / f"{name}.csv")
    if find_spec("matplotlib") is not None:
        from itemcurve.plots.confusion.confusion_curves import save_confusion_curves

        save_confusion_curves(view, out)
