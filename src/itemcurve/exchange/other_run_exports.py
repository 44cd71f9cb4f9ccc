"""Tables of fits of ratings and of votes, by the names of the files that are to hold them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from itemcurve.analysis.judges.judge_report import judge_report
from itemcurve.dashboard.frozen_run import report
from itemcurve.errors import StorageError
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.exchange.table_files import write_table
from itemcurve.pairs.pair_fit import PairFit

PAGE = "report.html"
NAMES = ("judges", "agreement", "effects")


def export_other(fit: RaterFit | PairFit, files: Sequence[Path]) -> list[Path]:
    """Write tables of a fit of ratings or votes; what it has not is refused."""
    known = of_ratings(fit) if isinstance(fit, RaterFit) else of_votes(fit)
    for path in files:
        if path.stem not in known and path.name != PAGE:
            raise StorageError(
                f"A run of {'ratings' if isinstance(fit, RaterFit) else 'votes'} is exported as "
                f"{', '.join(known)}, or {PAGE};",
                f"{path.name!r} is none of them.",
                f"Use {next(iter(known))}{path.suffix}.",
            )
    return [
        report(fit, path) if path.name == PAGE else write_table(known[path.stem](), path)
        for path in files
    ]


def of_ratings(fit: RaterFit) -> Mapping[str, Callable[[], Any]]:
    """What is known of judges, and of those whom they rated."""

    def board() -> Any:
        return fit.respondents.sort_values("fair_rating", ascending=False, kind="stable")

    found = judge_report(fit)
    return {
        "leaderboard": board,
        "respondents": lambda: fit.respondents,
        "items": lambda: fit.items,
        "judges": found.frame,
        "agreement": found.agreement,
        "findings": found.findings,
    }


def of_votes(fit: PairFit) -> Mapping[str, Callable[[], Any]]:
    """Strengths and what else votes follow; judges and items where votes name them."""
    votes = fit.setup.votes
    found: dict[str, Callable[[], Any]] = {
        "leaderboard": fit.frame,
        "effects": fit.effects,
        "findings": fit.findings,
    }
    if votes.judge is not None:
        found["judges"] = fit.judges
    if votes.item is not None:
        found["items"] = fit.items
    return found
