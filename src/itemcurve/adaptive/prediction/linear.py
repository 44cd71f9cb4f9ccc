"""Predictions of a score that are linear in some answers: one coefficient per answer."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.prediction.item_noise import item_noise
from itemcurve.numerics.engine import Array

# Noise of one answer in units of the items' variance over respondents; between half and twice
# these values errors on eight matrices of language models change by less than 2 %.
_NOISE_OF_POPULATION = 0.4
_NOISE_OF_OTHERS = 1.0
_NOISE_OF_ITEMS = 4.0


@dataclass(frozen=True, eq=False)
class Asked:
    """The items that were asked, and how they came to be.

    Attributes
    ----------
    places : of the items in the calibration.
    chances : the probability of each to be asked; NaN for items that were chosen, not drawn.
    """

    places: NDArray[np.int_]
    chances: Array

    @classmethod
    def at_random(cls, places: NDArray[np.int_]) -> "Asked":
        """Items that all had the same chance."""
        return cls(places, np.ones(len(places)))

    @cached_property
    def is_random(self) -> NDArray[np.bool_]:
        """Which were drawn with a known chance."""
        return np.asarray(~np.isnan(self.chances))


@dataclass(frozen=True, eq=False)
class ScoreProblem:
    """What is to be predicted, for whom it is known.

    Attributes
    ----------
    responses : of the calibration respondents, complete (respondents × items).
    weights : of the items in the score; they sum to one. Zero for items of other groups.
    external : a score from elsewhere, one per respondent, instead of the weighted mean.
    """

    responses: Array
    weights: Array
    external: Array | None = None

    @cached_property
    def scores(self) -> Array:
        """What the calibration respondents scored."""
        return self.responses @ self.weights if self.external is None else self.external

    @cached_property
    def noise(self) -> Array:
        """Variance of each item over respondents; never nothing, also where all are right."""
        return np.maximum(item_noise(self.responses), 1e-9)

    @cached_property
    def width(self) -> float:
        """Distance between the lowest and the highest response."""
        return float(np.ptp(self.responses)) or 1.0


class LinearRule(NamedTuple):
    """coefficients · answers + intercept."""

    coefficients: Array
    intercept: float

    def predict(self, values: Array) -> Array:
        """Scores of respondents (respondents × answers)."""
        return np.asarray(values @ self.coefficients + self.intercept)


class _Part(NamedTuple):
    """What the rules share: the training respondents' answers and what is left to predict.

    Attributes
    ----------
    seen, centre : answers to the items asked, centred and over √respondents; their means.
    link, level : covariance of answers with what is left, and its mean.
    known, mass : weight of each answer in the score itself, and of all items not asked.
    """

    seen: Array
    centre: Array
    link: Array
    level: float
    known: Array
    mass: float


def linear_rules(
    problem: ScoreProblem, asked: Asked, rows: NDArray[np.bool_] | None = None
) -> dict[str, LinearRule]:
    """Learn every rule that the items asked allow.

    `mean`: the mean of the items drawn, weighted by their chances. `items`: kriging over items,
    with a level of the respondent's own. `population`: the best linear prediction for a draw from
    the calibrated population. `others`: the same from items of all groups.

    Parameters
    ----------
    rows : calibration respondents to learn from; all when None.
    """
    part = _prepare(problem, asked, rows)
    own = problem.weights[asked.places] > 0
    if problem.external is not None:
        own = np.ones(len(own), dtype=bool)
    drawn = own & asked.is_random
    noise = problem.noise[asked.places]
    rules = {}
    if drawn.any():
        rules["mean"] = _mean(problem, asked, part, drawn)
    if own.any():
        rules["items"] = krige(problem, part, own)[0]
        rules["population"] = _regress(part, own, _NOISE_OF_POPULATION * noise)
    if not own.all():
        everything = np.ones(len(own), dtype=bool)
        rules["others"] = _regress(part, everything, _NOISE_OF_OTHERS * noise)
    if problem.external is None:
        return rules
    taken = slice(None) if rows is None else rows
    answers, scores = problem.responses[taken][:, asked.places], problem.scores[taken]
    return {
        name: rule if name == "population" else _line(rule, answers, scores)
        for name, rule in rules.items()
    }


def item_side(
    problem: ScoreProblem, asked: Asked, rows: NDArray[np.bool_] | None = None
) -> tuple[LinearRule, Array] | None:
    """Kriging over items, and the matrix of its left-out residuals; None where it cannot be."""
    own = problem.weights[asked.places] > 0
    if problem.external is not None or not own.any():
        return None
    return krige(problem, _prepare(problem, asked, rows), own)


def krige(problem: ScoreProblem, part: _Part, kept: NDArray[np.bool_]) -> tuple[LinearRule, Array]:
    """Ordinary kriging with the uncentred second moment of items as covariance.

    Left-out residuals are answers · projection / its diagonal (answers × answers, kept ones).
    """
    # The intercept gives the calibrated means the calibrated score. Weights that sum to one do not:
    # items chosen to tell most may all be easy, and a newcomer's score would be that of these.
    seen, centre = part.seen[:, kept], part.centre[kept]
    noise = _NOISE_OF_ITEMS * float(problem.noise.mean())
    moment = seen.T @ seen + np.outer(centre, centre) + noise * np.eye(len(centre))
    inverse = np.linalg.inv(moment)
    sums = inverse.sum(axis=0)
    to_rest = part.link[kept] + part.level * centre
    found = to_rest @ inverse + (part.mass - to_rest @ sums) * sums / sums.sum()
    coefficients = part.known.copy()
    coefficients[kept] += found
    projection = inverse - np.outer(sums, sums) / sums.sum()
    return LinearRule(coefficients, part.level - float(centre @ found)), projection


def _prepare(problem: ScoreProblem, asked: Asked, rows: NDArray[np.bool_] | None) -> _Part:
    """Take apart what is known of the score and what is left."""
    taken = slice(None) if rows is None else rows
    answers = problem.responses[taken][:, asked.places]
    root = np.sqrt(len(answers))
    centre = answers.mean(axis=0)
    known = np.zeros(len(asked.places))
    left, mass = problem.scores[taken], 1.0
    if problem.external is None:
        known = problem.weights[asked.places].astype(float)
        left, mass = left - answers @ known, max(1.0 - float(known.sum()), 0.0)
    seen, level = (answers - centre) / root, float(left.mean())
    return _Part(seen, centre, seen.T @ ((left - level) / root), level, known, mass)


def _mean(problem: ScoreProblem, asked: Asked, part: _Part, drawn: NDArray[np.bool_]) -> LinearRule:
    """Weights over chances, made to sum to one (Hájek)."""
    weights = np.ones(len(drawn)) if problem.external is not None else part.known
    share = np.where(drawn, weights / np.where(drawn, asked.chances, 1.0), 0.0)
    return LinearRule(part.known + part.mass * share / share.sum(), 0.0)


def _regress(part: _Part, kept: NDArray[np.bool_], noise: Array) -> LinearRule:
    """Best linear prediction of what is left from the answers kept."""
    seen, centre = part.seen[:, kept], part.centre[kept]
    slopes = np.linalg.solve(seen.T @ seen + np.diag(noise[kept]), part.link[kept])
    coefficients = part.known.copy()
    coefficients[kept] += slopes
    return LinearRule(coefficients, part.level - float(centre @ slopes))


def _line(rule: LinearRule, answers: Array, scores: Array) -> LinearRule:
    """Turn a mean over these items into the external score by a straight line."""
    found = rule.predict(answers)
    gaps = found - found.mean()
    slope = float(gaps @ scores) / max(float(gaps @ gaps), 1e-12)
    level = float(scores.mean()) - slope * float(found.mean())
    return LinearRule(rule.coefficients * slope, rule.intercept * slope + level)
