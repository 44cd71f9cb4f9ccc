"""Ratings where scores are meant: a few grades, evenly apart, are no continuous responses.

Divided by their maximum, ratings lie in [0, 1] and every model of scores takes them; but a density
of scores does not describe five points. On simulated grades beta3 then covers 30 to 48 % of
abilities with intervals of 90 %.
"""

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

# Grades are at least three (two are right and wrong), and rarely more than ten, from 0 or 1 on.
_FEWEST_GRADES, _MOST_GRADES = 3, 11
# Fewer responses may be so few different ones by chance.
_ENOUGH_RESPONSES = 50
_LOOKED_AT = 200_000
_ROUNDING = 1e-6


def grades_among(responses: Responses) -> Array | None:
    """The values of responses that look like grades: few, evenly apart; None where they do not."""
    first = next(responses.values_by_block(), np.zeros(0))
    sample = first[:: max(1, first.size // _LOOKED_AT)]
    if sample.size < _ENOUGH_RESPONSES:
        return None
    values = np.unique(np.asarray(sample, dtype=float))
    if not _FEWEST_GRADES <= len(values) <= _MOST_GRADES:
        return None
    steps = np.diff(values)
    ratios = steps / steps.min()
    is_even = bool((np.abs(ratios - np.round(ratios)) < _ROUNDING * len(values)).all())
    # A step or two may be missing: the grade that nobody gave.
    return values if is_even and ratios.sum() <= _MOST_GRADES - 1 else None


def refuse_ratings(model: ItemModel, responses: Responses) -> None:
    """Refuse grades for a model of continuous responses, and name the models for them."""
    if not model.family.is_continuous:
        return
    values = grades_among(responses)
    if values is None:
        return
    shown = ", ".join(f"{value:g}" for value in values)
    raise ResponsesError(
        f"{model.name} describes continuous responses, of which hardly any two are equal.",
        f"All responses are one of {len(values)} values, evenly apart: {shown}.",
        "Use grm or gpcm, which take ratings as they are (rsm with few respondents); for shares of "
        "right answers in several tries, give every try and use 2pl, or use fractional-2pl.",
    )
