"""How far pairs of raters agree, and how far they would if none were more severe than the other."""

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.responses.ratings.rating_table import Ratings

if TYPE_CHECKING:
    import pandas

_LEAST_SHARED = 10
_COLUMNS = (
    "rater",
    "other",
    "shared",
    "exact",
    "difference",
    "agreement",
    "agreement_corrected",
)


def tabulate_agreement(ratings: Ratings) -> "pandas.DataFrame":
    """One row per pair of raters with answers in common.

    `agreement` is the weighted kappa with squared weights: 1 where both always give the same.
    `agreement_corrected` is what it would be if both had the same mean and spread, the correlation
    of their ratings: what is left to disagree about once severity is taken out.
    """
    import pandas

    answer = ratings.respondent * len(ratings.items) + ratings.item
    rows = [
        _compare(ratings, answer, one, other)
        for one, other in combinations(range(len(ratings.raters)), 2)
    ]
    return pandas.DataFrame([row for row in rows if row is not None], columns=list(_COLUMNS))


def _compare(
    ratings: Ratings, answer: NDArray[np.int64], one: int, other: int
) -> dict[str, Any] | None:
    first, second = (_means(ratings, answer, rater) for rater in (one, other))
    _, a, b = np.intersect1d(first[0], second[0], assume_unique=True, return_indices=True)
    if len(a) < _LEAST_SHARED:
        return None
    x, y = first[1][a], second[1][b]
    apart = float(((x - y) ** 2).mean())
    covariance = float(((x - x.mean()) * (y - y.mean())).mean())
    by_chance = float(x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    spread = float(x.std() * y.std())
    return {
        "rater": ratings.raters[one],
        "other": ratings.raters[other],
        "shared": len(a),
        "exact": float((x == y).mean()),
        "difference": float((x - y).mean()),
        "agreement": 1 - apart / by_chance if by_chance > 0 else np.nan,
        "agreement_corrected": covariance / spread if spread > 0 else np.nan,
    }


def _means(
    ratings: Ratings, answer: NDArray[np.int64], rater: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Answers that a rater rated, with its mean rating of each."""
    own = ratings.rater == rater
    codes, place = np.unique(answer[own], return_inverse=True)
    sums = np.bincount(place, ratings.values[own], len(codes))
    return codes, sums / np.bincount(place, minlength=len(codes))


def measure_steadiness(ratings: Ratings) -> NDArray[np.float64]:
    """Share of a rater's repeated ratings that equal its first of the same answer; NaN if none."""
    key = ratings.respondent * len(ratings.items) + ratings.item
    found = np.full(len(ratings.raters), np.nan)
    for rater in range(len(ratings.raters)):
        own = np.flatnonzero(ratings.rater == rater)
        _, first, place = np.unique(key[own], return_index=True, return_inverse=True)
        again = np.ones(len(own), dtype=bool)
        again[first] = False
        if again.any():
            same = ratings.grade[own] == ratings.grade[own][first[place]]
            found[rater] = same[again].mean()
    return found
