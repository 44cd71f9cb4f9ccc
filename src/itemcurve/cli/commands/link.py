"""`itemcurve link`: two calibrations on one scale, which items drifted, one leaderboard."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import LinkMethodChoice
from itemcurve.cli.options.frequent_options import Json, Picture

if TYPE_CHECKING:
    import pandas

EXAMPLE = "Example: itemcurve link last_year this_year --out leaderboard.csv"
_MOST_ROWS = 12


def link_command(
    base: Annotated[Path, typer.Argument(help="Run folder whose scale is kept.")],
    other: Annotated[Path, typer.Argument(help="Run folder that is put on it.")],
    method: Annotated[
        LinkMethodChoice, typer.Option(help="How the scales are brought together.")
    ] = LinkMethodChoice.STOCKING_LORD,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(help="Common item not to link by, as one that drifted; may be repeated."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="CSV file for the leaderboard of both runs.")
    ] = None,
    picture: Picture = None,
    json: Json = False,
) -> None:
    """Put two runs on one scale by the items they share."""
    from itemcurve import __version__
    from itemcurve.analysis.linking.bank_link import link
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import clean, output
    from itemcurve.cli.options.targets import check_picture, write_csv, write_picture
    from itemcurve.plots import linked_items
    from itemcurve.reports.other_runs.any_run import load

    if picture is not None:
        check_picture(picture)
    _refuse_same(base, other)
    fits: list[Any] = [load(base), load(other)]
    names = _without(fits, leave_out)
    found = link(*fits, method=method.value, items=names)
    board, items = found.leaderboard(*fits), found.frame()
    if out is not None:
        write_csv(board, out, base, other)
    if picture is not None:
        write_picture(linked_items(found), picture)
    if json:
        rows = items.astype(object).where(items.notna(), None).to_dict("records")
        constants = ("method", "slope", "slope_se", "shift", "shift_se", "errors")
        said = {"itemcurve": __version__, "command": "link"}
        said |= {name: getattr(found, name) for name in constants}
        print_json({**said, "items": rows, "leaderboard": board.to_dict("records")})
        return
    output().print(clean(str(found)), soft_wrap=True)
    _print_items(items[items["drifted"]].sort_values("p_drift").head(_MOST_ROWS))
    _print_board(board, out)


def _refuse_same(base: Path, other: Path) -> None:
    from itemcurve.errors import ModelError

    if base.resolve() == other.resolve():
        raise ModelError(
            "A link is between two runs.",
            f"Both are {str(base)!r}.",
            "Give the run of other responses to the same items.",
        )


def _without(fits: list[Any], left_out: list[str] | None) -> list[str] | None:
    """The common items but those left out; None for all."""
    from itemcurve.errors import ModelError

    if not left_out or not all(hasattr(fit, "bank") for fit in fits):
        return None
    others = set(fits[1].bank.items)
    common = [name for name in fits[0].bank.items if name in others]
    foreign = [name for name in left_out if name not in common]
    if foreign:
        raise ModelError(
            "Only common items can be left out of a link.",
            f"{foreign[0]!r} is none of the {len(common)} in both runs.",
            f"Use one of them, as {common[0]!r}." if common else "The runs share no item.",
        )
    return [name for name in common if name not in left_out]


def _print_items(drifted: "pandas.DataFrame") -> None:
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import clean, estimate, number, output

    if not len(drifted):
        return
    places = zip(drifted["location"], drifted["location_se"], strict=True)
    others = zip(drifted["other_location"], drifted["other_location_se"], strict=True)
    columns = [
        Column("item", [clean(item) for item in drifted["item"]], is_text=True),
        Column("in the base", [estimate(*pair) for pair in places]),
        Column("in the other", [estimate(*pair) for pair in others]),
        Column("moved by", [number(value) for value in drifted["difference"]]),
        Column("adjusted p", [f"{value:.2g}" for value in drifted["p_drift"]]),
    ]
    print_table(output(), "Items that drifted: link without them (--leave-out)", columns)


def _print_board(board: "pandas.DataFrame", out: Path | None) -> None:
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import clean, estimate, output

    top = board.head(_MOST_ROWS)
    pairs = zip(top["ability"], top["ability_se"], strict=True)
    columns = [
        Column("respondent", [clean(name) for name in top["respondent"]], is_text=True),
        Column("run", top["calibration"].tolist(), is_text=True),
        Column("ability ± se", [estimate(*pair) for pair in pairs]),
    ]
    more = f", the first {len(top)} of {len(board):,}" if len(board) > len(top) else ""
    print_table(output(), f"Both on the scale of the base{more}", columns)
    if out is not None:
        output().print(f"Leaderboard saved to {out}", soft_wrap=True)
