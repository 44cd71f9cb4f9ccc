"""Whether the advantage of a side, or a style, can be told from strengths at all."""

from dataclasses import replace

import numpy as np

from itemcurve.pairs.votes.vote_data import Codes, Floats
from itemcurve.pairs.votes.vote_rows import VoteRows

# Share of a covariate's variation that must be left when strengths and the others are known.
_LEAST_LEFT = 1e-8


def find_confounded(rows: VoteRows, n_respondents: int) -> tuple[bool, list[int]]:
    """Say whether the advantage of side a is confounded, and which styles are.

    A covariate is confounded where strengths, with the covariates before it, make the same
    difference in every vote: where the reference is always on side a, its strength and the
    advantage of that side are one and the same number.
    """
    total = rows.counts.sum(axis=1)
    extra = np.column_stack([rows.style, np.ones(len(rows))])
    left = _left_over(rows, total, extra, n_respondents)
    return not left[-1], [place for place in range(extra.shape[1] - 1) if not left[place]]


def order_is_told(rows: VoteRows, n_respondents: int, judge: Codes, n_judges: int) -> Floats:
    """Say of each judge whether its own votes tell the advantage of side a from strengths."""
    told = np.zeros(n_judges, dtype=bool)
    for code in np.unique(judge):
        own = rows.take(judge == code)
        met = np.unique(np.concatenate([own.first, own.second]))
        own = replace(
            own,
            first=np.searchsorted(met, own.first),
            second=np.searchsorted(met, own.second),
            style=own.style[:, :0],
        )
        told[code] = not find_confounded(own, len(met))[0]
    return told


def _left_over(rows: VoteRows, total: Floats, extra: Floats, size: int) -> list[bool]:
    """Whether something of each column is left, given strengths and the columns before it."""
    from scipy.sparse.csgraph import connected_components

    sums = np.stack(
        [
            np.bincount(rows.first, total * column, size)
            - np.bincount(rows.second, total * column, size)
            for column in extra.T
        ],
        axis=1,
    )
    met = np.bincount(rows.first * size + rows.second, total, size * size).reshape(size, size)
    met = met + met.T
    laplacian = np.diag(met.sum(axis=1)) - met
    # Strengths have no origin in any piece of votes: a constant added to all there changes nothing.
    piece = connected_components(met > 0, directed=False)[1]
    laplacian = laplacian + (piece[:, np.newaxis] == piece) * np.trace(laplacian) / size**2
    gram = (extra * total[:, np.newaxis]).T @ extra
    inside = gram - sums.T @ np.linalg.solve(laplacian, sums)
    own = np.diagonal(gram)
    left: list[bool] = []
    for place in range(len(gram)):
        is_left = bool(inside[place, place] > _LEAST_LEFT * own[place])
        left.append(is_left)
        if is_left:
            column = inside[:, place] / np.sqrt(inside[place, place])
            inside = inside - np.outer(column, column)
    return left
