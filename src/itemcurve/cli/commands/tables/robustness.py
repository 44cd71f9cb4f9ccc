"""`itemcurve robustness`: a table in; what noise does to models, on easy and on hard rows, out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from itemcurve.cli.options.choices import MeasureChoice
from itemcurve.cli.options.frequent_options import Json, RunToWrite
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.robustness_options import RobustnessOptions
from itemcurve.cli.options.training_options import TableOptions, TrainingOptions

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


@spread_options
def robustness_command(
    data: TableOptions,
    asked: RobustnessOptions,
    training: TrainingOptions,
    measure: Annotated[
        MeasureChoice,
        typer.Option(help="Verdicts by changed predictions, or by the κ lost as in the paper."),
    ] = MeasureChoice.SHARE,
    out: RunToWrite = None,
    json: Json = False,
) -> None:
    """Measure how predictions hold when inputs get noisy."""
    from itemcurve.cli.layout.robustness_summary import print_verdicts
    from itemcurve.cli.options.targets import check_run, claimed_run
    from itemcurve.evaluation.difficulty.table_robustness import measure_table_robustness

    check_run(out)
    with (
        claimed_run(out),
        training.training(out, not json, in_pipes=True, at_last="Measuring κ") as settings,
    ):
        difficulty, curves = measure_table_robustness(
            data.table,
            data.target,
            drop=data.drop or (),
            **asked.settings(),
            **settings,
        )
        tables = list_tables(curves, measure.value)
        if out is not None:
            save_robustness(difficulty, curves, tables, out)
    if json:
        _print_json(tables, curves)
    else:
        print_verdicts(curves, tables["robustness_verdicts"], asked.noise, out)


def list_tables(
    curves: "SystemCurves", measure: Literal["share", "kappa"] = "share"
) -> dict[str, "pandas.DataFrame"]:
    """Give what a run of robustness holds, by name."""
    from itemcurve.analysis.robustness.class_makeup import class_makeup, noise_destinations

    return {
        "robustness": curves.frame(),
        "robustness_verdicts": curves.verdicts(measure=measure),
        "class_makeup": class_makeup(curves),
        "noise_destinations": noise_destinations(curves),
    }


def save_robustness(
    difficulty: "Difficulty",
    curves: "SystemCurves",
    tables: dict[str, "pandas.DataFrame"],
    out: Path,
) -> None:
    """Write the run folder, its tables as CSV too, and its pictures."""
    from importlib.util import find_spec

    from itemcurve.cli.options.targets import write_csv
    from itemcurve.estimation.saving.saved_fit import save_fit
    from itemcurve.storage.tables import pack_table

    documents = {
        name: pack_table(table, _TITLES[name], _notes(name, table, curves))
        for name, table in tables.items()
    }
    save_fit(difficulty.fit, out, documents=documents)
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
