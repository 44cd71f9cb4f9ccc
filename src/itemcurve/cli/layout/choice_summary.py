"""Items chosen for the score, for people: why each, how far they stand for all, what is next."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import messages, number

if TYPE_CHECKING:
    from itemcurve.adaptive.score.choice_worth import ChoiceWorth

_MOST_LISTED = 20


def print_choice(worth: "ChoiceWorth", out: Path | None) -> None:
    """Print to stderr why items were chosen: the ids on stdout stay one per line for programs."""
    console, table = messages(), worth.frame()
    shown = table.head(_MOST_LISTED)
    columns = [
        Column("item", shown["item"].tolist()),
        Column("how", shown["how"].tolist(), is_text=True),
        Column("mean", [number(value, 3) for value in shown["mean_response"]]),
        Column(f"of {worth.size:,},\n1 hardest", [f"{place:,}" for place in shown["place"]]),
        Column("agrees with\nthe others", [number(value) for value in shown["agreement"]]),
    ]
    listed = f" ({len(shown)} of {len(table):,} listed)" if len(shown) < len(table) else ""
    print_table(console, f"Why these items{listed}", columns)
    for line in say_choice(worth, out):
        console.print(line, soft_wrap=True)


def say_choice(worth: "ChoiceWorth", out: Path | None) -> list[str]:
    """Give what is said below the table."""
    table = worth.frame()
    drawn, count = int((table["how"] == "drawn").sum()), len(table)
    return [
        f"Drawn ({drawn}): by chance, evenly along difficulty and what respondents differ in, so "
        "that the answers speak for all items whoever gives them. "
        f"Chosen ({count - drawn}): each time the item that leaves the score of respondents like "
        "those known least uncertain. Agreement: rank correlation over respondents with the mean "
        "of all other items.",
        _say_worth(worth, count),
        *_say_ranks(worth, count),
        _say_next(out),
    ]


def _say_worth(worth: "ChoiceWorth", count: int) -> str:
    told = (
        f"The score of a respondent left out, predicted from {_items(count)}, errs by "
        f"{worth.error:.3f} (root mean square); from as many random ones by "
        f"{worth.random_error:.3f}, asking nothing by {worth.unasked_error:.3f}."
    )
    if count == worth.size:
        return "These are all items: nothing is left to predict."
    if worth.error > 0.9 * worth.unasked_error:
        return f"{told} These items hardly tell the score: ask more of them, or all."
    if worth.error > worth.random_error:
        return (
            f"{told} They are no better than random ones here: take more, or another draw (--seed, "
            "--random-share 1)."
        )
    return told


def _say_ranks(worth: "ChoiceWorth", count: int) -> list[str]:
    """Whether the plain mean of the items would do; it is not what they were chosen for."""
    if worth.rank != worth.rank:
        return []
    told = (
        f"Their plain mean ranks respondents as the mean of the others does by {worth.rank:.2f} "
        f"(rank correlation; as many random ones: {worth.random_rank:.2f})"
    )
    if worth.rank < worth.random_rank:
        told += ": they were chosen to predict the score, so predict it and do not take their mean"
    return [f"{told}."]


def _say_next(out: Path | None) -> str:
    new = "(new.csv: a row per new respondent, a column per item)"
    if out is not None:
        form = shlex.quote(str(out))
        return f"Next: ask new respondents, then: itemcurve predict {form} new.csv {new}"
    # Another seed, other weights or shares choose other items: only the same command keeps these.
    return (
        "Next: keep them with what predicts the score: the same command with --out short.json; ask "
        f"new respondents, then: itemcurve predict short.json new.csv {new}"
    )


def _items(count: int) -> str:
    return f"these {count:,}" if count > 1 else "this one"
