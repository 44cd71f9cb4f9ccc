"""`itemcurve difficulty`: a table in; how hard each row is, and new rows, out."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import DifficultyModelChoice
from itemcurve.cli.options.frequent_options import Json, RunToWrite
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.training_options import Pool, TableOptions, TrainingOptions

if TYPE_CHECKING:
    from itemcurve.evaluation.difficulty.table_difficulty import TableDifficulty

EXAMPLE = "Example: itemcurve difficulty data.csv --target label --new new.csv --out run"


@dataclass(frozen=True)
class DifficultyOptions:
    """Who says what is hard, and of which new rows it is wanted."""

    new: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Rows with the same features, to predict it for."),
    ] = None
    pool: Pool = "random:100"
    model: Annotated[DifficultyModelChoice, typer.Option(help="Model of the pool's answers.")] = (
        DifficultyModelChoice.ONE
    )
    cv: Annotated[int, typer.Option(min=2, help="Number of folds.")] = 5


@spread_options
def difficulty_command(
    data: TableOptions,
    asked: DifficultyOptions,
    training: TrainingOptions,
    out: RunToWrite = None,
    json: Json = False,
) -> None:
    """Say how hard each row is, and predict it for new rows."""
    from itemcurve.cli.layout.table_summaries.difficulty import print_difficulty
    from itemcurve.cli.options.targets import check_run, claimed_run
    from itemcurve.evaluation.difficulty.table_difficulty import measure_table_difficulty

    check_run(out)
    with claimed_run(out), training.training(out, not json, in_pipes=True) as settings:
        found = measure_table_difficulty(
            data.table,
            data.target,
            new=asked.new,
            pool=asked.pool,
            model=asked.model.value,
            cv=asked.cv,
            drop=data.drop or (),
            **settings,
        )
        if out is not None:
            _save(found, out)
    if json:
        _print_json(found)
    else:
        print_difficulty(found, str(data.table), data.target, out)


def _save(found: "TableDifficulty", out: Path) -> None:
    from itemcurve.cli.options.targets import write_csv
    from itemcurve.estimation.saving.saved_fit import save_fit
    from itemcurve.storage.tables import pack_table

    table = found.difficulty.frame()
    save_fit(
        found.difficulty.fit, out, documents={"difficulty": pack_table(table, "Difficulty of rows")}
    )
    write_csv(table, out / "difficulty.csv")
    if found.explanation is not None:
        write_csv(found.explanation.frame(), out / "explained.csv")
    if found.new_rows is not None:
        write_csv(found.new_frame(), out / "predicted.csv")


def _print_json(found: "TableDifficulty") -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.table_summaries.difficulty import say_new
    from itemcurve.storage.tables import pack_table

    document = {
        "command": "difficulty",
        "difficulty": pack_table(found.difficulty.frame(), "Difficulty of rows"),
        "check": pack_table(found.check.frame(), "Predicted for rows left out"),
        "ties": dict(zip(("difficulties", "easiest", "hardest"), found.count_ties(), strict=True)),
        "notes": list(found.notes),
    }
    if found.explanation is not None:
        document["explained"] = {
            "share": found.explanation.explained,
            "share_without_class": found.explanation.explained_without_class,
            "features": pack_table(found.explanation.frame(), "What makes rows hard"),
        }
    if found.new_rows is not None:
        document["predicted"] = pack_table(found.new_frame(), "Difficulty of new rows")
        document["says"] = say_new(found)
    print_json(document)
