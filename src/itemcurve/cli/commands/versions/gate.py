"""`itemcurve gate`: may a candidate replace a baseline? The exit code says it."""

from dataclasses import dataclass
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
    GateMissingChoice,
    SideOptions,
)

if TYPE_CHECKING:
    from itemcurve.cli.options.side_options import Groups
    from itemcurve.gates.release_gate import GateResult

EXAMPLE = "Example: itemcurve gate baseline/ candidate/ --margin 0.01 --junit gate.xml"


@dataclass(frozen=True)
class GateOptions:
    """What is asked of the candidate."""

    margin: Annotated[
        float, typer.Option(min=0, help="How much lower a score is still no harm, as 0.01.")
    ]
    significance: Annotated[
        float, typer.Option(min=0.0001, max=0.4, help="Odds of a wrong verdict on either side.")
    ] = 0.05
    clusters: Clusters = None
    missing: Annotated[
        GateMissingChoice,
        typer.Option(
            help="Missing answers: left out, counted as the worst, or (both) the verdict must be "
            "the same either way."
        ),
    ] = GateMissingChoice.BOTH
    sequential: Annotated[
        bool,
        typer.Option(
            "--sequential", help="Asked again and again as items come in, in random order."
        ),
    ] = False


@dataclass(frozen=True)
class ShownOptions:
    """What is shown of it, and where it is written."""

    by: By = BY_TASK
    flips: Flips = None
    markdown: Annotated[
        Path | None, typer.Option(help="Markdown file to write, for a summary or a comment.")
    ] = None
    junit: Annotated[Path | None, typer.Option(help="JUnit XML file to write.")] = None


@spread_options
def gate_command(
    baseline: Annotated[
        Path, typer.Argument(help="Logs of any harness, a run folder, or a file of responses.")
    ],
    candidate: Annotated[Path, typer.Argument(help="The same of what is to be released.")],
    how: GateOptions,
    who: SideOptions,
    what: MeasureOptions,
    where: ColumnOptions,
    shown: ShownOptions,
    cache: Cache = True,
    json: Json = False,
) -> None:
    """Ship, regression or cannot tell: exit code 0, 10 or 11."""
    from itemcurve.analysis.comparison.answer_pairs import pair_answers
    from itemcurve.cli.options.side_options import (
        make_selection,
        read_clusters,
        read_groups_by,
        read_labelled,
    )
    from itemcurve.gates.release_gate import judge_sides
    from itemcurve.gates.sources import check_sides, name_sides

    selection = make_selection(what, where, cache=cache)
    lower = who.lower_is_better
    first = read_labelled(baseline, who.a, selection, lower_is_better=lower)
    second = read_labelled(candidate, who.b, selection)
    check_sides(first, second)
    pairs = pair_answers(
        first.responses,
        who.a,
        who.b,
        others=second.responses,
        clusters=read_clusters(how.clusters, baseline, first),
        is_higher_better=first.is_higher_better,
        tasks={**first.tasks, **second.tasks},
    )
    sides = (first, second)
    found = judge_sides(
        name_sides(pairs, sides),
        sides,
        how.margin,
        how.significance,
        how.missing.value,
        how.sequential,
    )
    _write(found, shown)
    _show(found, read_groups_by(shown.by, baseline, first), shown.flips, is_json=json)
    raise typer.Exit(found.exit_code)


def _write(found: "GateResult", shown: ShownOptions) -> None:
    from itemcurve.cli.options.targets import make_parent
    from itemcurve.storage.atomic_files import write_bytes

    flips = SHOWN_FLIPS if shown.flips is None else shown.flips
    if shown.markdown is not None:
        make_parent(shown.markdown)
        write_bytes(shown.markdown, found.markdown(flips).encode("utf-8", "replace"))
    if shown.junit is not None:
        make_parent(shown.junit)
        write_bytes(shown.junit, found.junit().encode("utf-8", "replace"))


def _show(found: "GateResult", groups_by: "Groups", flips: int | None, *, is_json: bool) -> None:
    from itemcurve.analysis.comparison.group_comparisons import compare_groups
    from itemcurve.cli.layout.comparison_summary import (
        cut_flips,
        describe_comparison,
        print_flips,
        print_groups,
    )
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import clean, output
    from itemcurve.gates.gate_words import describe_gate

    own = found.comparison
    changes = found.flips()
    kind, groups = groups_by
    table = compare_groups(own.pairs, groups, level=own.level)
    if is_json:
        document = describe_comparison(own, cut_flips(changes, flips), table, found.margin)
        verdict = {
            "command": "gate",
            "verdict": str(found.verdict),
            "exit_code": found.exit_code,
            "significance": found.significance,
            "more_items": found.more_items,
            "reason": found.reason,
        }
        print_json({**verdict, **document, "lower": found.lower, "upper": found.upper})
        return
    console = output()
    title, *lines = describe_gate(found)
    console.print(clean(title), style="bold", soft_wrap=True)
    for line in lines:
        console.print(clean(line), soft_wrap=True)
    console.print()
    print_groups(console, table, kind)
    print_flips(console, changes, SHOWN_FLIPS if flips is None else flips)
