"""`itemcurve show`: what a run folder holds, for people or as JSON."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.options.frequent_options import Json, Run

HowWell = Annotated[
    bool, typer.Option("--fit", help="How well the model fits instead: M2 or C2, lz*, Q3, LD-X².")
]
Features = Annotated[
    Path | None,
    typer.Option(
        help="CSV file with a column item and features of items: what makes them hard instead."
    ),
]
EXAMPLE = "Example: itemcurve show run --respondents 20"


def show_command(
    run: Run,
    items: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Items of each kind (hardest, easiest, flagged), 5 when left out. "
            "With --json: the first N, all when left out.",
        ),
    ] = None,
    respondents: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Respondents from the top, 10 when left out, all with --json.",
        ),
    ] = None,
    fit: HowWell = False,
    features: Features = None,
    json: Json = False,
) -> None:
    """Show a fit: its best respondents and its notable items."""
    from itemcurve.cli.layout.abilities.explanation_summary import show_explanation
    from itemcurve.cli.layout.fit_summary import print_fit, print_statistics
    from itemcurve.cli.layout.item_labels import find_labels
    from itemcurve.cli.layout.json_layout import describe_fit, print_json
    from itemcurve.cli.layout.other_runs import show_other
    from itemcurve.cli.layout.terminal import output
    from itemcurve.estimation.result import FitResult
    from itemcurve.reports.other_runs.any_run import load

    result = load(run)
    if show_other(result, run, respondents, json):
        return
    assert isinstance(result, FitResult)
    if features is not None:
        show_explanation(result, features, json)
    elif fit:
        print_statistics(result, json)
    elif json:
        print_json(describe_fit(result, "show", run, respondents, items))
    else:
        labels = find_labels(run, result.responses.items)
        top = 10 if respondents is None else respondents
        print_fit(result, output(), top, 5 if items is None else items, labels)
