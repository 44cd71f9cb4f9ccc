"""What noise did to abilities and errors, as people read it."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.evaluation.noise.ability_variation import AbilityVariation

_WORDS = {"mae": "mean absolute error", "error_rate": "error rate"}


# What to look at next, by what was noisy.
_NEXT = {
    "labels": "which labels look wrong as they are: itemcurve audit",
    "targets": "who is best without noise, and on which rows: itemcurve evaluate",
    "features": "what noise does on easy and on hard rows: itemcurve robustness",
}


def print_variation(
    found: "AbilityVariation", kind: str, out: Path | None, table: str, target: str | None
) -> None:
    """Print mean changes of every respondent, which of both moves less, and what to do next."""
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import clean, number, output

    console = output()
    error = _WORDS[found.measure]
    ability, errors = found.ability.mean(axis=0), found.error.mean(axis=0)
    columns = [
        Column("respondent", list(found.respondents), is_text=True),
        Column("ability %", [number(value, 1) for value in ability]),
        Column(f"{error} %", [number(value, 1) for value in errors]),
        Column("difference", [number(a - e, 1) for a, e in zip(ability, errors, strict=True)]),
    ]
    print_table(console, f"Mean change under noise in {kind}, in per cent", columns)
    if found.left_out:
        names = ", ".join(map(clean, found.left_out))
        console.print(f"Left out, because 0 has no percentages: {names}.", soft_wrap=True)
    less = "less" if found.difference < 0 else "more"
    console.print(
        f"Abilities change {less} than the {error}, by {abs(found.difference):.1f} points on "
        f"average (p {found.p_value:.2g} over levels and respondents, {found.p_respondents:.2g} "
        "over respondents).",
        soft_wrap=True,
    )
    console.print(
        "A percentage favours what cannot exceed 1: look at single levels before you rely on it.",
        soft_wrap=True,
    )
    if out is None:
        console.print("Add --out FOLDER for the table of all levels.", soft_wrap=True)
    else:
        console.print(
            f"Saved to {out}: every level in sweep.csv, changes in variation.csv", soft_wrap=True
        )
    # Robustness is measured on classes; numbers have no rows of that kind.
    is_number = found.measure == "mae"
    asked = "targets" if kind == "features" and is_number else kind
    given = f" --target {target}" if target else ""
    console.print(f"Next: {_NEXT[asked]} {table}{given}", soft_wrap=True)
