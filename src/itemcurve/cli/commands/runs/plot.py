"""`itemcurve plot`: one picture of a run, as a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import PlotChoice
from itemcurve.cli.options.frequent_options import Json, Run

if TYPE_CHECKING:
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.estimation.result import FitResult
    from itemcurve.pairs.pair_fit import PairFit

_OF_RATINGS = (PlotChoice.JUDGES, PlotChoice.FAIR_RATINGS)
_OF_VOTES = (PlotChoice.STRENGTHS,)
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
    from itemcurve.estimation.saving.saved_fit import load
    from itemcurve.reports.other_runs.any_run import other_fit

    check_picture(out)
    other = other_fit(run)
    found = _draw(load(run), kind, item) if other is None else _draw_other(other, kind, item)
    write_picture(found, out)
    if json:
        print_json({"command": "plot", "run": str(run), "kind": kind.value, "picture": str(out)})
    else:
        output().print(f"Picture saved to {out}", soft_wrap=True)


def _draw_other(fit: "RaterFit | PairFit", kind: PlotChoice, items: list[str] | None) -> Any:
    """A picture of ratings or votes."""
    from itemcurve import plots
    from itemcurve.errors import ModelError
    from itemcurve.estimation.raters.rater_fit import RaterFit

    is_rated = isinstance(fit, RaterFit)
    known = _OF_RATINGS if is_rated else _OF_VOTES
    if kind not in known or items:
        raise ModelError(
            f"Of a run of {'ratings' if is_rated else 'votes'} one picture at a time is drawn: "
            f"{', '.join(own.value for own in known)}.",
            f"Got --kind {kind.value}{' with --item' if items else ''}.",
            f"Use --kind {known[0].value} alone.",
        )
    return getattr(plots, kind.value.replace("-", "_"))(fit)


def _draw(result: "FitResult", kind: PlotChoice, items: list[str] | None) -> Any:
    from itemcurve import plots
    from itemcurve.errors import ModelError

    # The map of items is the one picture whose name on the command line is a word shorter.
    if kind in (*_OF_RATINGS, *_OF_VOTES):
        what = "ratings by several judges" if kind in _OF_RATINGS else "votes"
        raise ModelError(
            f"--kind {kind.value} is a picture of {what}.",
            "This run is a fit of responses.",
            "Use --kind abilities.",
        )
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
