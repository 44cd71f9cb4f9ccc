"""How comparisons are shown: text for people, one object for machines.

`diff --json` of two respondents prints::

    itemcurve, command
    a, b, items, score_a, score_b, difference, lower, upper, level, p_value, method
    better, worse     numbers of items
    detectable        least difference found in 8 of 10 cases
    margin            {margin, not_worse_p, not_better_p, equivalent_p}, null without one
    ability           {ability_a, ability_b, difference, error, lower, upper, n_items}, or null
    missing           {first, second, both, apart, notes, as_worst: {difference, lower, upper}}
    groups            [{group, items, score_a, …, adjusted_p}], by task where known
    flips             [{item, change, first, second, difference, text, …}]

`gate --json` adds verdict, exit_code, margin, significance, more_items and reason.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, number

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from itemcurve.analysis.comparison.respondent_comparison import RespondentComparison

_ANSWERS = ("baseline_answer", "candidate_answer")
_MOST_GROUPS = 30
_ANSWER_WIDTH = 12


def describe_comparison(
    found: "RespondentComparison",
    flips: "pandas.DataFrame",
    groups: "pandas.DataFrame",
    margin: float | None = None,
) -> dict[str, Any]:
    """Give the object that `--json` prints."""
    worst, missing = found.as_worst, found.missing
    return {
        "itemcurve": __version__,
        "a": found.a,
        "b": found.b,
        "items": found.n_items,
        "score_a": found.score_a,
        "score_b": found.score_b,
        "difference": found.difference,
        "lower": found.lower,
        "upper": found.upper,
        "level": found.level,
        "p_value": found.p_value,
        "method": found.method,
        "better": found.n_better,
        "worse": found.n_worse,
        "detectable": found.detectable(),
        "margin": None if margin is None else describe_margin(found, margin),
        "ability": None if found.ability is None else vars(found.ability),
        "missing": {
            "first": missing.first,
            "second": missing.second,
            "both": missing.both,
            "apart": list(missing.apart),
            "notes": list(missing.notes()),
            "as_worst": None
            if worst is None
            else {"difference": worst.difference, "lower": worst.lower, "upper": worst.upper},
        },
        "groups": groups.to_dict("records"),
        "flips": flips.to_dict("records"),
    }


def describe_margin(found: "RespondentComparison", margin: float) -> dict[str, float]:
    """Give the tests of a margin."""
    tested = found.within(margin)
    return {**vars(tested), "equivalent_p": tested.equivalent_p}


def say_margin(found: "RespondentComparison", margin: float) -> str:
    """Say what is shown about a margin."""
    from itemcurve.analysis.comparison.comparison_words import say_p

    tested = found.within(margin)
    b, a = clean(found.b), clean(found.a)
    worse = "is not worse" if tested.is_not_worse() else "may be worse"
    same = "do not differ" if tested.is_equivalent() else "may differ"
    return (
        f"Margin {margin:g}: {b} {worse} than {a} by more than that (p {say_p(tested.not_worse_p)} "
        f"of no harm); the two {same} by more than that (p {say_p(tested.equivalent_p)} of "
        "equivalence)."
    )


def print_groups(console: "Console", table: "pandas.DataFrame", kind: str = "task") -> None:
    """Print the comparison within each task or group, where there are several."""
    if len(table) < 2:
        return
    order = table.sort_values("difference", kind="stable").head(_MOST_GROUPS)
    columns = [
        Column(kind, [str(name) for name in order["group"]]),
        Column("items", [f"{count:,}" for count in order["items"]]),
        Column("baseline", [number(value, 3) for value in order["score_a"]]),
        Column("candidate", [number(value, 3) for value in order["score_b"]]),
        Column("difference", [f"{value:+.3f}" for value in order["difference"]]),
        Column(
            "interval",
            [f"{a:+.3f} to {b:+.3f}" for a, b in zip(order["lower"], order["upper"], strict=True)],
            is_optional=True,
        ),
        Column("p, all\ntogether", [number(value, 3) for value in order["adjusted_p"]]),
    ]
    more = f", {_MOST_GROUPS} of {len(table):,}" if len(table) > _MOST_GROUPS else ""
    print_table(console, f"By {kind}, the worst first{more}", columns)


def print_flips(console: "Console", table: "pandas.DataFrame", most: int) -> None:
    """Print the items that got worse and better, with their words where known."""
    from itemcurve.analysis.comparison.item_flips import pick_flips

    for change in ("worse", "better"):
        own = table[table["change"] == change]
        if own.empty or not most:
            continue
        shown = pick_flips(own, most)
        title = f"{len(own):,} answered {change}"
        print_table(
            console,
            title + (f", {most} of them" if len(own) > most else ""),
            _flip_columns(shown.to_dict("records"), list(own.columns)),
        )


def cut_flips(table: "pandas.DataFrame", most: int | None) -> "pandas.DataFrame":
    """Leave so many of each kind; all where nothing is said."""
    return table if most is None else table.groupby("change", sort=False).head(most)


def _flip_columns(rows: Sequence[Mapping[Any, Any]], names: list[str]) -> list[Column]:
    from itemcurve.cli.layout.terminal import truncate

    has_text = any(row.get("text") for row in rows)
    columns = [
        Column("item", [row.get("text") or row["item"] for row in rows], is_sentence=has_text),
        Column("baseline", [f"{row['first']:.3g}" for row in rows]),
        Column("candidate", [f"{row['second']:.3g}" for row in rows]),
    ]
    if set(_ANSWERS) <= set(names):
        both = [[truncate(clean(row[name]), _ANSWER_WIDTH) for name in _ANSWERS] for row in rows]
        cells = [f"{first or '(none)'} → {second or '(none)'}" for first, second in both]
        columns.append(Column("answers", cells, is_text=True, is_optional=True))
    return columns
