"""How several respondents are shown beside each other: by score, or against a baseline."""

from typing import TYPE_CHECKING

from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, number

if TYPE_CHECKING:
    import pandas
    from rich.console import Console


def print_board(console: "Console", table: "pandas.DataFrame") -> None:
    """Print respondents by score, with the ranks that each may have."""
    spans = zip(table["best_rank"], table["worst_rank"], strict=True)
    ranks = [f"{low}" if low == high else f"{low}-{high}" for low, high in spans]
    columns = [
        Column("respondent", [str(name) for name in table["respondent"]]),
        Column("score", [number(value, 4) for value in table["score"]]),
        Column("ranks it\nmay have", ranks),
        Column("tier", [str(tier) for tier in table["tier"]]),
        Column("behind\nthe first", [number(value, 4) for value in table["behind_best"]]),
        Column(
            "interval",
            _intervals(table, "behind_lower", "behind_upper"),
            is_optional=True,
        ),
        Column("answered", [f"{count:,}" for count in table["answered"]], is_optional=True),
    ]
    print_table(console, "By score, ranks from paired comparisons", columns)


def print_baseline(console: "Console", table: "pandas.DataFrame", baseline: str) -> None:
    """Print respondents against one baseline."""
    columns = [
        Column("respondent", [str(name) for name in table["b"]]),
        Column("score", [number(value, 4) for value in table["score_b"]]),
        Column("difference", [f"{value:+.4f}" for value in table["difference"]]),
        Column("interval", _intervals(table, "lower", "upper"), is_optional=True),
        Column("p, all\ntogether", [number(value, 3) for value in table["adjusted_p"]]),
        Column("beyond\nchance", ["yes" if found else "no" for found in table["is_found"]], True),
        Column("items", [f"{count:,}" for count in table["items"]], is_optional=True),
    ]
    print_table(console, f"Against {clean(baseline)}", columns)


def _intervals(table: "pandas.DataFrame", low: str, high: str) -> list[str]:
    both = zip(table[low], table[high], strict=True)
    return [f"{first:+.4f} to {second:+.4f}" for first, second in both]
