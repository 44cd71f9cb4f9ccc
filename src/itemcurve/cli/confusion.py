"""`itemcurve confusion`: what the hits and misses of classifiers are made of."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.choices import MethodChoice

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.confusion import Confusion

EXAMPLE = "Example: itemcurve confusion run --predictions preds.csv --out confusion"
_MOST_ROWS = 24
_HEADERS = {
    "discrimination": "a",
    "difficulty": "b",
    "guessing": "c",
    "total_score": "total\nscore",
    "information": "inform-\nation",
    "negative_share": "negative\nshare",
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
    keep: Annotated[
        bool, typer.Option("--keep", help="Store the tables in the run folder too.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Open confusion matrices by the items of a run."""
    from itemcurve.analysis.confusion import confusion
    from itemcurve.analysis.label_files import read_labels
    from itemcurve.estimation.saved_fit import load

    labels = read_labels(predictions)
    view = confusion(
        load(run),
        labels.y_true,
        labels.y_pred,
        items=labels.items,
        positive=positive,
        method=method.value,
    )
    tables = _list_tables(view)
    if keep:
        _keep(run, tables)
    if out is not None:
        _save(view, tables, out)
    _print(tables, out, is_json=json)


def _list_tables(view: "Confusion") -> dict[str, "pandas.DataFrame"]:
    from itemcurve.analysis.filtered_metrics import filter_metrics
    from itemcurve.analysis.recommendation import recommend

    return {
        "confusion": view.frame(),
        "item_scores": view.scores.frame(),
        "filtered_metrics": filter_metrics(view).frame(),
        "recommendation": recommend(view).frame(),
    }


def _keep(run: Path, tables: dict[str, "pandas.DataFrame"]) -> None:
    from itemcurve.storage.run_folder import update_run
    from itemcurve.storage.tables import pack_table

    titles = {
        "confusion": "Cells of the confusion matrix",
        "item_scores": "True Score and Total Score",
        "filtered_metrics": "Metrics without malformed items",
        "recommendation": "Recommendation",
    }
    documents = {name: pack_table(table, titles[name]) for name, table in tables.items()}
    update_run(run, documents, {})


def _save(view: "Confusion", tables: dict[str, "pandas.DataFrame"], out: Path) -> None:
    from importlib.util import find_spec

    from itemcurve.cli.csv_files import write_csv

    for name, table in tables.items():
        write_csv(table, out / f"{name}.csv")
    if find_spec("matplotlib") is not None:
        from itemcurve.plots.confusion_curves import save_confusion_curves

        save_confusion_curves(view, out)


def _print(tables: dict[str, "pandas.DataFrame"], out: Path | None, *, is_json: bool) -> None:
    from itemcurve.cli.json_layout import print_json
    from itemcurve.cli.tables import Column, print_table
    from itemcurve.cli.terminal import number, output
    from itemcurve.storage.tables import pack_table

    if is_json:
        print_json({name: pack_table(table, name) for name, table in tables.items()})
        return
    cells = tables["confusion"].head(_MOST_ROWS)
    names = [
        f"{name} {cell}" for name, cell in zip(cells["respondent"], cells["cell"], strict=True)
    ]
    columns = [Column("classifier, cell", names), Column("items", [str(v) for v in cells["items"]])]
    columns += [Column(head, [number(v) for v in cells[name]]) for name, head in _HEADERS.items()]
    console = output()
    print_table(console, f"Confusion ({len(cells)} of {len(tables['confusion'])} cells)", columns)
    for sentence in tables["recommendation"]["sentence"]:
        console.print(sentence, soft_wrap=True)
    if out is not None:
        console.print(f"Saved to {out}", soft_wrap=True)
