"""`itemcurve confusion`: what the hits and misses of classifiers are made of."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import MethodChoice
from itemcurve.cli.options.frequent_options import Json, Keep

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas

    from itemcurve.analysis.confusion.confusion_matrix import Confusion

EXAMPLE = "Example: itemcurve confusion run --predictions preds.csv --out confusion"
_TITLES = {
    "errors": "Errors, row by row",
    "confusion": "Cells of the confusion matrix",
    "item_scores": "True Score and Total Score",
    "filtered_metrics": "Metrics with and without malformed items",
    "malformed_items": "Malformed items",
    "recommendation": "Recommendation",
}


def confusion_command(
    run: Annotated[Path, typer.Argument(help="Run folder of right and wrong answers.")],
    predictions: Annotated[
        Path, typer.Option(help="CSV file: item (optional), y_true, one column per classifier.")
    ],
    out: Annotated[Path | None, typer.Option(help="Folder for tables and pictures.")] = None,
    positive: Annotated[
        str | None, typer.Option(help="The positive of two classes; else the second in order.")
    ] = None,
    method: Annotated[
        MethodChoice, typer.Option(help="How abilities are estimated.")
    ] = MethodChoice.EAP,
    rows: Annotated[
        str | None,
        typer.Option(
            help="Table of the instances; its columns go beside errors and malformed items."
        ),
    ] = None,
    keep: Keep = False,
    json: Json = False,
) -> None:
    """Open confusion matrices by the items of a run."""
    from itemcurve.analysis.confusion.confusion_matrix import confusion
    from itemcurve.analysis.confusion.label_files import read_labels
    from itemcurve.cli.layout.confusion_summary import print_confusion
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.estimation.saving.saved_fit import load
    from itemcurve.evaluation.tables.table_files import read_table

    labels = read_labels(predictions)
    view = confusion(
        load(run),
        labels.y_true,
        labels.y_pred,
        items=labels.items,
        positive=positive,
        method=method.value,
    )
    data = None if rows is None else read_table(rows)
    tables = _list_tables(view, data)
    if keep:
        _keep(run, tables)
    if out is not None:
        _save(view, tables, out)
    if json:
        print_json(_pack(tables))
    else:
        print_confusion(view, tables, out, _link(view, predictions, rows, data))


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
