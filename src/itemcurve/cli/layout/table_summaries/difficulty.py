"""Difficulty of rows, for people: the hardest, how far it can be predicted, what to do next."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, output, percent

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from itemcurve.evaluation.difficulty.difficulty_explanation import DifficultyExplanation
    from itemcurve.evaluation.difficulty.table_difficulty import TableDifficulty

_SHOWN = 5
_FEATURES, _SURE = 8, 0.05
# Below this, predicted difficulties order new rows hardly better than chance.
_WEAK = 0.3


def print_difficulty(
    found: "TableDifficulty", table: str, target: str | None, out: Path | None
) -> None:
    """Print the hardest and easiest rows, those predicted, and what to do next."""
    console = output()
    rows = found.difficulty.frame().sort_values("difficulty", ascending=False, kind="stable")
    _, lowest, highest = found.count_ties()
    _print_rows(console, f"Hardest rows{_say_cut(highest)}", rows.head(_SHOWN))
    _print_rows(console, f"Easiest rows{_say_cut(lowest)}", rows.tail(_SHOWN).iloc[::-1])
    _print_ties(console, found)
    if found.explanation is not None:
        _print_explanation(console, found.explanation)
    learnt, nearest = found.check.spearman
    error = float(found.check.frame()["rmse"].iloc[0])
    spread = float(np.std(found.check.observed))
    console.print(
        f"Predicted from features for rows left out: rank correlation {learnt:.2f} with the "
        f"estimate (5 nearest neighbours {nearest:.2f}), error "
        f"{error:.2f} (rmse; difficulties spread by {spread:.2f}).",
        soft_wrap=True,
    )
    if found.new_rows is not None:
        console.print()
        _print_new(console, found)
        if not learnt >= _WEAK:
            console.print(
                f"A rank correlation below {_WEAK} orders new rows hardly better than chance: do "
                "not choose by it.",
                soft_wrap=True,
            )
    # What features explain has said its own notes.
    told = () if found.explanation is None else found.explanation.notes
    for note in (note for note in found.notes if note not in told):
        console.print(clean(note), soft_wrap=True)
    _print_findings(console, found, out)
    given = f" --target {shlex.quote(target)}" if target else ""
    _print_next(console, found, f"{shlex.quote(table)}{given}", out)


def _say_cut(ties: int) -> str:
    """How many tie with those that are listed, where not all are."""
    return f", {_SHOWN} of {ties:,} that tie" if ties > _SHOWN else ""


def _print_rows(console: "Console", title: str, rows: "pandas.DataFrame") -> None:
    pairs = zip(rows["difficulty"], rows["difficulty_se"], strict=True)
    columns = [
        Column("row", [str(item) for item in rows["item"]]),
        Column("label", [str(label) for label in rows["label"]], is_text=True),
        Column("difficulty ± se", [estimate(value, error) for value, error in pairs]),
        Column("right answers", [percent(share) for share in rows["mean_response"]]),
    ]
    print_table(console, title, columns)


def _print_explanation(console: "Console", found: "DifficultyExplanation") -> None:
    """Print the features whose effect is beyond doubt, the surest first."""
    table = found.frame()
    sure = table[table["p_adjusted"] < _SURE]
    if sure.empty:
        console.print(
            "No feature by itself makes rows harder beyond doubt"
            + "".join(f". {clean(note.rstrip('.'))}" for note in found.notes)
            + ". Predictions use all features together and need not be straight lines: they may be "
            "good all the same.",
            soft_wrap=True,
        )
        return
    shown = sure.head(_FEATURES)
    columns = [
        Column("feature", [clean(name) for name in shown["feature"]], is_text=True),
        Column("in class", [clean(name) for name in shown["class"]], is_text=True),
        Column("harder by", [f"{value:+.2f}" for value in shown["effect"]]),
        Column("from", [f"{value:+.2f}" for value in shown["lower"]]),
        Column("to", [f"{value:+.2f}" for value in shown["upper"]]),
    ]
    print_table(console, "What makes rows hard", columns)
    more = f" {len(sure) - len(shown)} more are beyond doubt." if len(sure) > len(shown) else ""
    console.print(
        "Difficulty per standard deviation of the feature, or with this level; features and "
        f"classes explain {found.explained:.0%} of its variance, features alone, which is all that "
        f"a new row has, {found.explained_without_class:.0%} of it.{more}",
        soft_wrap=True,
    )
    for note in found.notes:
        console.print(clean(note), soft_wrap=True)


def _print_new(console: "Console", found: "TableDifficulty") -> None:
    rows = found.new_frame()
    top = rows.sort_values("difficulty", ascending=False, kind="stable").head(2 * _SHOWN)
    spans = zip(top["right_lower"], top["right_upper"], strict=True)
    columns = [
        Column("new row", [str(row) for row in top["row"]]),
        Column(
            "difficulty ± error",
            [
                estimate(value, error)
                for value, error in zip(top["difficulty"], top["error"], strict=True)
            ],
        ),
        Column("right,\ntypically", [percent(share) for share in top["right"]]),
        Column("eight in ten\nwithin", [f"{low:.0%} to {high:.0%}" for low, high in spans]),
        Column("known as hard,\nmost wrong of", [percent(share) for share in top["mostly_wrong"]]),
        Column("harder than\nof known", [percent(share) for share in top["harder_than"]]),
    ]
    print_table(console, f"New rows, {len(top)} hardest of {len(rows):,}", columns)
    for line in say_new(found):
        console.print(line, soft_wrap=True)


def say_new(found: "TableDifficulty") -> list[str]:
    """Say which new rows a person should see, what the numbers are from, and what moves them."""
    known = found.new_rows
    if known is None:
        return []
    order = np.argsort(-known.difficulty, kind="stable")
    doubtful = [str(place + 1) for place in order if known.is_doubtful[place]]
    of_all = f"of all known rows that is so of {known.known_wrong:.0%}"
    if not doubtful:
        said = (
            "No new row is doubtful: of known rows predicted to be as hard, most models are wrong "
            f"of fewer than a quarter ({of_all})."
        )
    else:
        more = len(doubtful) - 2 * _SHOWN
        shown = ", ".join(doubtful[: 2 * _SHOWN])
        shown += f" and {more} more (is_doubtful in predicted.csv, --out)" if more > 0 else ""
        said = (
            f"Doubtful are {len(doubtful):,} of {len(known.difficulty):,}, which a person should "
            f"see first: {shown}. Of known rows predicted to be as hard, most models are wrong of "
            f"a quarter or more ({of_all})."
        )
    return [
        said,
        f"Error and right answers are those of the {known.count:,} known rows that are predicted, "
        "without themselves, to be as hard. Rows are ordered by difficulty: differences smaller "
        "than the error are none, and another --seed may order such rows anew and move their right "
        "answers by as much as a wide range allows.",
    ]


def _print_ties(console: "Console", found: "TableDifficulty") -> None:
    """Say how far rows can be told apart."""
    rows = len(found.difficulty.values)
    count, lowest, highest = found.count_ties()
    if count == rows:
        return
    console.print(
        f"{rows:,} rows have {count:,} difficulties: {highest:,} tie as hardest, {lowest:,} as "
        "easiest. Rows that the same number of models answer right cannot be told apart: a larger "
        "pool (--pool random:200) or --model beta3 tells more of them.",
        soft_wrap=True,
    )
    console.print()


def _print_findings(console: "Console", found: "TableDifficulty", out: Path | None) -> None:
    """Print what casts doubt on the scale of difficulty, warnings in full and notes by number."""
    from itemcurve.analysis.findings.all_findings import findings

    known = list(findings(found.difficulty.fit))
    warnings = [finding for finding in known if finding.severity == "warning"]
    for finding in warnings:
        console.print(clean(f"{finding.code}: {finding.message}"), soft_wrap=True)
    more = len(known) - len(warnings)
    if known and out is not None:
        also = f" and {more} note{'s' * (more > 1)}" if more else ""
        console.print(
            f"What to do about {'these' if warnings else 'what else was found'}{also}: "
            f"itemcurve findings {shlex.quote(str(out))}",
            soft_wrap=True,
        )


def _print_next(console: "Console", found: "TableDifficulty", asked: str, out: Path | None) -> None:
    if out is None:
        console.print("Add --out RUN to keep all rows.", soft_wrap=True)
    else:
        names = ["difficulty.csv"]
        names += ["predicted.csv"] if found.new_rows is not None else []
        console.print(f"Saved to {out}, all rows in {' and '.join(names)}", soft_wrap=True)
        if found.explanation is not None:
            console.print("All features are in explained.csv.", soft_wrap=True)
    console.print(
        f"Next: a hard row may have a wrong label: itemcurve audit {asked}\n"
        f"What noise does on easy and on hard rows: itemcurve robustness {asked}",
        soft_wrap=True,
    )
