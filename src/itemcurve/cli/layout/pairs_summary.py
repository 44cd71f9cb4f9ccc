"""How votes are shown: text for people, one object for machines.

`pairs --json` prints::

    itemcurve, command, votes_file
    votes, respondents, judges, items     numbers
    status           {name, message, gradient, iterations}
    errors           what votes are let go together: "independent", "vote", "item", …
    leaderboard      [{rank, respondent, strength, strength_se, lower, upper, best_rank, …}]
    effects          [{effect, estimate, se, lower, upper, share, share_lower, share_upper, unit}]
    judge_table      [{judge, votes, agreement, ties, discrimination, …}], null without judges
    unbounded        respondents who won or lost everything
    notes            what was left out
    findings         [{code, title, severity, message, advice, concerned}]
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, number, percent

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from itemcurve.pairs.pair_fit import PairFit

_MOST_JUDGES = 20


def describe_pairs(fit: "PairFit", source: Path | None) -> dict[str, Any]:
    """Give the object that `--json` prints."""
    votes, clusters = fit.setup.votes, fit.setup.clusters
    return {
        "itemcurve": __version__,
        "command": "pairs",
        "votes_file": None if source is None else str(source),
        "votes": len(votes),
        "respondents": len(fit.respondents),
        "judges": len(votes.judges),
        "items": len(votes.items),
        "status": {
            "name": fit.status.name.lower(),
            "message": str(fit.status),
            "gradient": fit.estimates.gradient,
            "iterations": fit.estimates.iterations,
        },
        "errors": "independent" if clusters is None else clusters.name,
        "leaderboard": fit.frame().to_dict("records"),
        "effects": fit.effects().to_dict("records"),
        "judge_table": None if votes.judge is None else fit.judges().to_dict("records"),
        "unbounded": list(fit.unbounded),
        "notes": list(fit.notes),
        "findings": fit.findings().frame().to_dict("records"),
    }


def print_pairs(fit: "PairFit", console: "Console", most: int) -> None:
    """Print the leaderboard, judges where there are several, and the summary."""
    table = fit.frame()
    shown = table.head(most)
    title = "Leaderboard of votes"
    title += f", the first {most} of {len(table):,}" if len(table) > most else ""
    print_table(console, title, _board_columns(shown))
    votes = fit.setup.votes
    if 1 < len(votes.judges) <= _MOST_JUDGES or fit.settings.judges == "own":
        _print_judges(console, fit.judges())
    for line in fit.summary().splitlines():
        console.print(clean(line), soft_wrap=True)


def _board_columns(table: "pandas.DataFrame") -> list[Column]:
    spans = zip(table["best_rank"], table["worst_rank"], strict=True)
    ranks = [f"{low}" if low == high else f"{low}-{high}" for low, high in spans]
    ends = zip(table["lower"], table["upper"], strict=True)
    return [
        Column("respondent", [str(name) for name in table["respondent"]]),
        Column("strength", [number(value) for value in table["strength"]]),
        Column("interval", [f"{number(low)} to {number(high)}" for low, high in ends]),
        Column("ranks it\nmay have", ranks),
        Column("tier", [str(tier) for tier in table["tier"]]),
        Column("wins to\nexpect", [_share(rate) for rate in table["expected_win_rate"]]),
        Column("wins as\nthey were", [_share(rate) for rate in table["win_rate"]]),
        Column("votes", [f"{count:,.0f}" for count in table["votes"]], is_optional=True),
    ]


def _print_judges(console: "Console", table: "pandas.DataFrame") -> None:
    has_own = "discrimination" in table
    table = table.sort_values("discrimination" if has_own else "votes", ascending=False)
    columns = [
        Column("judge", [str(name) for name in table["judge"]]),
        Column("votes", [f"{count:,}" for count in table["votes"]]),
        Column("with the\nstronger", [_share(share) for share in table["agreement"]]),
        Column("ties", [_share(share) for share in table["ties"]]),
    ]
    if has_own:
        pairs = zip(table["discrimination"], table["discrimination_se"], strict=True)
        columns.append(Column("discrimination\n± se", [estimate(*pair) for pair in pairs]))
    if "order" in table:
        pairs = zip(table["order"], table["order_se"], strict=True)
        columns.append(
            Column("advantage of\nside a ± se", [estimate(*p) for p in pairs], is_optional=True)
        )
    print_table(console, "Judges", columns)


def _share(share: float) -> str:
    return "–" if share != share else percent(share)
