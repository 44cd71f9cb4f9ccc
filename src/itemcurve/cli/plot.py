"""`itemcurve plot`: one picture of a run, as a file."""

from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from itemcurve.estimation.result import FitResult

EXAMPLE = "Example: itemcurve plot run --kind item-curves --item q7 --out q7.png"
_FORMATS = (".pdf", ".png", ".svg")


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
    from itemcurve.cli.csv_files import make_parent
    from itemcurve.cli.json_layout import print_json
    from itemcurve.cli.terminal import output
    from itemcurve.errors import StorageError
    from itemcurve.estimation.saved_fit import load

    if out.suffix.lower() not in _FORMATS:
        raise StorageError(
            f"A picture is written to a file ending in {', '.join(_FORMATS)};",
            f"{str(out)!r} is none.",
            "Use .png if unsure.",
        )
    axes = _draw(load(run), kind, item)
    make_parent(out)
    axes.figure.savefig(out, dpi=150)
    if json:
        print_json({"command": "plot", "run": str(run), "kind": kind.value, "picture": str(out)})
    else:
        output().print(f"Picture saved to {out}", soft_wrap=True)


def _draw(result: "FitResult", kind: PlotChoice, items: list[str] | None) -> Any:
    import itemcurve
    from itemcurve.errors import ModelError

    _use_no_display()
    draw = getattr(itemcurve, f"plot_{kind.value.replace('-', '_')}")
    if items is None:
        return draw(result)
    if kind is not PlotChoice.ITEM_CURVES:
        raise ModelError(
            "--item goes with --kind item-curves.", f"Got --kind {kind.value}.", "Leave it out."
        )
    return draw(result, items)


def _use_no_display() -> None:
    """Draw into files: a command has no window, and often no screen."""
    try:
        import_module("matplotlib").use("Agg")
    except ImportError:
        # The picture itself says which extra is missing.
        return
