"""`itemcurve score`: abilities of new respondents against the items of a run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import LayoutChoice, MethodChoice
from itemcurve.cli.options.frequent_options import Json, Layout, Run, ScoresToWrite

if TYPE_CHECKING:
    from itemcurve.bank.ability_estimation import Scores

_MOST_ROWS = 20


EXAMPLE = "Example: itemcurve score run new.csv --method wle --out scores.csv"


def score_command(
    run: Run,
    responses: Annotated[
        Path, typer.Argument(help="Responses of new respondents to items of the run.")
    ],
    method: Annotated[
        MethodChoice,
        typer.Option(
            help="Posterior mean (eap) or mode (map), maximum likelihood (ml), Warm's (wle)."
        ),
    ] = MethodChoice.EAP,
    out: ScoresToWrite = None,
    layout: Layout = LayoutChoice.AUTO,
    json: Json = False,
) -> None:
    """Measure new respondents against the items of a run."""
    from itemcurve.bank.ability_estimation import score
    from itemcurve.cli.layout.json_layout import describe_scores, print_json
    from itemcurve.cli.options.targets import write_csv
    from itemcurve.estimation.saving.saved_fit import load
    from itemcurve.responses.matrix import Responses

    result = load(run)
    scores = score(result.bank, Responses.read(responses, layout.value), method=method.value)
    if out is not None:
        write_csv(scores.frame(), out, responses)
    if json:
        print_json(describe_scores(scores, run, result.model))
    else:
        is_stretched = result.estimates.model.latent.stretches
        _print_scores(scores, "sd" if is_stretched else "logits", out)


def _print_scores(scores: "Scores", unit: str, out: Path | None) -> None:
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import estimate, output

    table = scores.frame().head(_MOST_ROWS)
    pairs = zip(table["ability"], table["ability_se"], strict=True)
    columns = [
        Column("respondent", [str(name) for name in table["respondent"]]),
        Column(f"ability\n± se ({unit})", [estimate(value, error) for value, error in pairs]),
    ]
    if table["flags"].any():
        columns.append(Column("flags", list(table["flags"]), is_text=True))
    console = output()
    total = len(scores.respondents)
    title = f"Scores by {scores.method} ({len(table):,} of {total:,})"
    print_table(console, title, columns)
    if out is not None:
        console.print(f"Saved to {out}", soft_wrap=True)
    elif total > len(table):
        console.print("Add --out scores.csv or --json for all of them.", soft_wrap=True)
