"""`itemcurve health`: what is wrong with a benchmark, and what is left of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.frequent_options import Json, Keep
from itemcurve.cli.options.option_groups import spread_options

if TYPE_CHECKING:
    from itemcurve.analysis.health.benchmark_health import BenchmarkHealth
    from itemcurve.responses.matrix import Responses

EXAMPLE = "Example: itemcurve health responses.npz --out items.csv"


@dataclass(frozen=True)
class EvidenceOptions:
    """What is known about the items besides the responses."""

    options: Annotated[
        Path | None,
        typer.Option(
            help="What was answered, as `itemcurve import` wrote it; found beside the responses "
            "if left out."
        ),
    ] = None
    groups: Annotated[
        Path | None,
        typer.Option(help="CSV file with columns item and group: subjects, to compare within."),
    ] = None
    n_options: Annotated[
        int | None,
        typer.Option(min=2, help="Options of a question, where what was chosen is not known."),
    ] = None
    seed: Annotated[int, typer.Option(min=0, help="The same seed, the same permutations.")] = 0

    def settings(self) -> dict[str, Any]:
        """Give them as `health` takes them, the options aside."""
        from itemcurve.cli.options.few_items_input import read_column

        groups = None if self.groups is None else read_column(self.groups, "group")
        return {"item_groups": groups, "n_options": self.n_options, "seed": self.seed}


@spread_options
def health_command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="RESPONSES_OR_RUN", help="File of responses, or run folder of `itemcurve fit`."
        ),
    ],
    known: EvidenceOptions,
    out: Annotated[Path | None, typer.Option(help="CSV file to write, one row per item.")] = None,
    number: Annotated[
        int, typer.Option("--items", min=0, help="Items to list, the likeliest wrong key first.")
    ] = 10,
    keep: Keep = False,
    json: Json = False,
) -> None:
    """Find dead, saturated, copied and wrongly keyed items."""
    from itemcurve.cli.layout.health_summary import describe, keep_tables, print_health
    from itemcurve.cli.layout.item_labels import find_labels
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.cli.options.targets import check_keep, write_csv

    check_keep(source, keep)
    settings = known.settings()
    found = _judge(_read(source), source, known.options, settings)
    if out is not None:
        write_csv(found.frame(), out, source)
    if keep:
        keep_tables(source, found)
    if json:
        print_json(describe(found, source, number))
        return
    console = output()
    print_health(found, console, number, find_labels(source, found.responses.items))
    if out is not None:
        console.print(f"Items saved to {out}", soft_wrap=True)


def _read(source: Path) -> "Responses":
    from itemcurve.estimation.saving.saved_fit import load
    from itemcurve.responses.matrix import Responses
    from itemcurve.storage.folder_swap import is_folder

    return load(source).responses if is_folder(source) else Responses.read(source)


def _judge(
    responses: "Responses", source: Path, given: Path | None, settings: dict[str, Any]
) -> "BenchmarkHealth":
    """Judge with the options given or found; those found may belong to other responses."""
    from itemcurve.analysis.health.benchmark_health import OptionsError, health
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.responses.chosen_options import ChosenOptions, find_options_file

    path = given or find_options_file(source)
    if path is None:
        return health(responses, **settings)
    try:
        return health(responses, options=ChosenOptions.load(path), **settings)
    except OptionsError:
        if given is not None:
            raise
        messages().print(f"{path} is left out: it holds no answers to these.", soft_wrap=True)
        return health(responses, **settings)
