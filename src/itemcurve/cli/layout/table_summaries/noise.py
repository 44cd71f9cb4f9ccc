"""What noise did to abilities and errors, as people read it."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, number, output

if TYPE_CHECKING:
    from itemcurve.evaluation.noise.ability_loss import AbilityLoss
    from itemcurve.evaluation.noise.ability_variation import AbilityVariation
    from itemcurve.evaluation.noise.noise_sweep import NoiseSweep

_WORDS = {"mae": "mean absolute error", "error_rate": "error rate", "accuracy": "accuracy"}
_SOURCES = {
    "accuracy": "skill, the share of right answers where a label in doubt counts by what all "
    "models say of its row (accuracy takes it as given)",
    "mae": "the size of errors",
}
# Abilities in (0, 1) from here on have no room above: what is lost first is not seen.
_CEILING = 0.99
# What to look at next, by what was noisy.
_NEXT = {
    "labels": "which labels look wrong as they are: itemcurve audit",
    "targets": "who is best without noise, and on which rows: itemcurve evaluate",
    "features": "what noise does on easy and on hard rows: itemcurve robustness",
}


def print_loss(
    found: "AbilityLoss", sweep: "NoiseSweep", out: Path | None, table: str, target: str | None
) -> None:
    """Print ability and metric of every model without and with most noise, and what they say."""
    from itemcurve.evaluation.noise.noise_words import UNITS, say_cautions

    console, order = output(), found.order()
    draws = sum(step.level == found.levels[-1] for step in sweep.steps)
    most = UNITS[found.kind].format(level=found.levels[-1])
    name = _WORDS[found.measure].replace("mean absolute", "mean abs.")
    digits = 3 if found.measure == "accuracy" else 2
    for note in sweep.notes:
        console.print(clean(note), soft_wrap=True)
    columns = [
        Column("respondent", [found.respondents[place] for place in order], is_text=True),
        Column(f"{name}\nwithout", [number(found.plain[0, place], digits) for place in order]),
        Column("with\nnoise", [number(found.plain[-1, place], digits) for place in order]),
        Column("ability\nwithout", [number(found.ability[0, place]) for place in order]),
        Column("with\nnoise", [number(found.ability[-1, place]) for place in order]),
        Column(
            "change of\nability",
            [f"{found.ability[-1, place] - found.ability[0, place]:+.2f}" for place in order],
        ),
    ]
    print_table(console, f"Without noise, and with {most} ({draws} draws)", columns)
    console.print(
        f"Ability is from {_SOURCES[found.measure]}; all rows count alike, on one scale with noise "
        "and without.",
        soft_wrap=True,
    )
    for line in (*found.say(), *say_cautions(sweep)):
        console.print(clean(line), soft_wrap=True)
    # Without anybody to compare, who is good at all comes before robustness.
    asked = found.kind if found.is_ahead.any() else "targets"
    _print_end("changes.csv", asked, found.measure == "mae", out, table, target)


def print_variation(
    found: "AbilityVariation",
    sweep: "NoiseSweep",
    out: Path | None,
    table: str,
    target: str | None,
) -> None:
    """Print changes in per cent as the paper has them, and which of both moves less."""
    from itemcurve.evaluation.noise.noise_words import say_cautions

    console, error = output(), _WORDS[found.measure]
    _print_percentages(found, sweep.kind)
    if found.left_out:
        names = ", ".join(map(clean, found.left_out))
        console.print(f"Left out, because 0 has no percentages: {names}.", soft_wrap=True)
    for name, why in sweep.failures.items():
        console.print(clean(f"Left out: {name} ({why})."), soft_wrap=True)
    less = "less" if found.difference < 0 else "more"
    console.print(
        f"Abilities change {less} than the {error}, by {abs(found.difference):.1f} points on "
        f"average (p {found.p_value:.2g} over levels and respondents, {found.p_respondents:.2g} "
        "over respondents).",
        soft_wrap=True,
    )
    for line in (*_say_percentages(found), *say_cautions(sweep)):
        console.print(line, soft_wrap=True)
    _print_end("variation.csv", sweep.kind, found.measure == "mae", out, table, target)


def _print_percentages(found: "AbilityVariation", kind: str) -> None:
    error = _WORDS[found.measure].replace("mean absolute", "mean abs.")
    ability, errors = found.ability.mean(axis=0), found.error.mean(axis=0)
    digits = 3 if found.measure == "error_rate" else 2
    columns = [
        Column("respondent", list(found.respondents), is_text=True),
        Column("ability\n0 to 1", [number(value, 3) for value in found.ability_at[0]]),
        Column("with\nnoise", [number(value, 3) for value in found.ability_at[-1]]),
        Column(
            error[::-1].replace(" ", "\n", 1)[::-1],
            [number(value, digits) for value in found.error_at[0]],
        ),
        Column("with\nnoise", [number(value, digits) for value in found.error_at[-1]]),
        Column("change,\nability %", [number(value, 1) for value in ability]),
        Column("change,\nerror %", [number(value, 1) for value in errors]),
    ]
    title = f"Without noise, with noise in {kind} of {found.levels[-1]:g}; changes over all levels"
    print_table(output(), title, columns)


def _say_percentages(found: "AbilityVariation") -> list[str]:
    said = [
        "A percentage has no sign and favours what cannot exceed 1: leave --model out for what "
        "models get right, with signs, before you rely on it."
    ]
    full = [
        clean(name)
        for name, value in zip(found.respondents, found.ability_at[0], strict=True)
        if value >= _CEILING
    ]
    if full:
        said.append(
            f"At the ceiling without noise (ability {_CEILING} or more of 1): {', '.join(full)}. "
            "Abilities of stated probabilities rise with being sure; such a one shows no change "
            "while errors grow. Go by the errors."
        )
    unlike = _against_errors(found)
    if unlike:
        names = ", ".join(map(clean, unlike))
        said.append(f"Abilities rise although errors rise: {names}. Go by the errors.")
    return said


def _against_errors(found: "AbilityVariation") -> list[str]:
    """Who has a higher ability and more errors at the strongest level."""
    is_unlike = (np.diff(found.ability_at[[0, -1]], axis=0)[0] > 0) & (
        np.diff(found.error_at[[0, -1]], axis=0)[0] > 0
    )
    return [name for name, flag in zip(found.respondents, is_unlike, strict=True) if flag]


def _print_end(
    file: str, kind: str, is_number: bool, out: Path | None, table: str, target: str | None
) -> None:
    """Say where the tables are, and what to do next."""
    console = output()
    if out is None:
        console.print("Add --out FOLDER for the tables of all levels.", soft_wrap=True)
    else:
        console.print(
            f"Saved to {out}: changes at every level in {file}, leaderboards in sweep.csv",
            soft_wrap=True,
        )
    # Robustness is measured on classes; numbers have no rows of that kind.
    asked = "targets" if kind == "features" and is_number else kind
    given = f" --target {shlex.quote(target)}" if target else ""
    task = " --task regression" if is_number and asked == "targets" else ""
    console.print(f"Next: {_NEXT[asked]} {shlex.quote(table)}{given}{task}", soft_wrap=True)
