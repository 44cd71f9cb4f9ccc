"""`itemcurve simulate`: responses with known truth, to try things out."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.options.frequent_options import Json, ModelName

EXAMPLE = "Example: itemcurve simulate --respondents 50 --items 80 --seed 1 --out y.csv"


def simulate_command(
    respondents: Annotated[int, typer.Option(min=1, help="Number of respondents.")],
    items: Annotated[int, typer.Option(min=1, help="Number of items.")],
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same responses.")],
    out: Annotated[Path, typer.Option(help="File to write: .csv, .tsv, .jsonl, .parquet or .npz.")],
    model: ModelName = "2pl",
    missing: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of responses left out at random.")
    ] = 0.0,
    truth: Annotated[
        Path | None,
        typer.Option(help="Folder for the true values: items.csv and respondents.csv."),
    ] = None,
    json: Json = False,
) -> None:
    """Draw responses from a model with known abilities and items."""
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.cli.options.targets import make_parent, write_csv
    from itemcurve.datasets.simulation import simulate

    drawn = simulate(model, respondents=respondents, items=items, seed=seed, missing=missing)
    make_parent(out)
    drawn.responses.save(out)
    if truth is not None:
        write_csv(drawn.items, truth / "items.csv")
        write_csv(drawn.respondents, truth / "respondents.csv")
    if json:
        shape = {"respondents": respondents, "items": items}
        print_json(
            {"command": "simulate", "model": model, **shape, "seed": seed, "responses": str(out)}
        )
        return
    console = output()
    console.print(f"{respondents:,} × {items:,} responses saved to {out}", soft_wrap=True)
    if truth is not None:
        console.print(f"True values saved to {truth}", soft_wrap=True)
