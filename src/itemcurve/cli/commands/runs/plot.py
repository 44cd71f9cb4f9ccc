"""`itemcurve plot`: one picture of a run, as a file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from itemcurve.cli.options.choices import PlotChoice
from itemcurve.cli.options.frequent_options import Json, Run

# Of runs that `itemcurve dimensions` wrote.
_OF_ABILITIES = (PlotChoice.LOADINGS, PlotChoice.ABILITY_PATHS)
EXAMPLE = "Example: itemcurve plot run --kind item-curves --item q7 --out q7.png"


def plot_command(
    run: Run,
    kind: Annotated[PlotChoice, typer.Option(help="Which picture.")],
    out: Annotated[Path, typer.Option(help="File to write: .png, .svg or .pdf.")],
    item: Annotated[
        list[str] | None,
        typer.Option(
            help="For item-curves and category-curves: item to draw, of the first up to 7."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Draw one picture of a run."""
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.cli.options.targets import check_picture, write_picture
    from itemcurve.reports.other_runs.any_run import load

    check_picture(out)
    write_picture(_draw(load(run), kind, item), out)
    if json:
        print_json({"command": "plot", "run": str(run), "kind": kind.value, "picture": str(out)})
    else:
        output().print(f"Picture saved to {out}", soft_wrap=True)


def _draw(result: Any, kind: PlotChoice, items: list[str] | None) -> Any:
    from itemcurve import plots
    from itemcurve.errors import ModelError
    from itemcurve.estimation.groups.population_fit import PopulationFit

    if isinstance(result, PopulationFit):
        result = result.fit
    has_several = hasattr(result, "loadings")
    if not hasattr(result, "estimates") and not has_several:
        raise ModelError(
            "Pictures are of runs of one ability or several.",
            f"This is a {type(result).__name__}.",
            "Look at it with `itemcurve report`.",
        )
    if has_several != (kind in _OF_ABILITIES):
        words = [own.value for own in PlotChoice if (own in _OF_ABILITIES) == has_several]
        raise ModelError(
            f"A run of {'several abilities' if has_several else 'one ability'} has the pictures "
            f"{', '.join(words)}.",
            f"Got --kind {kind.value}.",
            "Use one of them.",
        )

    # The map of items is the one picture whose name on the command line is a word shorter.
    name = "item_map" if kind is PlotChoice.ITEMS else kind.value.replace("-", "_")
    draw = getattr(plots, name)
    if items is None:
        return draw(result)
    if kind is PlotChoice.CATEGORY_CURVES and len(items) == 1:
        return draw(result, items[0])
    if kind is not PlotChoice.ITEM_CURVES:
        raise ModelError(
            "--item goes with --kind item-curves, or once with category-curves.",
            f"Got {len(items)} with --kind {kind.value}.",
            "Leave it out.",
        )
    return draw(result, items)
