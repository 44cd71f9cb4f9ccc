"""One prediction of a score, learnt for a set of items: all that a short form has to keep."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.prediction.contract import Prediction, RepeatChoice
from itemcurve.adaptive.prediction.linear import (
    Asked,
    LinearRule,
    ScoreProblem,
    item_side,
    linear_rules,
)
from itemcurve.adaptive.prediction.newcomers import find_unsurprising
from itemcurve.adaptive.prediction.stack_weights import stack_weights
from itemcurve.numerics.engine import Array

_FOLDS, _FOLDS_OF_CHOICES = 10, 5
# The edge of the calibrated scores ends this many errors beyond the last of them.
_EDGE = 0.25
# What an answer to a chosen item is worth of one to an item drawn, to a newcomer.
_WORTH_OF_CHOSEN = 0.5


@dataclass(frozen=True, eq=False)
class ItemSide:
    """The prediction that needs no likeness to the calibrated respondents: kriging over items.

    Attributes
    ----------
    rule : linear in the answers.
    projection : gives left-out residuals (own answers × own answers).
    effective : how many equally weighted answers to items drawn the answers are worth.
    mass : share of the score that was not asked.
    variance : what the own answers say of the error, squared, mean over the calibrated.
    gap_sd : how far the stack usually lies from this prediction.
    """

    rule: LinearRule
    projection: Array
    effective: float
    mass: float
    variance: float
    gap_sd: float

    def own_variance(self, own: Array, is_drawn: NDArray[np.bool_], width: float) -> Array:
        """Error, squared, from the left-out residuals of each respondent (respondents × own).

        Those of items drawn alone: chosen ones say little about the others.
        """
        residuals = own @ self.projection / np.maximum(np.diag(self.projection), 1e-12)
        kept = residuals[:, is_drawn] if is_drawn.any() else residuals
        # Half of the largest residual more: fifty right answers do not prove the next one right.
        squares = (kept**2).sum(axis=1) + 0.5 * width**2
        return np.asarray(squares / kept.shape[1] / self.effective * self.mass)


@dataclass(frozen=True, eq=False)
class ScorePredictor:
    """Predicts a score from the answers to certain items.

    Attributes
    ----------
    rule : the stack, linear in the answers.
    shares : of the single predictions in the stack.
    error : cross-validated root mean squared error of the stack.
    item_side : for respondents unlike those calibrated on; None where there is no such thing.
    is_own : which answers are to items of the score, not of other groups.
    is_random : which are to items drawn with known chances.
    low, high : the range of calibrated scores.
    width : distance between the lowest and the highest response.
    respondents : how many taught it.
    """

    rule: LinearRule
    shares: dict[str, float]
    error: float
    item_side: ItemSide | None
    is_own: NDArray[np.bool_]
    is_random: NDArray[np.bool_]
    low: float
    high: float
    width: float
    respondents: int

    def predict(self, values: Array) -> Prediction:
        """Predict for respondents who answered these items (respondents × items).

        Of one who seems like those calibrated on, the stack; of a newcomer, the item side; of one
        in between, as much of the stack as its likeness allows.
        """
        stack = self.rule.predict(values)
        usual = np.full(len(stack), self.error**2)
        degrees = float(max(self.respondents - 1, 1))
        side = self.item_side
        if side is None:
            return self._judge(stack, np.sqrt(usual), np.full(len(stack), degrees))
        direct = side.rule.predict(values)
        drawn = self.is_random[self.is_own]
        own = side.own_variance(values[:, self.is_own], drawn, self.width)
        inside = self._inside(side, stack, direct)
        # Half from the past alone, half in proportion to the own answers: some fit in less.
        usual = 0.5 * usual * (1 + own / side.variance)
        parts = inside * usual, (1 - inside) * own
        variance = parts[0] + parts[1]
        # Satterthwaite
        loss = parts[0] ** 2 / degrees + parts[1] ** 2 / max(int(drawn.sum()) - 1, 1)
        freedom = variance**2 / np.maximum(loss, 1e-300)
        return self._judge(direct + inside * (stack - direct), np.sqrt(variance), freedom)

    def _judge(self, score: Array, error: Array, degrees: Array) -> Prediction:
        outside = is_outside(score, error, self.low, self.high)
        return Prediction(score, error, np.maximum(degrees, 1.0), outside)

    def _inside(self, side: ItemSide, stack: Array, direct: Array) -> Array:
        """How much a respondent seems to come from the calibrated population, from 0 to 1.

        Less where the stack lies further from kriging than it does within the calibration, and
        where what lies between the two predictions nears the ends of the calibrated scores.
        """
        unsurprising = find_unsurprising(stack - direct, side.gap_sd, self.width)
        # What lies between the two, nearer to the one that is usually nearer to the truth.
        direct_error = np.sqrt(side.variance)
        share = self.error**2 / (self.error**2 + side.variance)
        middle = stack + share * (direct - stack)
        error = (1 - share) * self.error + share * direct_error
        margin = np.minimum(self.high - middle, middle - self.low) / max(error, 1e-12)
        return np.asarray(unsurprising * np.clip(margin + _EDGE, 0.0, 1.0))


def is_outside(score: Array, error: Array, low: float, high: float) -> Array:
    """Tell who lies outside the calibration, the one rule of tests and predictions.

    A respondent is inside when its score, with one standard error to either side, stays within
    the scores of those calibrated on.
    """
    return np.asarray((score + error > high) | (score - error < low))


def train_predictor(
    problem: ScoreProblem, asked: Asked, repeat: RepeatChoice | None = None
) -> ScorePredictor:
    """Learn the stack by cross-validation over the calibration respondents.

    Parameters
    ----------
    repeat : chooses the items again without the respondents left out, where they were chosen for
        the calibration's responses; without that the errors would be too small.
    """
    rules = linear_rules(problem, asked)
    past, variance = _cross_validate(problem, asked, repeat, tuple(rules))
    errors = np.stack([past[name] for name in rules], axis=1) - problem.scores[:, None]
    shares = stack_weights(errors)
    rule = LinearRule(
        np.asarray(shares @ np.stack([rule.coefficients for rule in rules.values()])),
        float(shares @ [rule.intercept for rule in rules.values()]),
    )
    missed = errors @ shares
    side = None
    if "items" in rules:
        gaps = missed - (past["items"] - problem.scores)
        side = _item_side(problem, asked)
        if side is not None:
            sd = max(float(gaps.std()), 1e-6)
            side = replace(side, variance=max(variance, 1e-12), gap_sd=sd)
    return ScorePredictor(
        rule=rule,
        shares=dict(zip(rules, shares.tolist(), strict=True)),
        error=max(float(np.sqrt(np.mean(missed**2))), 1e-12),
        item_side=side,
        is_own=_is_own(problem, asked),
        is_random=asked.is_random,
        low=float(problem.scores.min()),
        high=float(problem.scores.max()),
        width=problem.width,
        respondents=len(problem.scores),
    )


def _is_own(problem: ScoreProblem, asked: Asked) -> NDArray[np.bool_]:
    return np.asarray(problem.weights[asked.places] > 0)


def _cross_validate(
    problem: ScoreProblem, asked: Asked, repeat: RepeatChoice | None, names: tuple[str, ...]
) -> tuple[dict[str, Array], float]:
    """Predict every calibration respondent from the others, by each rule.

    Returns
    -------
    Predictions by rule, and the mean of what the item side would say of its squared error.
    """
    n = len(problem.scores)
    count = min(_FOLDS if repeat is None else _FOLDS_OF_CHOICES, n)
    fold = np.random.default_rng(0).permutation(np.arange(n) % count)
    found = {name: np.empty(n) for name in names}
    variances = [0.0]
    for index in range(count):
        mine = fold == index
        now = asked if repeat is None else repeat(~mine)
        answers = problem.responses[mine][:, now.places]
        rules = linear_rules(problem, now, ~mine)
        for name, past in found.items():
            # Items chosen again may leave a group without any: then the mean must do.
            is_there = name in rules
            past[mine] = rules[name].predict(answers) if is_there else problem.scores[~mine].mean()
        side = _item_side(problem, now, ~mine)
        if side is not None:
            own = _is_own(problem, now)
            given = side.own_variance(answers[:, own], now.is_random[own], problem.width)
            variances += given.tolist()
    return found, float(np.sum(variances) / max(len(variances) - 1, 1))


def _item_side(
    problem: ScoreProblem, asked: Asked, rows: NDArray[np.bool_] | None = None
) -> ItemSide | None:
    """Learn the item side; its place among the others is filled in later."""
    found = item_side(problem, asked, rows)
    if found is None:
        return None
    rule, projection = found
    own = _is_own(problem, asked)
    weights, chances = problem.weights[asked.places][own], asked.chances[own]
    is_drawn = ~np.isnan(chances)
    share = (weights / chances)[is_drawn]
    effective = float(share.sum() ** 2 / (share**2).sum()) if len(share) else 0.0
    effective += _WORTH_OF_CHOSEN * float((~is_drawn).sum())
    mass = max(1.0 - float(weights.sum()), 0.0)
    return ItemSide(rule, projection, max(effective, 1.0), mass, 1.0, 1.0)
