"""Confusion matrices for people: a choice and the errors in words, then the tables."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.analysis.confusion.error_kinds import say_errors
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, number, output

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from itemcurve.analysis.confusion.confusion_matrix import Confusion

_MOST_CELLS = 24
_MOST_ITEMS = 8
# So many classifiers have their errors told in words; nobody reads a page of paragraphs.
_MOST_TOLD = 4
_HEADERS = {
    "discrimination": "discrim-\nination",
    "difficulty": "diffi-\nculty",
    "guessing": "guess-\ning",
    "total_score": "Total\nScore",
    "information": "inform-\nation",
    "negative_share": "mal-\nformed",
}


def print_confusion(
    view: "Confusion",
    tables: dict[str, "pandas.DataFrame"],
    out: Path | None,
    link: Callable[[int], str],
    *,
    notes: Sequence[str] = (),
    is_table: bool = False,
) -> None:
    """Print what was found in words, then the tables behind it.

    Parameters
    ----------
    link : writes a row so that one can go to it, as `preds.csv:8`.
    notes : what was decided about the data.
    is_table : whether items are rows of a table, known by their names; else they are rows of a
        file of predictions.
    """
    console = output()
    for note in notes:
        console.print(clean(note), soft_wrap=True)
    if notes:
        console.print()
    _print_choice(console, view, tables["recommendation"])
    _print_errors(console, view, out, link)
    _print_metrics(console, view, tables["filtered_metrics"])
    _print_malformed(console, view, tables["malformed_items"], out, is_table)
    _print_cells(console, view, tables["confusion"])
    if out is not None:
        console.print(f"Saved to {out}; errors.csv has every error with its row.", soft_wrap=True)
    else:
        console.print("Not saved; --out writes every error with its row, tables and pictures.")


def _print_errors(
    console: "Console", view: "Confusion", out: Path | None, link: Callable[[int], str]
) -> None:
    """Say what the errors of the most accurate are made of."""
    texts, right = say_errors(view, link), view.is_right.sum(axis=1)
    order = sorted(range(len(texts)), key=lambda place: -int(right[place]))[:_MOST_TOLD]
    for place in order:
        console.print(clean(texts[place]), soft_wrap=True)
        console.print()
    rest = len(texts) - len(order)
    if rest:
        where = f"in {out}" if out is not None else "written with --out"
        console.print(
            f"The errors of {rest} less accurate ones are in errors.csv, {where}.", soft_wrap=True
        )
        console.print()


def _print_choice(console: "Console", view: "Confusion", chosen: "pandas.DataFrame") -> None:
    for sentence in chosen["sentence"].head(_MOST_TOLD):
        console.print(clean(sentence), soft_wrap=True)
    more = chosen["respondent"].iloc[_MOST_TOLD:].tolist()
    if more:
        console.print(clean(f"Tied with these, too: {', '.join(more)}."), soft_wrap=True)
    others = [name for name in view.respondents if name not in set(chosen["respondent"])]
    if others:
        best = chosen["respondent"].iloc[int(chosen["accuracy"].argmax())]
        console.print(
            clean(f"Less accurate than {best} (McNemar p < 0.05): {', '.join(others)}."),
            soft_wrap=True,
        )
    console.print()


def _print_cells(console: "Console", view: "Confusion", table: "pandas.DataFrame") -> None:
    filled = table[table["items"] > 0]
    cells = filled.head(_MOST_CELLS)
    names = [
        f"{name} {cell}" for name, cell in zip(cells["respondent"], cells["cell"], strict=True)
    ]
    columns = [Column("classifier, cell", names), Column("items", [str(v) for v in cells["items"]])]
    for name, head in _HEADERS.items():
        if name in cells:
            is_share = name == "negative_share"
            values = [f"{v:.0%}" if is_share else number(v) for v in cells[name]]
            columns.append(Column(head, values, is_optional=name == "information"))
    title = "What the items in each cell are like, on average"
    if len(view.classes) == 2:
        title += f" (positive: {clean(view.classes[view.positive])})"
    if len(cells) < len(filled):
        title += f", {len(cells)} of {len(filled)} cells"
    print_table(console, title, columns)
    guessing = " guessing: the chance of a hit without any ability." if "guessing" in cells else ""
    console.print(
        "discrimination: how sharply an item parts able from weak classifiers, below 0 the wrong "
        "way round (malformed). difficulty: the ability at which it is hit about half of the "
        f"time.{guessing} Total Score: chance of a hit for hits, minus the chance of a miss for "
        "misses.",
        soft_wrap=True,
    )
    console.print()


def _print_metrics(console: "Console", view: "Confusion", table: "pandas.DataFrame") -> None:
    accuracy = table[table["metric"] == "accuracy"]
    left_out = int(view.is_malformed.sum())
    columns = [
        Column("classifier", accuracy["respondent"].tolist()),
        Column("accuracy,\nall items", [number(v, 3) for v in accuracy["all"]]),
    ]
    if left_out:
        cells = [number(v, 3) for v in accuracy["well_formed"]]
        columns.append(Column("well-formed\nitems only *", cells))
    columns.append(Column("Total\nScore", [number(v, 3) for v in view.scores.total_score]))
    print_table(console, f"Accuracy on {len(view.bank)} items", columns)
    if left_out:
        console.print(
            f"* {accuracy['caveat'].iloc[0]}. Report the accuracy on all items.", soft_wrap=True
        )
        console.print()


def _print_malformed(
    console: "Console",
    view: "Confusion",
    table: "pandas.DataFrame",
    out: Path | None,
    is_table: bool,
) -> None:
    if not len(table):
        console.print("No item is malformed: none has a negative discrimination.")
        console.print()
        return
    shown = table.head(_MOST_ITEMS)
    title = f"{len(table)} of {len(view.bank)} items are malformed: negative discrimination"
    print_table(console, title, _item_columns(shown, is_table))
    console.print(_tell_evidence(table), soft_wrap=True)
    rest = len(table) - len(shown)
    if rest:
        place = f"in {out}" if out is not None else "written with --out"
        console.print(f"{rest} more are in malformed_items.csv, {place}.", soft_wrap=True)
    counted = (
        "" if is_table else "row: of the file of predictions, counted from 1 below its header. "
    )
    console.print(
        f"{counted}Look at these rows: a label may be wrong, or an instance may lie deep in the "
        "other class.",
        soft_wrap=True,
    )
    console.print()


def _item_columns(shown: "pandas.DataFrame", is_table: bool) -> list[Column]:
    hits = zip(shown["hit_by"], shown["classifiers"], strict=True)
    rows = [] if is_table else [Column("row", [str(v) for v in shown["row"]])]
    return [
        Column("item", shown["item"].tolist()),
        *rows,
        Column("given", [clean(v) for v in shown["given"]], is_text=True),
        Column("named\nby most", [clean(v) for v in shown["named"]], is_text=True),
        Column("hit by", [f"{hit} of {count}" for hit, count in hits]),
        Column("right in\nthe pool", [f"{v:.0%}" for v in shown["pool_right"]]),
        Column("p", [number(v, 3) for v in shown["p_value"]]),
        Column("discrim-\nination", [number(v) for v in shown["discrimination"]]),
    ]


def _tell_evidence(table: "pandas.DataFrame") -> str:
    """Say how far the pool bears out that the items run the wrong way."""
    from itemcurve.analysis.confusion.malformed_items import SURE_BELOW

    sure = int((table["p_value"] < SURE_BELOW).sum())
    untold = table[table["p_value"].isna()]
    unknown, is_missed = len(untold), bool((untold["pool_right"] == 0).all())
    parts = [
        f"in {sure} those of the pool who miss are abler than those who hit (p < {SURE_BELOW:g})"
    ]
    if unknown:
        word = "missed" if is_missed else "missed or hit"
        parts.append(f"{unknown} are {word} by the whole pool, which tells nothing of that")
    if sure + unknown < len(table):
        parts.append(f"{len(table) - sure - unknown} may be so by chance")
    return f"Of these, {'; '.join(parts)}."
