"""The summary of an evaluation: who is best by what, which labels to look at, what to mind."""

from typing import TYPE_CHECKING

from itemcurve.analysis.findings.all_findings import Findings
from itemcurve.analysis.respondents.order_words import (
    SKILL_COLUMNS,
    RankedBy,
    say_best,
    say_order_of,
)
from itemcurve.estimation.result import FitResult
from itemcurve.reports.source import Source
from itemcurve.reports.summary import Summary, say_data, say_trust

if TYPE_CHECKING:
    import pandas

__all__ = ["BY_ABILITY", "SKILL_COLUMNS", "ranked_by", "say_order", "summarise_evaluation"]

BY_ABILITY = "By ability, the best first."


def summarise_evaluation(
    fit: FitResult, board: "pandas.DataFrame", source: Source, found: Findings
) -> Summary:
    """Write the summary of an evaluation.

    Parameters
    ----------
    board : the leaderboard's table, references included.
    """
    labels = str(source.notes("audit").get("labels") or "")
    best = say_best(board, ranked_by(source))
    return Summary(say_data(fit), best, labels, say_trust(found), found.is_trustworthy)


def ranked_by(source: Source) -> RankedBy:
    """Name what made the ranks of an evaluation: a model that was asked for ranks by ability."""
    return "ability" if source.notes("evaluation").get("is_model_named") else "skill"


def say_order(source: Source) -> str:
    """Say what the respondents are ranked by."""
    notes = source.notes("evaluation")
    order = say_order_of(
        str(notes.get("response") or ""),
        bool(notes.get("is_model_named")),
        are_labels_judged=notes.get("labels_judged") is not False,
    )
    slopes = str(notes.get("slopes") or "")
    return f"{order} Ability: {slopes}" if slopes else order
