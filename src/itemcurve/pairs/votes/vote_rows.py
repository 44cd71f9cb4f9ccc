"""Votes added up: one row for all votes that the model cannot tell apart."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.pairs.votes.vote_cells import number_cells
from itemcurve.pairs.votes.vote_data import BOTH_BAD, TIE, A, B, Codes, Floats, Votes


@dataclass(frozen=True, eq=False)
class VoteRows:
    """Counts of outcomes, one row per combination of respondents, judge, item and style.

    Attributes
    ----------
    counts : how often a was better, b was better, neither was (rows × 3).
    both_bad : how many of the ties were both bad.
    votes : how many votes each row adds up, whatever their weights.
    judge, item : 0 everywhere where they are not told apart.
    style : in units of its spread (rows × covariates).
    """

    first: Codes
    second: Codes
    judge: Codes
    item: Codes
    counts: Floats
    both_bad: Floats
    votes: NDArray[np.int64]
    style: Floats

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: NDArray[np.bool_]) -> "VoteRows":
        """Give some of the rows."""
        return VoteRows(**{name: values[rows] for name, values in vars(self).items()})

    def weighted(self, factors: Floats) -> "VoteRows":
        """Give the rows with their counts multiplied, one factor each."""
        return replace(self, counts=self.counts * factors[:, np.newaxis])


def add_up(votes: Votes, *, by_judge: bool, by_item: bool, singly: bool) -> VoteRows:
    """Add up votes that have the same respondents, sides, judge and item.

    Parameters
    ----------
    by_judge, by_item : whether judges and items are told apart.
    singly : whether every vote stays a row, as those with a style of their own do.
    """
    none = np.zeros(len(votes), dtype=np.int64)
    judge = votes.judge if by_judge and votes.judge is not None else none
    item = votes.item if by_item and votes.item is not None else none
    style = votes.style if votes.style is not None else np.zeros((len(votes), 0))
    counts, bad = count_outcomes(votes)
    if singly or style.shape[1]:
        ones = np.ones(len(votes), dtype=np.int64)
        return VoteRows(votes.first, votes.second, judge, item, counts, bad, ones, style)
    size = len(votes.respondents)
    sizes = (size, size, max(len(votes.judges), 1), max(len(votes.items), 1))
    cells, firsts = number_cells((votes.first, votes.second, judge, item), sizes)
    total = len(firsts)
    sums = [np.bincount(cells, column, total) for column in counts.T]
    return VoteRows(
        votes.first[firsts],
        votes.second[firsts],
        judge[firsts],
        item[firsts],
        np.stack(sums, axis=1),
        np.bincount(cells, bad, total),
        np.bincount(cells, minlength=total),
        np.zeros((total, 0)),
    )


def count_outcomes(votes: Votes) -> tuple[Floats, Floats]:
    """Give what each vote counts for a, for b and for a tie (votes × 3), and for both bad."""
    weights = np.ones(len(votes)) if votes.weights is None else votes.weights
    outcomes = votes.outcomes
    is_bad = outcomes == BOTH_BAD
    sides = [outcomes == A, outcomes == B, (outcomes == TIE) | is_bad]
    counts = np.stack([side * weights for side in sides], axis=1)
    if votes.shares is not None:
        is_soft = ~np.isnan(votes.shares)
        shares = votes.shares[is_soft]
        parts = np.stack([shares, 1 - shares, np.zeros(len(shares))], axis=1)
        counts[is_soft] = parts * weights[is_soft, np.newaxis]
    return counts, is_bad * weights
