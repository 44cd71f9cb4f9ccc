"""`itemcurve noise`: a table in; what noise does to abilities and to errors out."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import NoiseChoice, NoisePlaceChoice
from itemcurve.cli.options.frequent_options import Json
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.training_options import TableOptions, TrainingOptions

if TYPE_CHECKING:
    from itemcurve.evaluation.noise.ability_variation import AbilityVariation

EXAMPLE = "Example: itemcurve noise data.csv --target price --out noise"


@dataclass(frozen=True)
class NoiseOptions:
    """Who is evaluated, under which noise."""

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
    test_share: Annotated[float, typer.Option(help="Share of rows to predict.")] = 0.3


@spread_options
def noise_command(
    data: TableOptions,
    asked: NoiseOptions,
    training: TrainingOptions,
    out: Annotated[Path | None, typer.Option(help="Folder for the tables.")] = None,
    json: Json = False,
) -> None:
    """Compare what noise does to abilities and to errors."""
    from itemcurve.cli.layout.noise_summary import print_variation
    from itemcurve.cli.options.targets import write_csv
    from itemcurve.evaluation.noise.ability_variation import compare_variation
    from itemcurve.evaluation.noise.noise_sweep import LEVELS
    from itemcurve.evaluation.noise.table_noise import sweep_table

    levels = tuple(sorted({0.0, *(asked.level or LEVELS)}))
    with training.training(out, not json) as settings:
        sweep = sweep_table(
            data.table,
            data.target,
            kind=asked.kind.value,
            levels=levels,
            repeats=asked.repeats,
            place=asked.place.value,
            pool=asked.pool,
            test_share=asked.test_share,
            drop=data.drop or (),
            **settings,
        )
        found = compare_variation(sweep)
    if out is not None:
        write_csv(found.frame(), out / "variation.csv")
        write_csv(sweep.frame(), out / "sweep.csv")
    if json:
        _print_json(found)
    else:
        print_variation(found, sweep.kind, out, str(data.table), data.target)


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
