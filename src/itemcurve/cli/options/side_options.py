"""What commands that compare two sides accept, and how they read them."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.log_options import ColumnOptions, MeasureOptions

if TYPE_CHECKING:
    from itemcurve.gates.sources import Selection, Side

BY_TASK = "task"
SHOWN_FLIPS = 10
Flips = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Items to list, of those that got worse and of the better ones; 10 if left out, "
        "all in --json.",
    ),
]
By = Annotated[
    str,
    typer.Option(
        metavar="FILE|task",
        help="Show where they differ: a CSV file with columns item and group (subjects), or the "
        "tasks of the logs.",
    ),
]
Groups = tuple[str, dict[str, str]]
Clusters = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|task",
        help="Items that go together (passages, subjects): a CSV file with columns item and "
        "group, or the tasks of the logs.",
    ),
]


class MissingChoice(StrEnum):
    """What becomes of missing answers where two are compared."""

    LEAVE_OUT = "leave-out"
    WORST = "worst"


class GateMissingChoice(StrEnum):
    """The same for a gate."""

    BOTH = "both"
    LEAVE_OUT = "leave-out"
    WORST = "worst"


@dataclass(frozen=True)
class SideOptions:
    """Who is compared, where a source holds several."""

    a: Annotated[
        str | None, typer.Option("--a", metavar="NAME", help="The baseline, where several are.")
    ] = None
    b: Annotated[
        str | None, typer.Option("--b", metavar="NAME", help="The candidate, where several are.")
    ] = None
    lower_is_better: Annotated[
        bool,
        typer.Option("--lower-is-better", help="For errors and losses in files; logs say it."),
    ] = False


def make_selection(what: MeasureOptions, where: ColumnOptions, *, cache: bool) -> "Selection":
    """Give what to read from logs, as sides take it."""
    from itemcurve.gates.sources import Selection

    task = tuple(what.task) if what.task else None
    return Selection(
        task, what.metric, what.filter, what.group, what.rescale, where.columns(), cache
    )


def read_labelled(
    path: Path, respondent: str | None, selection: "Selection", *, lower_is_better: bool = False
) -> "Side":
    """Read a side; items of files get the words that `itemcurve import` wrote beside them."""
    from itemcurve.cli.layout.item_labels import find_labels
    from itemcurve.gates.sources import read_side

    side = read_side(path, respondent, selection)
    side = replace(side, lower_is_better=lower_is_better)
    if side.texts:
        return side
    return replace(side, texts=find_labels(path, side.responses.items))


def read_clusters(given: str | None, path: Path, side: "Side") -> dict[str, str] | None:
    """Give the cluster of every item, where clusters are asked for."""
    from itemcurve.cli.options.few_items_input import read_groups

    if given is None:
        return None
    if given == BY_TASK and side.tasks:
        return dict(side.tasks)
    return read_groups(given, path, None)


def read_groups_by(given: str, path: Path, side: "Side") -> Groups:
    """Give the groups by which differences are shown: what they are called, and by item."""
    from itemcurve.cli.options.few_items_input import read_groups

    if given == BY_TASK:
        return BY_TASK, dict(side.tasks)
    return "group", read_groups(given, path, None)
