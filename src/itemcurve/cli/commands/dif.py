"""`itemcurve dif`: items that differ between groups of equally able respondents."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import LayoutChoice
from itemcurve.cli.options.frequent_options import Json, Layout, Picture

if TYPE_CHECKING:
    import pandas

EXAMPLE = "Example: itemcurve dif responses.csv --groups released.csv --reference before"
_MOST_ROWS = 20


def dif_command(
    responses: Annotated[Path, typer.Argument(help="Who answered what: .csv, .jsonl, .parquet …")],
    groups: Annotated[
        Path, typer.Option(help="CSV file with columns respondent and group, one row each.")
    ],
    model: Annotated[str, typer.Option(help="Model of the items.")] = "2pl",
    reference: Annotated[
        str | None, typer.Option(help="Group that others are compared with; else the first.")
    ] = None,
    test: Annotated[str, typer.Option(help="auto, likelihood-ratio, wald or score.")] = "auto",
    level: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of false flags to allow.")
    ] = 0.05,
    anchor: Annotated[
        list[str] | None,
        typer.Option(help="Item, or pattern, known to be the same for all; may be repeated."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="CSV file to write the table to.")] = None,
    picture: Picture = None,
    layout: Layout = LayoutChoice.AUTO,
    json: Json = False,
) -> None:
    """Find items that favour one group: contamination, languages."""
    from itemcurve import __version__
    from itemcurve.analysis.groups.item_differences import dif
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import clean, output
    from itemcurve.cli.options.population_options import read_groups
    from itemcurve.cli.options.targets import check_picture, write_csv, write_picture
    from itemcurve.estimation.groups.settings import Groups
    from itemcurve.plots import group_curves
    from itemcurve.responses.matrix import Responses

    if picture is not None:
        check_picture(picture)
    known = Groups(read_groups(groups), reference=reference)
    read = Responses.read(responses, layout.value)
    found = dif(read, known, model, test=test, level=level, anchors=anchor)  # type: ignore[arg-type]
    table = found.frame()
    if out is not None:
        write_csv(table, out, responses, groups)
    if picture is not None:
        # The item that differs most.
        write_picture(group_curves(found), picture)
    if json:
        said = {"itemcurve": __version__, "command": "dif", "test": found.test}
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
        print_json({**said, "groups": list(found.groups.names), "items": rows})
        return
    output().print(clean(str(found)), soft_wrap=True)
    _print_top(table.head(_MOST_ROWS))


def _print_top(top: "pandas.DataFrame") -> None:
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import clean, number, output

    columns = [
        Column("item", [clean(item) for item in top["item"]], is_text=True),
        Column("group", [clean(group) for group in top["group"]], is_text=True),
        Column("difference", [number(value) for value in top["difference"]]),
        Column("adjusted p", [f"{value:.2g}" for value in top["p_adjusted"]]),
        Column("size", top["size"].tolist(), is_text=True),
    ]
    print_table(output(), "Items that differ most", columns)
