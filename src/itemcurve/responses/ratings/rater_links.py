"""Whether raters can be compared: do the ratings tell severity from difficulty and ability?"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from itemcurve.errors import ResponsesError
from itemcurve.responses.ratings.rating_table import Ratings

_LEAST = 3
_ZERO = 1e-8


def check_links(ratings: Ratings) -> None:
    """Raise unless the severities of all raters can be compared.

    They can where effects of respondents, items and raters that add up to the same ratings differ
    by constants only. Raters who rated some of the same answers are linked; so are those who rated
    answers of the same respondents to the same items, crosswise. Raters each with respondents or
    items of their own are not: who is severe and what is hard would be one question.
    """
    if len(ratings.raters) < 2:
        raise ResponsesError(
            "Raters are compared with one another, so there must be two at least;",
            f"all ratings are by {ratings.raters[0]!r}.",
            "Fit without raters, or name the column that tells raters apart.",
        )
    if len(ratings.respondents) < _LEAST or len(ratings.items) < _LEAST:
        raise ResponsesError(
            f"Raters are judged by ratings of {_LEAST} respondents and {_LEAST} items at least;",
            f"given are {len(ratings.respondents)} respondents and {len(ratings.items)} items.",
            "Add respondents or items, or check which column is which.",
        )
    groups = find_groups(ratings)
    if len(groups) > 1:
        shown = "; ".join(", ".join(repr(ratings.raters[k]) for k in g[:3]) for g in groups[:3])
        raise ResponsesError(
            "Raters must be linked by answers that several of them rated;",
            f"they fall into {len(groups)} groups whose severities cannot be compared: {shown}.",
            "Let a rater of each group rate some answers of the other, or fit each group alone.",
        )


def find_groups(ratings: Ratings) -> list[NDArray[np.intp]]:
    """Groups of raters whose severities can be compared within, not between."""
    _, group = np.unique(np.round(_undetermined(ratings), 5), axis=0, return_inverse=True)
    return [np.flatnonzero(group.ravel() == k) for k in range(int(group.max()) + 1)]


def _undetermined(ratings: Ratings) -> NDArray[np.float64]:
    """Changes of severities (raters × directions) that the ratings cannot tell from nothing."""
    sides = sorted(
        ((ratings.respondent, len(ratings.respondents)), (ratings.item, len(ratings.items))),
        key=lambda side: side[1],
    )
    (few, n_few), (many, n_many) = sides
    n_raters = len(ratings.raters)
    ones = np.ones(len(ratings))
    places = np.tile(many, 2), np.concatenate([few, n_few + ratings.rater])
    table = csr_array((np.tile(ones, 2), places), shape=(n_many, n_few + n_raters))
    counts = np.bincount(many, minlength=n_many)
    across = np.zeros((n_few + n_raters,) * 2)
    np.add.at(across, (few, n_few + ratings.rater), 1.0)
    across += across.T
    np.fill_diagonal(
        across,
        np.concatenate([np.bincount(few, minlength=n_few), np.bincount(ratings.rater)]),
    )
    scaled = csr_array(table.multiply(1 / np.sqrt(counts)[:, None]))
    # What is left of the information about the few and the raters, the many being free.
    left = across - (scaled.T @ scaled).toarray()
    scale = np.sqrt(np.diag(across))
    values, vectors = np.linalg.eigh(left / np.outer(scale, scale))
    null = (vectors / scale[:, None])[n_few:, values < _ZERO]
    null = null / np.maximum(np.abs(null).max(), 1e-300)
    # All severities alike is no difference between raters.
    return np.asarray(null - null.mean(axis=0))
