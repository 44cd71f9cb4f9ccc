"""`itemcurve compare`: several runs of the same responses, side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.frequent_options import Json

if TYPE_CHECKING:
    from itemcurve.analysis.model_fit.fit_comparison import Comparison

EXAMPLE = "Example: itemcurve compare run-2pl run-3pl --share 0.2 --seed 1"


def compare_command(
    runs: Annotated[list[Path], typer.Argument(help="Run folders that `itemcurve fit` wrote.")],
    share: Annotated[
        float, typer.Option(min=0.01, max=0.9, help="Share of the cells held out.")
    ] = 0.2,
    seed: Annotated[int, typer.Option(min=0, help="Which cells are held out.")] = 0,
    json: Json = False,
) -> None:
    """Compare fits by likelihood, AIC, BIC and held-out log score."""
    from itemcurve import __version__
    from itemcurve.analysis.model_fit.fit_comparison import compare
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.estimation.saving.saved_fit import load

    fits = [load(run) for run in runs]
    found = compare(*fits, names=_names(runs), share=share, seed=seed)
    if json:
        rows = found.frame().to_dict("records")
        print_json(
            {
                "itemcurve": __version__,
                "command": "compare",
                **found.settings,
                "fits": rows,
                "notes": list(found.notes),
            }
        )
    else:
        _print(found)


def _names(runs: list[Path]) -> list[str]:
    """Names of the folders, or their paths where these are not different."""
    names = [run.resolve().name for run in runs]
    return names if len(set(names)) == len(names) else [str(run) for run in runs]


def _print(found: "Comparison") -> None:
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import estimate, number, output

    table = found.frame()

    def pairs(name: str) -> list[str]:
        both = zip(table[name], table[f"{name}_se"], strict=True)
        return [estimate(1000 * value, 1000 * error) for value, error in both]

    columns = [
        Column("fit", [str(name) for name in table["fit"]]),
        Column("model", [str(name) for name in table["model"]], is_text=True),
        Column("held-out score\n± se (× 1000)", pairs("held_out")),
        Column("behind the best\n± se (× 1000)", pairs("held_out_difference")),
        Column("log-\nlikelihood", [number(v, 1) for v in table["log_likelihood"]]),
        Column("AIC", [number(v, 1) for v in table["aic"]], is_optional=True),
        Column("BIC", [number(v, 1) for v in table["bic"]], is_optional=True),
    ]
    if table["psis_loo"].notna().any():
        columns.append(Column("PSIS-LOO\n± se (× 1000)", pairs("psis_loo"), is_optional=True))
    console = output()
    cells = int(table["held_out_cells"].max())
    print_table(console, f"Fits, {cells:,} cells held out", columns)
    for note in found.notes:
        console.print(note, soft_wrap=True)
