"""`itemcurve dimensions`: how many abilities responses measure, and which items need which."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.failures import NOT_CONVERGED
from itemcurve.cli.options.choices import LayoutChoice
from itemcurve.cli.options.frequent_options import Json, Layout, RunToWrite
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.errors import ModelError

if TYPE_CHECKING:
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit

EXAMPLE = "Example: itemcurve dimensions responses.csv --ability 'algebra=alg_*' --general"


@dataclass(frozen=True)
class AbilityOptions:
    """Which abilities there are."""

    number: Annotated[
        str, typer.Option(help="How many abilities to explore, or 'auto': as many as predict best.")
    ] = "auto"
    ability: Annotated[
        list[str] | None,
        typer.Option(help="Items of an ability by patterns of their ids, as 'algebra=alg_*,a_*'."),
    ] = None
    general: Annotated[
        bool, typer.Option("--general", help="One ability of all items beside the others.")
    ] = False
    above: Annotated[
        bool, typer.Option("--above", help="One ability above the others (second order).")
    ] = False
    rotation: Annotated[
        str, typer.Option(help="Of explored axes: oblimin, varimax, geomin or none.")
    ] = "oblimin"

    def settings(self) -> dict[str, Any]:
        """Give them as `fit` takes them."""
        dimensions: object = self.number
        if self.ability:
            dimensions = dict(_read_ability(text) for text in self.ability)
        elif self.number != "auto":
            dimensions = _read_number(self.number)
        if self.general and self.above:
            raise ModelError(
                "A general ability is beside the others or above them.",
                "Got --general and --above.",
                "Leave one of them out.",
            )
        general = "above" if self.above else self.general
        return {"dimensions": dimensions, "general": general, "rotation": self.rotation}


@spread_options
def dimensions_command(
    responses: Annotated[
        Path, typer.Argument(help="Responses: .csv, .tsv, .jsonl, .parquet or .npz.")
    ],
    abilities: AbilityOptions,
    model: Annotated[
        str, typer.Option(help="2pl, 3pl, grm, gpcm, sequential, fractional-2pl, logit-normal.")
    ] = "2pl",
    items: Annotated[int, typer.Option(min=0, help="Items to list for each ability.")] = 5,
    out: RunToWrite = None,
    json: Json = False,
    layout: Layout = LayoutChoice.AUTO,
) -> None:
    """Find how many abilities there are, and their items."""
    from itemcurve.cli.layout.abilities.dimensions_summary import (
        describe_dimensions,
        print_dimensions,
    )
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.options.targets import check_run, claimed_run
    from itemcurve.estimation.fit import fit
    from itemcurve.models.catalogue import get_model
    from itemcurve.responses.matrix import Responses

    settings = abilities.settings()
    get_model(model)
    check_run(out)
    observed = Responses.read(responses, layout.value)
    with claimed_run(out):
        found: DimensionsFit = fit(observed, model, on_failure="ignore", **settings)
        if out is not None:
            found.save(out)
    if json:
        print_json(describe_dimensions(found))
    else:
        print_dimensions(found, items)
    if not found.status.is_converged:
        raise typer.Exit(NOT_CONVERGED)


def _read_ability(text: str) -> tuple[str, list[str]]:
    name, sign, patterns = text.partition("=")
    found = [pattern.strip() for pattern in patterns.split(",") if pattern.strip()]
    if not sign or not name.strip() or not found:
        raise ModelError(
            "An ability is written as its name, =, and patterns of its items.",
            f"Got {text!r}.",
            "Write for example --ability 'algebra=alg_*'.",
        )
    return name.strip(), found


def _read_number(text: str) -> int:
    if not text.isdecimal():
        raise ModelError(
            "The number of abilities is a whole number, or auto.",
            f"Got {text!r}.",
            "Write for example --number 3.",
        )
    return int(text)
