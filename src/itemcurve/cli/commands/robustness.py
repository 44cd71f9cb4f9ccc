"""`itemcurve robustness`: a table in; what noise does to models, on easy and on hard rows, out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from itemcurve.cli.options.choices import MeasureChoice

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.system_curves import SystemCurves
    from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty

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
        str, typer.Option(metavar="families|standard|random:N", help="Who is measured.")
    ] = "families",
    pool: Annotated[
        str, typer.Option(metavar="families|standard|random:N", help="Who says what is hard.")
    ] = "random:100",
    noise: Annotated[float, typer.Option(help="Level, in standard deviations.")] = 0.2,
    bins: Annotated[int, typer.Option(min=2, help="Of difficulty.")] = 5,
    cv: Annotated[int, typer.Option(min=2, help="Number of folds.")] = 5,
    measure: Annotated[
        MeasureChoice,
        typer.Option(help="Verdicts by changed predictions, or by the κ lost as in the paper."),
    ] = MeasureChoice.SHARE,
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
    from itemcurve.cli.layout.robustness_summary import print_verdicts
    from itemcurve.cli.options.run_target import check_target
    from itemcurve.cli.progress import training_progress
    from itemcurve.evaluation.collecting.answer_cache import temporary_cache
    from itemcurve.evaluation.difficulty.table_robustness import measure_table_robustness

    if out is not None:
        check_target(out)
    with (
        temporary_cache(cache, out) as kept,
        interruptible(lambda: kept_in(kept, "predictions", "--out or --cache")),
        training_progress(not json, in_pipes=True, at_last="Measuring κ") as report,
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
        tables = _list_tables(curves, measure.value)
        if out is not None:
            _save(difficulty, curves, tables, out)
    if json:
        _print_json(tables, curves)
    else:
        print_verdicts(curves, tables["robustness_verdicts"], noise, out)


def _list_tables(
    curves: "SystemCurves", measure: Literal["share", "kappa"]
) -> dict[str, "pandas.DataFrame"]:
    from itemcurve.analysis.robustness.class_makeup import class_makeup, noise_destinations

    return {
        "robustness": curves.frame(),
        "robustness_verdicts": curves.verdicts(measure=measure),
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

    from itemcurve.cli.options.csv_files import write_csv
    from itemcurve.storage.run_folder import update_run
    from itemcurve.storage.tables import pack_table

    difficulty.fit.save(out)
    documents = {
        name: pack_table(table, _TITLES[name], _notes(name, table, curves))
        for name, table in tables.items()
    }
    update_run(out, documents, {})
    for name, table in tables.items():
        write_csv(table, out / f"{name}.csv")
    if find_spec("matplotlib") is not None:
        from itemcurve.plots.robustness.changed_predictions import save_changed_predictions
        from itemcurve.plots.robustness.system_curves import save_system_curves

        save_changed_predictions(curves, out)
        save_system_curves(curves, out)


def _print_json(tables: dict[str, "pandas.DataFrame"], curves: "SystemCurves") -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.storage.tables import pack_table

    packed = {
        name: pack_table(table, _TITLES[name], _notes(name, table, curves))
        for name, table in tables.items()
    }
    print_json({**packed, "notes": list(curves.notes), "complexity": curves.complexity})


def _notes(name: str, table: "pandas.DataFrame", curves: "SystemCurves") -> dict[str, Any]:
    from itemcurve.analysis.robustness.verdict_notes import explain_verdicts

    own = explain_verdicts(table) if name == "robustness_verdicts" else ()
    return {"notes": [*own, *curves.notes], "complexity": curves.complexity}
