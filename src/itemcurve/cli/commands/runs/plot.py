"""`itemcurve plot`: one picture of a run, as a file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from itemcurve.cli.options.choices import PlotChoice
from itemcurve.cli.options.frequent_options import Json, Run

# Pictures of runs that hold something else than one ability; all others are of that.
_OWN = {
    "ratings": (PlotChoice.JUDGES, PlotChoice.FAIR_RATINGS),
    "votes": (PlotChoice.STRENGTHS,),
    "several abilities": (PlotChoice.ABILITY_PATHS, PlotChoice.LOADINGS),
}
_ONE = "one ability"
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
    _check_kind(_contents(result), kind)
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


def _contents(result: Any) -> str:
    """What a run holds, in the words of `_OWN`."""
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.pairs.pair_fit import PairFit

    kinds = {RaterFit: "ratings", PairFit: "votes", DimensionsFit: "several abilities"}
    return kinds.get(type(result), _ONE)


def _check_kind(contents: str, kind: PlotChoice) -> None:
    """Raise unless a run of this has such a picture."""
    from itemcurve.errors import ModelError

    own = {one for pictures in _OWN.values() for one in pictures}
    known = _OWN.get(contents) or [one for one in PlotChoice if one not in own]
    if kind not in known:
        raise ModelError(
            f"A run of {contents} has the pictures {', '.join(one.value for one in known)}.",
            f"Got --kind {kind.value}.",
            f"Use --kind {known[0].value}.",
        )
