"""Data sets as items, for people: who is able, which data sets are hard, what to do next."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.cli.layout.table_summaries.dataset_words import FARTHEST, say_datasets
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, number, output

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from itemcurve.datasets.dataset_table import DatasetTable
    from itemcurve.estimation.result import FitResult

# Fewer data sets order classifiers hardly better than their mean.
_FEW = 8
_MOST_NAMED = 3


def print_datasets(
    table: "DatasetTable", found: "FitResult", measure: str, out: Path | None
) -> None:
    """Print classifiers and data sets on their common scale, and what to do next."""
    console = output()
    count, splits = len(table.datasets), table.values.shape[3]
    _print_classifiers(console, found, measure)
    _print_sets(console, table, found, measure)
    for line in say_datasets(table, found, measure):
        console.print(clean(line), soft_wrap=True)
    if not found.status.is_converged:
        console.print(f"The fit ended otherwise than converged: {found.status}.", soft_wrap=True)
    if count < _FEW:
        console.print(
            f"{count} data sets tell little of classifiers: abilities and discriminations lean on "
            f"their priors. Add tables ({_FEW} or more) before you rely on the order.",
            soft_wrap=True,
        )
    _print_few_classifiers(console, found)
    _print_missing(console, table)
    for note in table.notes:
        console.print(clean(note), soft_wrap=True)
    if out is None:
        console.print(
            f"{splits} split{'s' * (splits > 1)} a table. Add --out RUN to keep all six measures "
            "and the fit.",
            soft_wrap=True,
        )
        return
    run = shlex.quote(str(out))
    # Of fewer data sets all can be measured.
    few = f"which few stand for all: itemcurve choose {run} 4\n" * (count >= _FEW)
    console.print(f"Saved to {out}, all six measures in measurements.csv", soft_wrap=True)
    console.print(
        "Next: place another classifier with few of these data sets by\n"
        f"  itemcurve adapt run --bank {run} --question ability --select combined "
        '--command "python measure_one.py {item}"\n'
        "measure_one.py is for you to write: given the name of a data set it trains your "
        f"classifier there and prints its {measure} on rows left out, 0 to 1, as its last line;\n"
        f"how many of them are enough, if any: itemcurve adapt plan {run} --rules\n"
        f"{few}"
        f"or see all: itemcurve report {run}",
        soft_wrap=True,
    )


def _print_classifiers(console: "Console", found: "FitResult", measure: str) -> None:
    own = found.respondents.sort_values("ability", ascending=False, kind="stable")
    columns = [
        Column("classifier", own["respondent"].tolist()),
        Column("ability ± se", _estimates(own, "ability")),
        Column(f"mean {measure}", [number(value, 3) for value in own["mean_response"]]),
    ]
    print_table(console, f"Classifiers by ability ({measure})", columns)


def _print_sets(
    console: "Console", table: "DatasetTable", found: "FitResult", measure: str
) -> None:
    places = {name: place for place, name in enumerate(table.datasets)}
    # By the plain mean: difficulty is drawn out where a curve is nearly flat.
    own = found.items.sort_values("mean_response", kind="stable")
    shapes = np.array([table.shapes[places[name]] for name in own["item"]])
    columns = [
        Column("data set", own["item"].tolist()),
        Column(f"mean {measure}", [number(value, 3) for value in own["mean_response"]]),
        Column("difficulty ± se", _difficulties(own)),
        Column("discrimination ± se", _estimates(own, "discrimination")),
        *_constant_column(table, [places[name] for name in own["item"]]),
        Column(
            "rows × features, classes",
            [f"{rows:,} × {wide:,}, {classes}" for rows, wide, classes in shapes],
            is_text=True,
            is_optional=True,
        ),
    ]
    print_table(console, f"Data sets, hardest first (by mean {measure})", columns)


def _constant_column(table: "DatasetTable", order: list[int]) -> list[Column]:
    if table.commonest is None:
        return []
    shares = [number(float(table.commonest[place]), 3) for place in order]
    return [Column("commonest\nclass", shares, is_optional=True)]


def _difficulties(own: "pandas.DataFrame") -> list[str]:
    """Difficulties; of data sets whose measure hardly changes with ability on which side."""
    pairs = zip(_estimates(own, "difficulty"), own["difficulty"], strict=True)
    sides = {True: f"> {FARTHEST}", False: f"< -{FARTHEST}"}
    return [told if abs(value) <= FARTHEST else sides[value > 0] for told, value in pairs]


def _estimates(table: "pandas.DataFrame", name: str) -> list[str]:
    pairs = zip(table[name], table[f"{name}_se"], strict=True)
    return [estimate(value, error) for value, error in pairs]


def _print_few_classifiers(console: "Console", found: "FitResult") -> None:
    """Say what the findings of the run say, in the words of its page."""
    from itemcurve.analysis.findings.data_findings import find_few_respondents

    finding = find_few_respondents(found)
    if finding is not None:
        console.print(
            f"{finding.code}: {finding.message} {finding.advice} Respondents are classifiers here: "
            "--pool random:50 has 50.",
            soft_wrap=True,
        )


def _print_missing(console: "Console", table: "DatasetTable") -> None:
    for line in table.missing[:_MOST_NAMED]:
        who, where, split, reason = line.split("\t")
        console.print(clean(f"{who} failed on {where}, split {split}: {reason}"), soft_wrap=True)
    if len(table.missing) > _MOST_NAMED:
        console.print(f"… and {len(table.missing) - _MOST_NAMED} more.", soft_wrap=True)
