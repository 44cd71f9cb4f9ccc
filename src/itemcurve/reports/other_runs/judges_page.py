"""The page of a fit of ratings: which judge can be trusted, and how good models are."""

from collections.abc import Iterable

import numpy as np

from itemcurve.analysis.judges.judge_report import judge_report
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.reports.interval_picture import draw_intervals
from itemcurve.reports.other_runs.plain_page import MOST_ROWS, PlainPage
from itemcurve.reports.tables import page_table

_REACH = 1.645
_JUDGES = (
    *("rater", "flags", "severity", "severity_se", "consistency", "consistency_se"),
    *("discrimination", "discrimination_se", "own_family", "drift", "mean_rating", "ratings"),
)


def judges_page(fit: RaterFit, title: str, mute: Iterable[str] = ()) -> PlainPage:
    """Gather what the page shows."""
    report, ratings = judge_report(fit), fit.ratings
    board = fit.respondents.sort_values("ability", ascending=False, kind="stable")
    judges = report.frame()
    judges = judges[[name for name in _JUDGES if name in judges]]
    ability, error = board["ability"].to_numpy(), board["ability_se"].to_numpy()
    ends = np.stack([ability - _REACH * error, ability, ability + _REACH * error], axis=1)
    near = ends[:, 2] >= ends[0, 0]
    return PlainPage(
        title or "Which judge can be trusted",
        f"{len(ratings):,} ratings of {len(ratings.respondents):,} respondents on "
        f"{len(ratings.items):,} items by {len(ratings.raters):,} judges, model {fit.model}",
        tuple(str(report).splitlines()[1:]),
        draw_intervals(list(board["respondent"]), ends, near, "ability"),
        (
            page_table(judges, "judges", "Judges"),
            page_table(board.head(MOST_ROWS), "respondents", "Respondents"),
            page_table(report.agreement(), "agreement", "Pairs of judges"),
            page_table(fit.items.head(MOST_ROWS), "items", "Items"),
        ),
        report.findings(mute=mute),
        (
            f"Model {fit.model}: each judge has a severity of its own, and answers to an item "
            "differ in quality, which all their judges see. Items and answers are integrated out.",
            "Severity is in points of the rating scale; fair ratings are those that all judges (or "
            "the anchors) would give on average over all items.",
            f"The fit {fit.status} in {fit.iterations} iterations; log-likelihood "
            f"{fit.log_likelihood:,.2f}, {fit.n_parameters:,} parameters.",
        ),
    )
