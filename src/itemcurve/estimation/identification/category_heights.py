"""Who chooses which category: a first guess at ability where categories come in no order.

Respondents and categories are scored by turns: a category by the mean of those who chose it, a
respondent by the mean of the categories chosen (homogeneity analysis, Guttman 1941). What the turns
settle on is the score that the categories agree about most.
"""

from functools import partial

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import ItemCategories
from itemcurve.responses.matrix import Responses

_TURNS = 40
# Categories that few have chosen are drawn to the mean, as by so many who lie there.
_SHRUNK_BY = 3.0


def category_heights(responses: Responses, codes: tuple[float, ...]) -> ItemCategories:
    """Mean score of those in each category (items × categories); scores have mean 0 and sd 1."""
    chosen = [responses.accumulate(partial(_is_code, code)) for code in codes]
    counts = [np.asarray(own.sum(axis=0)).ravel() for own in chosen]
    answered = np.maximum(sum(np.asarray(own.sum(axis=1)).ravel() for own in chosen), 1e-12)
    scores = _standardised(np.nan_to_num(responses.means(axis=1)))
    heights = np.zeros((len(counts[0]), len(codes)))
    for _ in range(_TURNS):
        columns = [
            np.asarray(own.T @ scores).ravel() / (count + _SHRUNK_BY)
            for own, count in zip(chosen, counts, strict=True)
        ]
        heights = np.stack(columns, axis=1)
        sums = sum(np.asarray(own @ h).ravel() for own, h in zip(chosen, columns, strict=True))
        scores = _standardised(sums / answered)
    return heights


def _standardised(scores: Array) -> Array:
    centred = scores - scores.mean()
    spread = float(centred.std())
    if spread < 1e-12:
        # Nobody differs by the codes: any start will do that differs.
        centred = np.linspace(-1.0, 1.0, len(scores))
        spread = float(centred.std())
    return centred / spread


def _is_code(code: float, values: Array) -> Array:
    return (values == code).astype(float)
