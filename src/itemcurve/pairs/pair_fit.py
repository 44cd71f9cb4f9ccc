"""The result of a fit of votes: data only, frozen, with tables for people."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.pairs import pair_effects
from itemcurve.pairs.pair_board import PairBoard, build_board
from itemcurve.pairs.pair_estimates import PairEstimates
from itemcurve.pairs.pair_settings import PairSettings
from itemcurve.pairs.pair_setup import PairSetup
from itemcurve.pairs.pair_status import PairStatus
from itemcurve.pairs.votes.vote_data import Floats
from itemcurve.showing.html_cards import html_card

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.findings.all_findings import Findings
    from itemcurve.pairs.vote_bootstrap import VoteBootstrap


@dataclass(frozen=True, eq=False)
class PairFit:
    """Strengths of respondents from votes, and how they were found.

    Attributes
    ----------
    setup : votes, and what was estimated of them.
    settings : what was asked for.
    estimates : the plain arrays.
    seconds : wall-clock time.
    """

    setup: PairSetup
    settings: PairSettings
    estimates: PairEstimates
    seconds: float

    @property
    def respondents(self) -> tuple[str, ...]:
        """In the order of the arrays, which is that of their names."""
        return self.setup.votes.respondents

    @property
    def status(self) -> PairStatus:
        """How the fit ended."""
        return self.estimates.status

    @property
    def unbounded(self) -> tuple[str, ...]:
        """Respondents without a finite strength."""
        known = np.isfinite(self.estimates.strengths)
        return tuple(name for name, is_in in zip(self.respondents, known, strict=True) if not is_in)

    @property
    def log_likelihood(self) -> float:
        """Of the votes among respondents with finite strengths."""
        return self.estimates.log_likelihood

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, and why."""
        return self.setup.notes

    @cached_property
    def strength_errors(self) -> Floats:
        """Standard errors of strengths."""
        return np.sqrt(np.diagonal(self.estimates.covariance))

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the errors; 0 where no clusters limit them."""
        return max(self.estimates.clusters - 1, 0)

    def reach(self, level: float) -> float:
        """Half-width of an interval at this level, in standard errors."""
        from scipy.special import ndtri, stdtrit

        if self.freedom:
            return float(stdtrit(self.freedom, 0.5 + level / 2))
        return float(ndtri(0.5 + level / 2))

    @cached_property
    def board(self) -> PairBoard:
        """Respondents ranked, with the ranks each may have."""
        return build_board(self)

    def frame(self) -> "pandas.DataFrame":
        """Give the leaderboard: one row per respondent, the best first."""
        return self.board.frame()

    def effects(self) -> "pandas.DataFrame":
        """Order, ties and styles: estimate, error, interval, and what it means as a share."""
        return pair_effects.effects_frame(self)

    def judges(self) -> "pandas.DataFrame":
        """Give one row per judge: votes, agreement and, with `judges="own"`, discrimination."""
        return pair_effects.judges_frame(self)

    def items(self) -> "pandas.DataFrame":
        """Give one row per item: votes, ties, both bad and, with `items="own"`, its parameters."""
        return pair_effects.items_frame(self)

    def win_probabilities(self) -> "pandas.DataFrame":
        """Share of wins, ties half, of each (row) against each (column), both orders averaged."""
        import pandas

        from itemcurve.pairs.win_rates import expected_shares

        names = list(self.board.respondents)
        own = pandas.DataFrame(expected_shares(self)[0], self.respondents, self.respondents)
        return own.loc[names, names]

    def predict(self, votes: Any) -> "pandas.DataFrame":
        """Give probabilities of a, b and tie for each vote, whose winners are not looked at."""
        from itemcurve.pairs.vote_predictions import predict_votes

        return predict_votes(self, votes)

    def log_loss(self, votes: Any) -> float:
        """Give the mean of −log probability of what was voted, in votes not fitted as a rule."""
        from itemcurve.pairs.vote_predictions import votes_log_loss

        return votes_log_loss(self, votes)

    def findings(self, *, mute: Iterable[str] = ()) -> "Findings":
        """Look for what a reader should know before trusting the order, without muted codes."""
        from itemcurve.pairs.pair_findings import find_in_pairs

        return find_in_pairs(self).without(mute)

    def bootstrap(self, draws: int = 200, *, seed: int = 0) -> "VoteBootstrap":
        """Draw votes again (clusters of them, where errors go by clusters) and fit each time."""
        from itemcurve.pairs.vote_bootstrap import bootstrap_votes

        return bootstrap_votes(self, draws, seed)

    def summary(self) -> str:
        """Say in sentences who is best, how sure that is, and what else votes follow."""
        from itemcurve.pairs.pair_words import summarise

        return "\n".join(summarise(self))

    def save(self, path: str | PathLike[str]) -> None:
        """Write a run folder that `itemcurve.pairs.load_pairs` reads."""
        from itemcurve.pairs.saved_pairs import save_pairs

        save_pairs(self, path)

    def _repr_html_(self) -> str:
        names = ["respondent", "strength", "lower", "upper", "best_rank", "worst_rank", "tier"]
        table = self.frame()[[*names, "expected_win_rate", "win_rate", "votes"]].round(2)
        # Votes may have weights, whose sums need no digits here.
        table["votes"] = [f"{count:,.0f}" for count in table["votes"]]
        title = f"Strengths of {len(self.respondents):,} from votes"
        words = self.summary().splitlines()[:3]
        return html_card(title, words, table, rows=30, more="All: .frame()")

    def __repr__(self) -> str:
        return (
            f"PairFit({len(self.respondents)} respondents, {len(self.setup.votes):,} votes, "
            f"{self.status.name.lower()}, first {self.board.respondents[0]!r}; .frame() has the "
            "table, .summary() says it in words)"
        )
