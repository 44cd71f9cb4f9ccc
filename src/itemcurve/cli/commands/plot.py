"""`itemcurve plot`: one picture of a run, as a file."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from itemcurve.estimation.result import FitResult

EXAMPLE = "Example: itemcurve plot run --kind item-curves --item q7 --out q7.png"


class PlotChoice(StrEnum):
    """The pictures that need nothing but a run."""

    ABILITIES = "abilities"
    ABILITY_METRIC = "ability-metric"
    INFORMATION = "information"
    ITEM_CURVES = "item-curves"
    ITEM_FIT = "item-fit"
    ITEMS = "items"
    LOCAL_DEPENDENCE = "local-dependence"
    PARAMETERS = "parameters"
    RESIDUALS = "residuals"
    WRIGHT_MAP = "wright-map"


def plot_command(
    run: Annotated[Path, typer.Argument(help="Run folder that `itemcurve fit` wrote.")],
    kind: Annotated[PlotChoice, typer.Option(help="Which picture.")],
    out: Annotated[Path, typer.Option(help="File to write: .png, .svg or .pdf.")],
    item: Annotated[
        list[str] | None,
        typer.Option(help="For item-curves: item to draw; may be repeated, at most 7."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a line.")
    ] = False,
) -> None:
    """Draw one picture of a run."""
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.cli.options.pictures import check_picture, save_picture
    from itemcurve.estimation.saving.saved_fit import load

    check_picture(out)
    save_picture(_draw(load(run), kind, item), out)
    if json:
        print_json({"command": "plot", "run": str(run), "kind": kind.value, "picture": str(out)})
    else:
        output().print(f"Picture saved to {out}", soft_wrap=True)


def _draw(result: "FitResult", kind: PlotChoice, items: list[str] | None) -> Any:
    from itemcurve import plots
    from itemcurve.errors import ModelError

    # The map of items is the one picture whose name on the command line is a word shorter.
    name = "item_map" if kind is PlotChoice.ITEMS else kind.value.replace("-", "_")
    draw = getattr(plots, name)
    if items is None:
        return draw(result)
    if kind is not PlotChoice.ITEM_CURVES:
        raise ModelError(
            "--item goes with --kind item-curves.", f"Got --kind {kind.value}.", "Leave it out."
        )
    return draw(result, items)
