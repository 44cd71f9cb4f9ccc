"""Simulated ratings by judges, with known truth."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ModelError
from itemcurve.responses.ids import number_ids
from itemcurve.responses.ratings.rating_table import Ratings

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SimulatedRatings:
    """Ratings with what made them.

    Attributes
    ----------
    ratings : what was drawn.
    families : family of raters and respondents.
    abilities, severities, discriminations : the truth; severities in logits.
    thresholds : raters × (grades − 1), severities included.
    qualities : respondents × items.
    """

    ratings: Ratings
    families: dict[str, str]
    abilities: Numbers
    severities: Numbers
    discriminations: Numbers
    thresholds: Numbers
    qualities: Numbers


def simulate_ratings(
    *,
    respondents: int,
    items: int,
    raters: int,
    seed: int,
    grades: int = 5,
    share: float = 1.0,
    harsh: Sequence[int] = (),
    random: Sequence[int] = (),
    biased: Sequence[int] = (),
) -> SimulatedRatings:
    """Draw ratings from 1 to `grades` of every answer by every rater.

    Qualities are a θ + e + u with abilities θ ~ N(0, 1), levels of items e ~ N(0, 0.8²), log
    slopes N(0, 0.25²) and answers u ~ N(0, 0.6²). Raters have severities N(0, 0.2²) in logits and
    discriminations 1.3 exp N(0, 0.2²). Respondents and raters belong to five families in turn.

    Parameters
    ----------
    share : of all ratings, drawn at random, that are given.
    harsh : raters (counted from 0) who are more severe by 1.5 logits.
    random : raters who hardly look at the answer.
    biased : raters who give their own family one logit more.

    Examples
    --------
    >>> simulate_ratings(respondents=5, items=20, raters=3, seed=1).ratings
    Ratings(300 of 5 respondents × 20 items by 3 raters, grades 1 to 5)
    """
    if min(respondents, items, raters) < 1 or grades < 2 or not 0 < share <= 1:
        raise ModelError(
            "Ratings are drawn for one respondent, item and rater at least, with two grades;",
            f"given are {respondents}, {items}, {raters} and {grades}, share {share}.",
            "Use for example simulate_ratings(respondents=20, items=100, raters=6, seed=1).",
        )
    draw = np.random.default_rng(seed)
    ability, level = draw.normal(size=respondents), 0.8 * draw.normal(size=items)
    slope = np.exp(0.25 * draw.normal(size=items))
    answer = 0.6 * draw.normal(size=(respondents, items))
    alpha, severity = 1.3 * np.exp(0.2 * draw.normal(size=raters)), 0.2 * draw.normal(size=raters)
    alpha[list(random)], severity[list(harsh)] = 0.05, severity[list(harsh)] + 1.5
    steps = np.linspace(-2.2, 2.2, grades - 1)
    thresholds = np.sort(steps + 0.15 * draw.normal(size=(raters, grades - 1)), axis=1)
    n, i, r = (a.ravel() for a in np.indices((respondents, items, raters)))
    kept = draw.random(len(n)) < share
    n, i, r = n[kept], i[kept], r[kept]
    partial = np.isin(r, list(biased)) & (n % 5 == r % 5)
    quality = np.outer(ability, slope) + level + answer
    z = alpha[r] * quality[n, i] - severity[r] + partial
    grade = ((z + draw.logistic(size=len(z)))[:, None] > thresholds[r]).sum(axis=1)
    names = number_ids("model", respondents), number_ids("item", items), number_ids("judge", raters)
    found = Ratings(
        *names, tuple(float(k) for k in range(1, grades + 1)), n, i, r, grade, np.ones(len(n))
    )
    families = {
        name: f"family_{k % 5 + 1}" for ids in (names[0], names[2]) for k, name in enumerate(ids)
    }
    thresholds = thresholds + severity[:, None]
    return SimulatedRatings(found, families, ability, severity, alpha, thresholds, quality)
