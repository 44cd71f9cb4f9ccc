"""`itemcurve dif`: items that differ between groups of equally able respondents."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import LayoutChoice
from itemcurve.cli.options.frequent_options import Json, Keep, Layout, Picture
from itemcurve.cli.options.option_groups import spread_options

if TYPE_CHECKING:
    import pandas

    from itemcurve.estimation.groups.settings import Groups
    from itemcurve.responses.matrix import Responses

EXAMPLE = "Example: itemcurve dif responses.csv --groups released.csv --reference before"
_MOST_ROWS = 20


@dataclass(frozen=True)
class DifferenceOptions:
    """Which groups, and how items are tested."""

    groups: Annotated[
        Path | None,
        typer.Option(
            help="CSV file with columns respondent and group, one row each. A run that was fitted "
            "with groups knows them."
        ),
    ] = None
    model: Annotated[str, typer.Option(help="Model of the items.")] = "2pl"
    reference: Annotated[
        str | None, typer.Option(help="Group that others are compared with; else the first.")
    ] = None
    test: Annotated[str, typer.Option(help="auto, likelihood-ratio, wald or score.")] = "auto"
    level: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of false flags to allow.")
    ] = 0.05
    anchor: Annotated[
        list[str] | None,
        typer.Option(help="Item, or pattern, known to be the same for all; may be repeated."),
    ] = None

    def settings(self) -> dict[str, Any]:
        """Give them as `dif` takes them, groups aside."""
        return {
            "model": self.model,
            "test": self.test,
            "level": self.level,
            "anchors": self.anchor,
        }


@spread_options
def dif_command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="RESPONSES_OR_RUN",
            help="Who answered what: .csv, .jsonl, .parquet …, or run folder of `itemcurve fit`.",
        ),
    ],
    how: DifferenceOptions,
    out: Annotated[Path | None, typer.Option(help="CSV file to write the table to.")] = None,
    picture: Picture = None,
    keep: Keep = False,
    layout: Layout = LayoutChoice.AUTO,
    json: Json = False,
) -> None:
    """Find items that favour one group: contamination, languages."""
    from itemcurve import __version__
    from itemcurve.analysis.groups.item_differences import dif
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import clean, output
    from itemcurve.cli.options.targets import (
        check_keep,
        check_picture,
        write_csv,
        write_picture,
    )
    from itemcurve.plots import group_curves
    from itemcurve.reports.difference_section import difference_tables
    from itemcurve.storage.run_folder import update_run

    if picture is not None:
        check_picture(picture)
    check_keep(source, keep)
    read, known = _read(source, how.groups, how.reference, layout)
    found = dif(read, known, **how.settings())
    table = found.frame()
    if out is not None:
        write_csv(table, out, source, *([] if how.groups is None else [how.groups]))
    if keep:
        update_run(source, difference_tables(found), {})
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


def _read(
    source: Path, groups: Path | None, reference: str | None, layout: LayoutChoice
) -> "tuple[Responses, Groups]":
    """Responses and groups, from files or from a run that knows its own."""
    from itemcurve.cli.options.population_options import read_groups
    from itemcurve.errors import ResponsesError
    from itemcurve.estimation.groups.population_fit import PopulationFit
    from itemcurve.estimation.groups.settings import Groups
    from itemcurve.estimation.saving.saved_fit import load
    from itemcurve.reports.other_runs.any_run import load as load_any
    from itemcurve.responses.matrix import Responses
    from itemcurve.storage.folder_swap import is_folder

    if groups is not None:
        known = Groups(read_groups(groups), reference=reference)
        read = load(source).responses if is_folder(source) else Responses.read(source, layout.value)
        return read, known
    fit = load_any(source) if is_folder(source) else None
    if not isinstance(fit, PopulationFit) or len(fit.group_codes.names) < 2:
        raise ResponsesError(
            "Differences are sought between groups of respondents;",
            f"{str(source)!r} names none.",
            "Give --groups with a CSV file: columns respondent and group.",
        )
    codes = fit.group_codes
    labels = [codes.names[code] for code in codes.codes]
    return fit.fit.responses, Groups(labels, reference=reference or codes.names[0])


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
