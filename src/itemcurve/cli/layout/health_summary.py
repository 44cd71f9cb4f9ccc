"""How the health of a benchmark is shown: text for people, one object, tables of a run.

`health --json` prints::

    itemcurve, command, source
    shape             {respondents, items}
    checks            [{check, items, share, by_chance, advice}]
    headroom          [{cohort, respondents, score, best_score, headroom, solved, unsolved, …}]
    dimensions        {best, gain, by_chance, tried: [{dimensions, log_loss, gain, gain_se}]}, null
                      where there are too few data
    key_error_rate    share of wrong keys, as the model finds it
    uses_options      whether it was known what was chosen
    suspect_keys      [{item, …, key_error_probability, is_suspect}], the likeliest first
    redundant_pairs   [{first, second, correlation}], the closest first
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import number, percent

if TYPE_CHECKING:
    from rich.console import Console

    from itemcurve.analysis.health.benchmark_health import BenchmarkHealth

_MOST_PAIRS = 100


def describe(found: "BenchmarkHealth", source: Path, items: int) -> dict[str, Any]:
    """Give the object that `--json` prints."""
    checked = found.dimensions
    respondents, total = found.responses.shape
    return {
        "itemcurve": __version__,
        "command": "health",
        "source": str(source),
        "shape": {"respondents": respondents, "items": total},
        "checks": found.checks().to_dict("records"),
        "headroom": found.headroom().to_dict("records"),
        "dimensions": None
        if checked is None
        else {
            "best": checked.best,
            "gain": checked.gain,
            "by_chance": checked.by_chance,
            "tried": checked.frame().to_dict("records"),
        },
        "key_error_rate": found.keys.rate,
        "uses_options": found.keys.uses_options,
        "suspect_keys": found.suspect_keys(items).to_dict("records"),
        "redundant_pairs": found.redundant_pairs().head(_MOST_PAIRS).to_dict("records"),
    }


def print_health(
    found: "BenchmarkHealth", console: "Console", items: int, labels: Mapping[str, str]
) -> None:
    """Print checks, headroom, the number of abilities, and the items to read first."""
    from itemcurve.analysis.health.health_text import describe_dimensions

    _print_checks(found, console)
    _print_headroom(found, console)
    console.print(describe_dimensions(found), soft_wrap=True)
    console.print()
    if items:
        _print_suspects(found, console, items, labels)


def keep_tables(run: Path, found: "BenchmarkHealth") -> None:
    """Store tables in a run; its report shows each as a section."""
    from itemcurve.storage.run_folder import update_run
    from itemcurve.storage.tables import pack_table

    notes = {"in words": str(found).splitlines()[1:]}
    suspects = found.suspect_keys(max(50, int(found.keys.is_suspect.sum())))
    tables = {
        "health": pack_table(found.checks(), "Benchmark health", notes),
        "health_headroom": pack_table(found.headroom(), "Headroom"),
        "health_keys": pack_table(suspects, "Keys to read first"),
        "health_redundant": pack_table(found.redundant_pairs(), "Items answered alike"),
    }
    update_run(run, tables, {})


def _print_checks(found: "BenchmarkHealth", console: "Console") -> None:
    rows = found.checks().to_dict("records")
    respondents, total = found.responses.shape
    columns = [
        Column("items", [row["check"] for row in rows]),
        Column("found", [f"{row['items']:,}" for row in rows]),
        Column("share", [percent(row["share"]) for row in rows]),
        Column("by chance", [number(row["by_chance"], 1) for row in rows]),
    ]
    print_table(console, f"Health of {total:,} items, {respondents:,} respondents", columns)
    for row in rows:
        if row["advice"]:
            console.print(f"{row['check'].capitalize()}: {row['advice']}.", soft_wrap=True)
    console.print()


def _print_headroom(found: "BenchmarkHealth", console: "Console") -> None:
    cohorts = found.cohorts
    columns = [
        Column("respondents", [cohort.name for cohort in cohorts]),
        Column("mean\nscore", [number(cohort.score, 3) for cohort in cohorts]),
        Column("best\nscore", [number(cohort.best_score, 3) for cohort in cohorts]),
        Column("left to\ngain", [percent(cohort.headroom) for cohort in cohorts]),
        Column("solved\nby all", [percent(cohort.solved) for cohort in cohorts]),
        Column("solved\nby none", [percent(cohort.unsolved) for cohort in cohorts]),
        Column(
            "told\napart", ["yes" if cohort.is_told_apart else "no" for cohort in cohorts], True
        ),
    ]
    print_table(console, "Headroom", columns)


def _print_suspects(
    found: "BenchmarkHealth", console: "Console", items: int, labels: Mapping[str, str]
) -> None:
    table = found.suspect_keys(items)
    columns = [
        Column(
            "item",
            [labels.get(item, item) for item in table["item"]],
            is_sentence=bool(labels),
        ),
        Column("P(wrong\nkey)", [number(value) for value in table["key_error_probability"]]),
        Column("beyond\nchance", ["yes" if is_ else "no" for is_ in table["is_suspect"]], True),
        Column("mean", [number(value) for value in table["mean_response"]]),
        Column("best 5", [number(value) for value in table["best_mean"]]),
    ]
    if "likely_key" in table:
        columns.append(Column("rather", list(table["likely_key"]), True))
        columns.append(Column("chosen\nby", [percent(v) for v in table["likely_key_share"]]))
    how = "options chosen" if found.keys.uses_options else "right and wrong answers alone"
    print_table(console, f"Keys to read first, by {how}", columns)
