"""`itemcurve pairs`: a leaderboard from votes between two."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.commands.pairs.vote_options import VoteOptions
from itemcurve.cli.options.frequent_options import Json, RunToWrite
from itemcurve.cli.options.option_groups import spread_options

EXAMPLE = "Example: itemcurve pairs votes.csv --style length --picture strengths.png"


@spread_options
def pairs_command(
    votes: Annotated[
        Path,
        typer.Argument(
            help="Votes (.csv, .tsv, .jsonl, .json, .parquet): respondent_a, respondent_b, winner; "
            "logs of arenas and of AlpacaEval are read as they are."
        ),
    ],
    asked: VoteOptions,
    number: Annotated[
        int, typer.Option("--respondents", min=1, help="Respondents to list, the best first.")
    ] = 30,
    out: RunToWrite = None,
    picture: Annotated[
        Path | None, typer.Option(help="Picture to write: .png, .svg or .pdf.")
    ] = None,
    json: Json = False,
) -> None:
    """Rank models by votes: arenas, preferences, pairwise judges."""
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.pairs_summary import describe_pairs, print_pairs
    from itemcurve.cli.layout.terminal import output
    from itemcurve.cli.options.targets import check_picture, check_run, write_picture
    from itemcurve.pairs.pair_fitting import fit_pairs

    check_run(out)
    if picture is not None:
        check_picture(picture)
    fit = fit_pairs(votes, on_failure="ignore", **asked.settings())
    if out is not None:
        fit.save(out)
    if picture is not None:
        from itemcurve.plots.respondents.strengths import strengths

        write_picture(strengths(fit), picture)
    if json:
        print_json(describe_pairs(fit, votes))
        return
    console = output()
    print_pairs(fit, console, number)
    for made, what in ((out, "Fit"), (picture, "Picture")):
        if made is not None:
            console.print(f"{what} saved to {made}", soft_wrap=True)
