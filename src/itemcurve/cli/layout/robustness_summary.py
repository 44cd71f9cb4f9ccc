"""What noise does to models, for people: a table, what its words mean, and what was noted."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, number, output

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from itemcurve.analysis.robustness.system_curves import SystemCurves


def print_verdicts(
    curves: "SystemCurves", found: "pandas.DataFrame", noise: float, out: Path | None
) -> None:
    """Print the verdicts, models whose predictions change least first."""
    from itemcurve.analysis.robustness.verdict_notes import explain_verdicts

    judged = found[~found["is_constant"]].sort_values("changed", kind="stable")
    console = output()
    if len(judged):
        _print_extremes(console, judged, int((curves.bins >= 0).sum()), noise)
        by_kappa = bool((found["measure"] == "kappa").all())
        columns = _columns(judged, by_kappa=by_kappa)
        print_table(console, _title(curves, by_kappa=by_kappa), columns)
    for note in (*explain_verdicts(found), *curves.notes):
        console.print(clean(note), soft_wrap=True)
    if out is not None:
        run = shlex.quote(str(out))
        console.print(f"Saved to {out}", soft_wrap=True)
        console.print(
            "Next: compare with other tables: itemcurve taxonomy "
            f"{run} OTHER --out taxonomy; the rows behind it: itemcurve report {run}",
            soft_wrap=True,
        )
    else:
        console.print("Add --out RUN to keep curves, tables and pictures.", soft_wrap=True)


def _title(curves: "SystemCurves", *, by_kappa: bool) -> str:
    if by_kappa:
        return f"Verdicts by κ lost, {max(curves.shares):.0%} of the rows being noisy"
    easy, hard = (int((curves.bins == place).sum()) for place in (0, curves.n_bins - 1))
    return (
        f"Predictions changed: of all {int((curves.bins >= 0).sum())} rows, the {easy} easiest, "
        f"the {hard} hardest; difference with {curves.level:.0%} interval"
    )


def _columns(judged: "pandas.DataFrame", *, by_kappa: bool) -> list[Column]:
    """What the verdict goes by stands before it; what a narrow terminal may drop comes last."""
    names = Column("model", judged["respondent"].tolist())
    verdict = Column("verdict", _words(judged), is_text=True)
    changes, losses = _changes(judged), _losses(judged, is_optional=not by_kappa)
    rest = [verdict, *_accuracies(judged)]
    return [names, *losses, *rest, changes[0]] if by_kappa else [names, *changes, *rest, *losses]


def _print_extremes(
    console: "Console", judged: "pandas.DataFrame", rows: int, noise: float
) -> None:
    first, last = judged.iloc[0], judged.iloc[-1]
    console.print(
        clean(
            f"Noise of level {noise:g} changes {round(first['changed'] * rows)} of "
            f"{rows} predictions of {first['respondent']}, the fewest, and "
            f"{round(last['changed'] * rows)} of {last['respondent']}, the most."
        ),
        soft_wrap=True,
    )
    console.print()


def _words(judged: "pandas.DataFrame") -> list[str]:
    marks = ["" if is_clear else " ?" for is_clear in judged["is_clear"]]
    return [word + mark for word, mark in zip(judged["verdict"], marks, strict=True)]


def _changes(judged: "pandas.DataFrame") -> list[Column]:
    spans = [
        f"{_points(middle):+d} [{_points(low)}, {_points(high)}]"
        for middle, low, high in zip(
            judged["difference"],
            judged["difference_lower"],
            judged["difference_upper"],
            strict=True,
        )
    ]
    return [
        Column("all", _percent(judged["changed"])),
        Column("easiest", _percent(judged["changed_easy"])),
        Column("hardest", _percent(judged["changed_hard"])),
        Column("hardest −\neasiest", spans),
    ]


def _losses(judged: "pandas.DataFrame", *, is_optional: bool) -> list[Column]:
    columns = []
    for bin_name, word in (("easy", "easiest"), ("hard", "hardest")):
        cells = [
            number(lost) if readable or not is_optional else "–"
            for lost, readable in zip(
                judged[f"loss_{bin_name}"], judged[f"kappa_readable_{bin_name}"], strict=True
            )
        ]
        columns.append(Column(f"κ lost,\n{word}", cells, is_optional=is_optional))
    return columns


def _accuracies(judged: "pandas.DataFrame") -> list[Column]:
    clean_ones = [number(value) for value in judged["accuracy"]]
    noisy = [number(value) for value in judged["accuracy_noisy"]]
    return [
        Column("accuracy,\nclean", clean_ones, is_optional=True),
        Column("accuracy,\nnoisy", noisy, is_optional=True),
    ]


def _points(share: float) -> int:
    """Percentage points, whole."""
    return round(share * 100)


def _percent(values: "pandas.Series") -> list[str]:
    return [f"{value:.0%}" for value in values]
