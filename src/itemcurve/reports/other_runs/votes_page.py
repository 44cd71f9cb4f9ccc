"""The page of a fit of votes: who is strong, how sure that is, what else votes follow."""

from collections.abc import Iterable

import numpy as np

from itemcurve.pairs.pair_fit import PairFit
from itemcurve.reports.interval_picture import draw_intervals
from itemcurve.reports.other_runs.plain_page import MOST_ROWS, PlainPage
from itemcurve.reports.tables import PageTable, page_table


def votes_page(fit: PairFit, title: str, mute: Iterable[str] = ()) -> PlainPage:
    """Gather what the page shows."""
    board, votes = fit.frame(), fit.setup.votes
    ends = board[["lower", "strength", "upper"]].to_numpy(float)
    drawn = np.isfinite(ends).all(axis=1)
    names = [str(name) for name in board["respondent"][drawn]]
    near = board["best_rank"].to_numpy()[drawn] == 1
    picture = draw_intervals(names, ends[drawn], near, "strength") if drawn.any() else None
    found = fit.findings(mute=mute)
    # Findings have a section of their own.
    words = [line for line in fit.summary().splitlines() if not line.startswith("IRT")]
    return PlainPage(
        title or "Leaderboard of votes",
        f"{len(votes):,} votes between {len(fit.respondents):,} respondents",
        tuple(words),
        picture,
        tuple(_tables(fit)),
        found,
        (
            "Bradley and Terry (1952): the log odds that one is preferred to another are the "
            "difference of their strengths; ties by Davidson (1970).",
            f"The fit {fit.status} in {fit.estimates.iterations} iterations; log-likelihood "
            f"{fit.log_likelihood:,.2f}.",
            *fit.notes,
        ),
    )


def _tables(fit: PairFit) -> list[PageTable]:
    votes = fit.setup.votes
    found = {"Leaderboard": fit.frame(), "Effects": fit.effects()}
    if votes.judge is not None:
        found["Judges"] = fit.judges()
    if votes.item is not None:
        found["Items"] = fit.items()
    return [
        page_table(table.head(MOST_ROWS), title.lower(), title) for title, table in found.items()
    ]
