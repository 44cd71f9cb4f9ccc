"""What was measured of each respondent, in the one form that all files are written from."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.records import HALF_WIDTH
from itemcurve.adaptive.score.score_test import ScoreTest
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult

Source = FitResult | AdaptiveTest | ScoreTest
ABILITY, SCORE = "ability", "score"


@dataclass(frozen=True)
class MeasuredScore:
    """One number of one respondent, and how sure it is.

    Attributes
    ----------
    kind : `"ability"`, or `"score"`: the mean response over all items.
    se : its standard error; NaN where only an interval is known.
    lower, upper : ends of its 90 % interval.
    count : how many answers it rests on.
    method : how the uncertainty was found, in words.
    low, high : the least and the largest value there can be; infinite for abilities.
    """

    respondent: str
    kind: str
    value: float
    se: float
    lower: float
    upper: float
    count: int
    method: str
    low: float
    high: float


def measured_scores(source: Source) -> list[MeasuredScore]:
    """Give abilities and scores with their uncertainty, of one respondent or of all of a fit."""
    if isinstance(source, ScoreTest):
        return [_of_score_test(source)]
    if isinstance(source, AdaptiveTest):
        return _of_ability_test(source)
    if isinstance(source, FitResult):
        return _of_fit(source)
    raise ModelError(
        "What is written comes from a fit or a test;",
        f"got {type(source).__name__}.",
        "Give the result of itemcurve.fit, an AdaptiveTest or a ScoreTest.",
    )


def _of_score_test(test: ScoreTest) -> MeasuredScore:
    score, (low, high) = test.score, test.limits
    return MeasuredScore(
        test.respondent,
        SCORE,
        score.value,
        float("nan"),
        score.lower,
        score.upper,
        len(test.answers),
        f"itemcurve ScoreTest: predicted from {len(test.answers)} of {len(test.items)} items",
        low,
        high,
    )


def _of_ability_test(test: AdaptiveTest) -> list[MeasuredScore]:
    count = len(test.answers)
    method = f"itemcurve AdaptiveTest: {test.ability_method} from {count} of {len(test.bank)} items"
    ability = _ability(test.respondent, test.ability, test.ability_se, count, method)
    if not test.has_honest_score:
        # Items that were chosen to tell abilities apart say little about the score.
        return [ability]
    score, (low, high) = test.score, test.bank.response_range
    found = (score.value, float("nan"), score.lower, score.upper)
    return [ability, MeasuredScore(test.respondent, SCORE, *found, count, method, low, high)]


def _of_fit(fit: FitResult) -> list[MeasuredScore]:
    """Abilities by the fit; scores as plain means over the items that were answered."""
    values, found = fit.responses.array(), []
    low, high = fit.bank.response_range
    method = f"itemcurve fit: {fit.model}, {fit.objective}"
    abilities, errors = fit.estimates.abilities, fit.estimates.ability_errors
    for row, name in enumerate(fit.responses.respondents):
        answered = values[row][~np.isnan(values[row])]
        count = len(answered)
        found.append(_ability(name, float(abilities[row]), float(errors[row]), count, method))
        if count < 2:
            continue
        mean, se = float(answered.mean()), float(answered.std(ddof=1)) / sqrt(count)
        ends = max(low, mean - HALF_WIDTH * se), min(high, mean + HALF_WIDTH * se)
        how = "mean over items: standard deviation by the root of their number"
        found.append(MeasuredScore(name, SCORE, mean, se, *ends, count, how, low, high))
    return found


def _ability(name: str, value: float, se: float, count: int, method: str) -> MeasuredScore:
    ends = (value - HALF_WIDTH * se, value + HALF_WIDTH * se)
    return MeasuredScore(name, ABILITY, value, se, *ends, count, method, -np.inf, np.inf)
