"""`itemcurve noise`: a table in; what noise does to abilities and to errors out."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import NoiseChoice, NoisePlaceChoice, TaskChoice
from itemcurve.cli.options.frequent_options import Json
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.training_options import TableOptions, TrainingOptions

if TYPE_CHECKING:
    from itemcurve.evaluation.noise.ability_loss import AbilityLoss
    from itemcurve.evaluation.noise.ability_variation import AbilityVariation
    from itemcurve.evaluation.noise.noise_sweep import NoiseSweep

EXAMPLE = "Example: itemcurve noise data.csv --target price --out noise"


@dataclass(frozen=True)
class NoiseOptions:
    """Who is evaluated, under which noise."""

    task: Annotated[
        TaskChoice, typer.Option(help="Classes or numbers; by the target when left out.")
    ] = TaskChoice.AUTO
    kind: Annotated[NoiseChoice, typer.Option(help="What is noisy: the answers when left out.")] = (
        NoiseChoice.AUTO
    )
    level: Annotated[
        list[float] | None,
        typer.Option(
            help="Share of labels, or standard deviations; may be repeated. 0 to 0.5 when left out."
        ),
    ] = None
    repeats: Annotated[int, typer.Option(min=1, help="Draws of noise at each level.")] = 5
    place: Annotated[
        NoisePlaceChoice, typer.Option(help="Noise in the test part only, or in both.")
    ] = NoisePlaceChoice.TEST
    pool: Annotated[
        str, typer.Option(metavar="standard|families|random:N", help="Who is evaluated.")
    ] = "standard"
    model: Annotated[
        str,
        typer.Option(
            help="auto goes by skill (classes) or errors (numbers). A model that is named, as "
            "fractional-beta3, goes by its abilities in (0, 1), changes in per cent: Moraes et al. "
            "(2022)."
        ),
    ] = "auto"
    test_share: Annotated[float, typer.Option(help="Share of rows to predict.")] = 0.3


@spread_options
def noise_command(
    data: TableOptions,
    asked: NoiseOptions,
    training: TrainingOptions,
    out: Annotated[Path | None, typer.Option(help="Folder for the tables.")] = None,
    json: Json = False,
) -> None:
    """Say which models keep their ability under noise."""
    from itemcurve.evaluation.noise.ability_loss import measure_ability_loss
    from itemcurve.evaluation.noise.ability_variation import compare_variation
    from itemcurve.evaluation.noise.noise_sweep import LEVELS
    from itemcurve.evaluation.noise.table_noise import sweep_table

    levels = tuple(sorted({0.0, *(asked.level or LEVELS)}))
    with training.training(out, not json) as settings:
        sweep = sweep_table(
            data.table,
            data.target,
            task=asked.task.value,
            kind=asked.kind.value,
            levels=levels,
            repeats=asked.repeats,
            place=asked.place.value,
            pool=asked.pool,
            model=asked.model,
            test_share=asked.test_share,
            drop=data.drop or (),
            **settings,
        )
        if asked.model == "auto":
            _show_loss(measure_ability_loss(sweep), sweep, data, out, json)
        else:
            _show_variation(compare_variation(sweep), sweep, data, out, json)


def _show_loss(
    found: "AbilityLoss", sweep: "NoiseSweep", data: TableOptions, out: Path | None, json: bool
) -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.table_summaries.noise import print_loss
    from itemcurve.cli.options.targets import write_csv
    from itemcurve.evaluation.noise.noise_words import say_cautions
    from itemcurve.storage.tables import pack_table

    if out is not None:
        write_csv(found.frame(), out / "changes.csv")
        write_csv(sweep.frame(), out / "sweep.csv")
    if not json:
        print_loss(found, sweep, out, str(data.table), data.target)
        return
    print_json(
        {
            "command": "noise",
            "kind": found.kind,
            "measure": found.measure,
            "changes": pack_table(found.frame(), "Models by amount of noise"),
            "rank_correlation": found.rank_correlation(),
            "says": [*found.say(), *say_cautions(sweep)],
        }
    )


def _show_variation(
    found: "AbilityVariation", sweep: "NoiseSweep", data: TableOptions, out: Path | None, json: bool
) -> None:
    from itemcurve.cli.layout.table_summaries.noise import print_variation
    from itemcurve.cli.options.targets import write_csv

    if out is not None:
        write_csv(found.frame(), out / "variation.csv")
        write_csv(sweep.frame(), out / "sweep.csv")
    if json:
        _print_json(found)
    else:
        print_variation(found, sweep, out, str(data.table), data.target)


def _print_json(found: "AbilityVariation") -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.storage.tables import pack_table

    print_json(
        {
            "variation": pack_table(found.frame(), "Changes in per cent"),
            "measure": found.measure,
            "difference": found.difference,
            "p_value": found.p_value,
            "p_respondents": found.p_respondents,
            "left_out": list(found.left_out),
        }
    )
