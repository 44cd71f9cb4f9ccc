"""Respondents ranked by their scores, with intervals of ranks and tiers from paired comparisons."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.comparison.answer_pairs import Clusters, code_clusters
from itemcurve.analysis.respondents.paired_differences import PairedDifferences, pair_scores
from itemcurve.analysis.respondents.rank_bounds import rank_bounds
from itemcurve.analysis.respondents.tiers import assign_tiers_by_pairs
from itemcurve.errors import ResponsesError
from itemcurve.responses.matrix import Responses
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ScoreBoard:
    """Respondents by score, the best first.

    Attributes
    ----------
    scores, lower, upper : mean score on the items answered, with its interval at `level`.
    best_rank, worst_rank : the ranks that each may have, all of them together with probability
        `1 − significance`: one more than the number of those that are shown to be better, and the
        number of those that are not shown to be worse (Holm over all pairs).
    tiers : 1 for the best; a respondent heads the next when it is told apart from all of a tier.
    behind_best, behind_lower, behind_upper : how much lower than the first, on the items that both
        answered.
    adjusted_p : of no difference from the first, for all pairs together.
    answered : items each answered.
    notes : what is missing.
    """

    respondents: tuple[str, ...]
    scores: Floats
    lower: Floats
    upper: Floats
    best_rank: Counts
    worst_rank: Counts
    tiers: Counts
    behind_best: Floats
    behind_lower: Floats
    behind_upper: Floats
    adjusted_p: Floats
    answered: Counts
    n_items: int
    level: float
    significance: float
    notes: tuple[str, ...] = ()

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent, the best first."""
        columns = (
            *("scores", "lower", "upper", "best_rank", "worst_rank", "tiers"),
            *("behind_best", "behind_lower", "behind_upper", "adjusted_p", "answered"),
        )
        ranks = np.arange(1, len(self.respondents) + 1)
        table = tabulate(self, *columns, rank=ranks, respondent=self.respondents)
        return table.rename(columns={"scores": "score", "tiers": "tier"})

    def __repr__(self) -> str:
        tied = int((self.best_rank == 1).sum())
        said = " ".join(self.notes)
        return (
            f"ScoreBoard({len(self.respondents)} respondents on {self.n_items:,} items, first "
            f"{self.respondents[0]!r}, {tied} may be the best; .frame() has the table)"
            + (f" {said}" if said else "")
        )


def score_board(
    responses: Responses,
    *,
    clusters: Clusters = None,
    level: float = 0.9,
    significance: float = 0.05,
    is_higher_better: bool = True,
) -> ScoreBoard:
    """Rank respondents by their mean scores, and say how sure every rank is.

    Each pair is compared on the items that both answered, so that what is hard for all does not
    blur who is better. No model is fitted.

    Parameters
    ----------
    clusters : cluster of every item: by id, or in the order of the items.
    significance : probability that one rank or more lies outside its interval.

    Examples
    --------
    >>> import itemcurve as ic
    >>> responses = ic.simulate("2pl", respondents=6, items=200, seed=1).responses
    >>> ic.paired.score_board(responses).frame()["best_rank"].iloc[0].item()
    1
    """
    sign = 1.0 if is_higher_better else -1.0
    scores = sign * responses.array()
    answered = (~np.isnan(scores)).sum(axis=1)
    if len(answered) < 2 or answered.min() < 2:
        raise ResponsesError(
            "A board needs 2 respondents at least, each with 2 answers;",
            f"given are {len(answered)}, one with {answered.min()} answers.",
            "Remove those without with responses.drop_empty().",
        )
    codes = None if clusters is None else code_clusters(clusters, responses.items)
    pairs = pair_scores(scores, codes)
    order = np.argsort(-pairs.means, kind="stable")
    return _lay_out(
        responses, pairs.take(order), order, answered[order], (sign, level, significance)
    )


def _lay_out(
    responses: Responses,
    pairs: PairedDifferences,
    order: NDArray[np.intp],
    answered: Counts,
    settings: tuple[float, float, float],
) -> ScoreBoard:
    from scipy.special import ndtri

    sign, level, significance = settings
    adjusted = pairs.adjusted_p_values()
    best, worst = rank_bounds(pairs.differences, adjusted, significance)
    reach = float(ndtri(0.5 + level / 2)) * pairs.own_errors
    ends = np.stack([sign * (pairs.means - reach), sign * (pairs.means + reach)])
    behind = pairs.differences[0]
    room = (np.broadcast_to(pairs.reach(level), pairs.errors.shape) * pairs.errors)[0]
    return ScoreBoard(
        tuple(responses.respondents[row] for row in order.tolist()),
        sign * pairs.means,
        ends.min(axis=0),
        ends.max(axis=0),
        best,
        worst,
        assign_tiers_by_pairs(pairs.means, adjusted, significance),
        behind,
        behind - room,
        behind + room,
        adjusted[0],
        answered,
        responses.shape[1],
        level,
        significance,
        _say_missing(responses, answered, order),
    )


def _say_missing(
    responses: Responses, answered: Counts, order: NDArray[np.intp]
) -> tuple[str, ...]:
    total = responses.shape[1]
    lacking = np.flatnonzero(answered < total)
    if not len(lacking):
        return ()
    worst = int(lacking[np.argmin(answered[lacking])])
    name = responses.respondents[int(order[worst])]
    return (
        f"{len(lacking)} of {len(order)} respondents lack answers, {name!r} the most "
        f"({total - answered[worst]:,} of {total:,}); pairs are compared on what both answered. "
        "Where answers fail on hard items this flatters who lacks them.",
    )
