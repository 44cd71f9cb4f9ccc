"""`itemcurve judges`: which judge can be trusted, from a long table of ratings."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import EngineChoice
from itemcurve.cli.options.frequent_options import Json
from itemcurve.cli.options.option_groups import spread_options

if TYPE_CHECKING:
    from itemcurve.estimation.raters.settings import Raters

EXAMPLE = "Example: itemcurve judges ratings.csv --rater judge --respondent model --rating score"


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns say what, and what is known of the raters."""

    respondent: Annotated[str, typer.Option(help="Column of who was rated.")] = "respondent"
    item: Annotated[str, typer.Option(help="Column of what was answered.")] = "item"
    rater: Annotated[str, typer.Option(help="Column of who rated.")] = "rater"
    rating: Annotated[str, typer.Option(help="Column of the rating, a whole number.")] = "rating"
    time: Annotated[
        str | None, typer.Option(help="Column of when it was rated, to look for drift.")
    ] = None
    anchor: Annotated[
        list[str] | None,
        typer.Option(help="Rater whose severity is the origin, such as a person; may be repeated."),
    ] = None
    families: Annotated[
        Path | None,
        typer.Option(help="CSV file with columns id and family, of raters and respondents."),
    ] = None
    interaction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="respondent|item|none",
            help="What raters may like beyond quality; both when left out; may be repeated.",
        ),
    ] = None
    repeats: Annotated[
        bool, typer.Option("--repeats", help="A rater may have rated the same answer twice.")
    ] = False

    def settings(self) -> "Raters":
        """Give them as `fit` takes them."""
        from itemcurve.estimation.raters.settings import Raters

        chosen = ("respondent", "item") if self.interaction is None else tuple(self.interaction)
        return Raters(
            interactions=() if chosen == ("none",) else chosen,
            rater=self.rater,
            respondent=self.respondent,
            item=self.item,
            rating=self.rating,
            time=self.time,
            anchors=tuple(self.anchor or ()),
            families=None if self.families is None else _read_families(self.families),
            repeats=self.repeats,
        )


@spread_options
def judges_command(
    ratings: Annotated[
        Path, typer.Argument(help="Long table of ratings: .csv, .tsv, .jsonl or .parquet.")
    ],
    columns: ColumnOptions,
    model: Annotated[
        str, typer.Option(help="As grm, gpcm, pcm, rsm; 2pl or rasch for right and wrong.")
    ] = "grm",
    engine: Annotated[EngineChoice, typer.Option(help="Who computes.")] = EngineChoice.NUMPY,
    out: Annotated[
        Path | None, typer.Option(help="Run folder to write; a former run there is replaced.")
    ] = None,
    rate: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of false flags to allow of each kind.")
    ] = 0.05,
    json: Json = False,
) -> None:
    """Say which judges to trust, and rate models fairly."""
    from itemcurve.analysis.judges.judge_report import judge_report
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.judges_summary import describe, print_judges
    from itemcurve.cli.layout.terminal import output
    from itemcurve.cli.options.targets import check_run
    from itemcurve.estimation.fit import fit

    check_run(out)
    found = fit(
        str(ratings),
        model,
        raters=columns.settings(),
        engine=engine.value,
        on_failure="ignore",
    )
    report = judge_report(found, rate=rate)
    if out is not None:
        found.save(out)
    if json:
        print_json(describe(report, out))
    else:
        print_judges(report, output(), out)


def _read_families(path: Path) -> dict[str, str]:
    import csv

    from itemcurve.errors import ResponsesError

    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ResponsesError(
            "The file of families must be readable;", f"{error}.", "Check the path."
        ) from None
    if not rows or not {"id", "family"} <= set(rows[0]):
        raise ResponsesError(
            "The file of families must have columns id and family;",
            f"{str(path)!r} has {', '.join(rows[0]) if rows else 'no rows'}.",
            "Write it as id,family, one row per rater and respondent.",
        )
    return {row["id"]: row["family"] for row in rows}
