"""Tables of fits of ratings, votes and several abilities, by the names of files to hold them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from itemcurve.analysis.judges.judge_report import judge_report
from itemcurve.dashboard.frozen_run import report
from itemcurve.errors import StorageError
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.exchange.table_files import write_table
from itemcurve.pairs.pair_fit import PairFit

PAGE = "report.html"
NAMES = ("judges", "agreement", "effects", "loadings", "correlations", "choice")


def export_other(fit: RaterFit | PairFit | DimensionsFit, files: Sequence[Path]) -> list[Path]:
    """Write tables of a fit of ratings, votes or several abilities; what it has not is refused."""
    contents, known = _tables(fit)
    for path in files:
        if path.stem not in known and path.name != PAGE:
            raise StorageError(
                f"A run of {contents} is exported as {', '.join(known)}, or {PAGE};",
                f"{path.name!r} is none of them.",
                f"Use {next(iter(known))}{path.suffix}.",
            )
    return [
        report(fit, path) if path.name == PAGE else write_table(known[path.stem](), path)
        for path in files
    ]


def _tables(fit: RaterFit | PairFit | DimensionsFit) -> tuple[str, Mapping[str, Callable[[], Any]]]:
    if isinstance(fit, RaterFit):
        return "ratings", of_ratings(fit)
    return ("votes", of_votes(fit)) if isinstance(fit, PairFit) else ("abilities", of_several(fit))


def of_several(fit: DimensionsFit) -> Mapping[str, Callable[[], Any]]:
    """What items tell of each ability, who has it, and how many there are where that was asked."""
    found: dict[str, Callable[[], Any]] = {
        "loadings": lambda: fit.loadings,
        "respondents": lambda: fit.respondents,
        "items": lambda: fit.items,
        "correlations": lambda: fit.correlations.rename_axis("ability").reset_index(),
    }
    if fit.choice is not None:
        found["choice"] = fit.choice.frame
    return found


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
