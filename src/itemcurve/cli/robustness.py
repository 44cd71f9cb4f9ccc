"""`itemcurve robustness`: a table in; what noise does to models, on easy and on hard rows, out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.system_curves import SystemCurves
    from itemcurve.evaluation.difficulty import Difficulty

EXAMPLE = "Example: itemcurve robustness data.csv --target label --out run"
_TITLES = {
    "robustness": "κ by difficulty and share of noise",
    "robustness_verdicts": "Robustness in a word",
    "class_makeup": "Classes by difficulty",
    "noise_destinations": "Where noise moves predictions",
}


def robustness_command(
    table: Annotated[
        str, typer.Argument(help="One row per instance: .csv, .tsv or .parquet; or iris, wine, …")
    ],
    target: Annotated[str, typer.Option(help="Column to predict.")] = "target",
    out: Annotated[
        Path | None, typer.Option(help="Run folder to write; a former run there is replaced.")
    ] = None,
    models: Annotated[
        str, typer.Option(metavar="standard|families|random:N", help="Who is measured.")
    ] = "standard",
    pool: Annotated[
        str, typer.Option(metavar="standard|families|random:N", help="Who says what is hard.")
    ] = "random:100",
    noise: Annotated[float, typer.Option(help="Level, in standard deviations.")] = 0.2,
    bins: Annotated[int, typer.Option(min=2, help="Of difficulty.")] = 5,
    cv: Annotated[int, typer.Option(min=2, help="Number of folds.")] = 5,
    drop: Annotated[
        list[str] | None, typer.Option(help="Column not to use; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of folds, noise and all estimators.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes at a time; -1 for all cores.")] = -1,
    cache: Annotated[
        Path | None, typer.Option(help="Folder that keeps predictions for later runs.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of tables.")
    ] = False,
) -> None:
    """Measure how predictions hold when inputs get noisy."""
    from itemcurve.cli.interruptions import interruptible, kept_in
    from itemcurve.cli.progress import training_progress
    from itemcurve.cli.run_target import check_target
    from itemcurve.evaluation.answer_cache import temporary_cache
    from itemcurve.evaluation.table_robustness import measure_table_robustness

    if out is not None:
        check_target(out)
    with (
        temporary_cache(cache, out) as kept,
        interruptible(lambda: kept_in(kept, "predictions", "--out or --cache")),
        training_progress(not json) as report,
    ):
        difficulty, curves = measure_table_robustness(
            table,
            target,
            models=models,
            pool=pool,
            noise=noise,
            bins=bins,
            cv=cv,
            drop=drop or (),
            seed=seed,
            n_jobs=jobs,
            cache=kept,
            report=report,
        )
        tables = _list_tables(curves)
        if out is not None:
            _save(difficulty, curves, tables, out)
    _print(curves, tables, out, is_json=json)


def _list_tables(curves: "SystemCurves") -> dict[str, "pandas.DataFrame"]:
    from itemcurve.analysis.class_makeup import class_makeup, noise_destinations

    return {
        "robustness": curves.frame(),
        "robustness_verdicts": curves.verdicts(),
        "class_makeup": class_makeup(curves),
        "noise_destinations": noise_destinations(curves),
    }


def _save(
    difficulty: "Difficulty",
    curves: "SystemCurves",
    tables: dict[str, "pandas.DataFrame"],
    out: Path,
) -> None:
    from importlib.util import find_spec

    from itemcurve.cli.csv_files import write_csv
    from itemcurve.storage.run_folder import update_run
    from itemcurve.storage.tables import pack_table

    difficulty.fit.save(out)
    notes = {"notes": list(curves.notes), "complexity": curves.complexity}
    documents = {name: pack_table(table, _TITLES[name], notes) for name, table in tables.items()}
    update_run(out, documents, {})
    for name, table in tables.items():
        write_csv(table, out / f"{name}.csv")
    if find_spec("matplotlib") is not None:
        from itemcurve.plots.system_curves import save_system_curves

        save_system_curves(curves, out)


def _print(
    curves: "SystemCurves",
    tables: dict[str, "pandas.DataFrame"],
    out: Path | None,
    *,
    is_json: bool,
) -> None:
    from itemcurve.cli.json_layout import print_json
    from itemcurve.cli.tables import Column, print_table
    from itemcurve.cli.terminal import number, output
    from itemcurve.storage.tables import pack_table

    if is_json:
        packed = {name: pack_table(table, _TITLES[name]) for name, table in tables.items()}
        print_json({**packed, "notes": list(curves.notes), "complexity": curves.complexity})
        return
    found = tables["robustness_verdicts"]
    clear = ["" if is_clear else "?" for is_clear in found["is_clear"]]
    columns = [
        Column("model", found["respondent"].tolist()),
        Column("κ lost,\neasiest", [number(value) for value in found["loss_easy"]]),
        Column("κ lost,\nhardest", [number(value) for value in found["loss_hard"]]),
        Column(
            "verdict", [f"{a} {b}".strip() for a, b in zip(found["verdict"], clear, strict=True)]
        ),
    ]
    console = output()
    title = f"Robustness at {max(curves.shares):.0%} noisy rows (? within sampling error)"
    print_table(console, title, columns)
    for note in curves.notes:
        console.print(note, soft_wrap=True)
    if out is not None:
        console.print(f"Saved to {out}", soft_wrap=True)
