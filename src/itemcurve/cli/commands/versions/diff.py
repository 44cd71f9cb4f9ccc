"""`itemcurve diff`: two models, or two runs, on the same items; or all of a folder."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.frequent_options import Cache, Json
from itemcurve.cli.options.log_options import ColumnOptions, MeasureOptions
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.side_options import (
    BY_TASK,
    SHOWN_FLIPS,
    By,
    Clusters,
    Flips,
    MissingChoice,
    SideOptions,
)

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.comparison.respondent_comparison import RespondentComparison
    from itemcurve.cli.options.side_options import Groups
    from itemcurve.gates.sources import Selection, Side

EXAMPLE = "Example: itemcurve diff logs/old/ logs/new/ --margin 0.01"


@dataclass(frozen=True)
class ComparisonOptions:
    """How two are compared."""

    clusters: Clusters = None
    missing: Annotated[
        MissingChoice, typer.Option(help="Leave missing answers out, or count them as the worst.")
    ] = MissingChoice.LEAVE_OUT
    margin: Annotated[
        float | None,
        typer.Option(min=0, help="Test equivalence and being no worse, within this margin."),
    ] = None
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="Of the intervals.")] = 0.9
    bank: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Run folder whose items anchor a comparison of ability."),
    ] = None


@spread_options
def diff_command(
    baseline: Annotated[
        Path, typer.Argument(help="Logs of any harness, a run folder, or a file of responses.")
    ],
    candidate: Annotated[
        Path | None,
        typer.Argument(help="The other run; left out where the first holds all to compare."),
    ] = None,
    *,
    who: SideOptions,
    how: ComparisonOptions,
    what: MeasureOptions,
    where: ColumnOptions,
    by: By = BY_TASK,
    flips: Flips = None,
    out: Annotated[
        Path | None, typer.Option(help="CSV file to write: items that changed, or the table.")
    ] = None,
    cache: Cache = True,
    json: Json = False,
) -> None:
    """Say whether a model is better than another on the same items."""
    from itemcurve.cli.options.side_options import make_selection, read_groups_by

    selection = make_selection(what, where, cache=cache)
    is_open = candidate is None and not (who.a and who.b)
    if is_open and _diff_many(baseline, who, how, selection, out, is_json=json):
        return
    found, first, second = _compare(baseline, candidate, who, how, selection)
    groups = read_groups_by(by, baseline, first)
    _show(found, (first, second), groups, how.margin, flips, out, is_json=json)


def _compare(
    baseline: Path,
    candidate: Path | None,
    who: SideOptions,
    how: ComparisonOptions,
    selection: "Selection",
) -> "tuple[RespondentComparison, Side, Side]":
    from itemcurve.analysis.comparison.respondent_comparison import compare_respondents
    from itemcurve.cli.options.side_options import read_clusters, read_labelled
    from itemcurve.errors import ResponsesError
    from itemcurve.estimation.saving.saved_fit import load
    from itemcurve.gates.sources import check_sides, name_sides

    names = (who.a, who.b)
    if candidate is None and who.a is None:
        both = read_labelled(baseline, None, selection).responses.respondents
        names = (both[0], both[-1])
    if candidate is None and names[0] == names[1]:
        raise ResponsesError(
            "Two different respondents are compared;",
            f"both are {names[0]!r}.",
            "Name another with --b, or give the other run as a second path.",
        )
    lower = who.lower_is_better
    first = read_labelled(baseline, names[0], selection, lower_is_better=lower)
    second = read_labelled(candidate or baseline, names[1], selection)
    check_sides(first, second)
    found = compare_respondents(
        first.responses,
        names[0],
        names[1],
        others=second.responses,
        clusters=read_clusters(how.clusters, baseline, first),
        level=how.level,
        missing=how.missing.value,
        is_higher_better=first.is_higher_better,
        bank=None if how.bank is None else load(how.bank).bank,
        tasks={**first.tasks, **second.tasks},
    )
    named = name_sides(found.pairs, (first, second)).names
    return replace(found, a=named[0], b=named[1]), first, second


def _show(
    found: "RespondentComparison",
    sides: "tuple[Side, Side]",
    groups_by: "Groups",
    margin: float | None,
    flips: int | None,
    out: Path | None,
    *,
    is_json: bool,
) -> None:
    from itemcurve.analysis.comparison.comparison_words import describe_comparison as say
    from itemcurve.analysis.comparison.group_comparisons import compare_groups
    from itemcurve.cli.layout.comparison_summary import (
        cut_flips,
        describe_comparison,
        print_flips,
        print_groups,
        say_margin,
    )
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import clean, output
    from itemcurve.cli.options.targets import write_csv
    from itemcurve.gates.gate_words import list_changes

    first, second = sides
    texts = {**first.texts, **second.texts}
    changes = list_changes(found, texts, (first.answers, second.answers))
    kind, groups = groups_by
    table = compare_groups(found.pairs, groups, level=found.level)
    if out is not None:
        write_csv(changes, out)
    if is_json:
        shown = cut_flips(changes, flips)
        print_json({"command": "diff", **describe_comparison(found, shown, table, margin)})
        return
    console = output()
    for line in say(found):
        console.print(clean(line), soft_wrap=True)
    if margin is not None:
        console.print(say_margin(found, margin), soft_wrap=True)
    console.print()
    print_groups(console, table, kind)
    print_flips(console, changes, SHOWN_FLIPS if flips is None else flips)


def _diff_many(
    source: Path,
    who: SideOptions,
    how: ComparisonOptions,
    selection: "Selection",
    out: Path | None,
    *,
    is_json: bool,
) -> bool:
    """Show all against one, or all by score; False where the source holds but two."""
    from itemcurve.analysis.comparison.baseline_comparisons import compare_to_baseline
    from itemcurve.analysis.comparison.score_board import score_board
    from itemcurve.cli.options.side_options import read_clusters, read_labelled

    side = read_labelled(source, None, selection, lower_is_better=who.lower_is_better)
    baseline = who.a
    if baseline is None and len(side.responses.respondents) == 2:
        return False
    clusters = read_clusters(how.clusters, source, side)
    if baseline is None:
        board = score_board(
            side.responses,
            clusters=clusters,
            level=how.level,
            is_higher_better=side.is_higher_better,
        )
        _show_table(board.frame(), board.notes, None, out, is_json=is_json)
        return True
    found = compare_to_baseline(
        side.responses,
        baseline,
        clusters=clusters,
        level=how.level,
        missing=how.missing.value,
        is_higher_better=side.is_higher_better,
    )
    table = found.frame()
    lacking = int(((table["missing_a"] > 0) | (table["missing_b"] > 0)).sum())
    notes = (f"In {lacking} of {len(table)} comparisons answers are missing; see --json.",)
    _show_table(table, notes[: bool(lacking)], baseline, out, is_json=is_json)
    return True


def _show_table(
    table: "pandas.DataFrame",
    notes: tuple[str, ...],
    baseline: str | None,
    out: Path | None,
    *,
    is_json: bool,
) -> None:
    from itemcurve import __version__
    from itemcurve.cli.layout.board_summary import print_baseline, print_board
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import clean, output
    from itemcurve.cli.options.targets import write_csv

    if out is not None:
        write_csv(table, out)
    if is_json:
        rows = table.to_dict("records")
        head = {"itemcurve": __version__, "command": "diff", "baseline": baseline}
        print_json({**head, "respondents": rows, "notes": list(notes)})
        return
    console = output()
    if baseline is None:
        print_board(console, table)
    else:
        print_baseline(console, table, baseline)
    for note in notes:
        console.print(clean(note), soft_wrap=True)
