"""One prediction of a score, learnt for a set of items: all that a short form has to keep."""

from dataclasses import dataclass, field

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
from itemcurve.adaptive.prediction.stack_weights import stack_weights
from itemcurve.numerics.engine import Array

_FOLDS, _FOLDS_OF_CHOICES = 10, 5
# Share of newcomers before anything is seen of them, spread evenly over a gap of one score range.
_NEWCOMERS = 0.1


@dataclass(frozen=True, eq=False)
class ItemSide:
    """The prediction that needs no likeness to the calibrated respondents.

    Attributes
    ----------
    rule : linear in the answers.
    projection : gives left-out residuals of the items drawn (drawn × drawn).
    effective : how many equally weighted answers the drawn ones are worth.
    mass : share of the score that was not asked.
    error : its cross-validated root mean squared error.
    gap_sd : how far the stack usually lies from it.
    """

    rule: LinearRule
    projection: Array
    effective: float
    mass: float
    error: float
    gap_sd: float


@dataclass(frozen=True, eq=False)
class ScorePredictor:
    """Predicts a score from the answers to certain items.

    Attributes
    ----------
    rule : the stack, linear in the answers.
    shares : of the single predictions in the stack.
    error : cross-validated root mean squared error of the stack.
    item_side : for respondents unlike those calibrated on; None where no item was drawn.
    is_random : which answers are to items drawn with known chances.
    low, high : the range of calibrated scores.
    width : distance between the lowest and the highest response.
    respondents : how many taught it.
    """

    rule: LinearRule
    shares: dict[str, float]
    error: float
    item_side: ItemSide | None
    is_random: NDArray[np.bool_]
    low: float
    high: float
    width: float
    respondents: int
    left_out_errors: Array = field(default_factory=lambda: np.zeros(0))

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
        own, drawn = self._own_variance(side, values), int(self.is_random.sum())
        inside = self._inside(side, stack, direct)
        # Half from the past and half from the respondent's own answers: some are easier to predict.
        usual = 0.5 * (usual + own * (self.error / side.error) ** 2)
        parts = inside * usual, (1 - inside) * own
        variance = parts[0] + parts[1]
        # Satterthwaite
        loss = parts[0] ** 2 / degrees + parts[1] ** 2 / max(drawn - 1, 1)
        freedom = variance**2 / np.maximum(loss, 1e-300)
        return self._judge(direct + inside * (stack - direct), np.sqrt(variance), freedom)

    def _judge(self, score: Array, error: Array, degrees: Array) -> Prediction:
        outside = is_outside(score, error, self.low, self.high)
        return Prediction(score, error, np.maximum(degrees, 1.0), outside)

    def _own_variance(self, side: ItemSide, values: Array) -> Array:
        drawn = values[:, self.is_random]
        residuals = drawn @ side.projection / np.maximum(np.diag(side.projection), 1e-12)
        squares = (residuals**2).sum(axis=1) + 0.5 * self.width**2
        return np.asarray(squares / drawn.shape[1] / side.effective * side.mass)

    def _inside(self, side: ItemSide, stack: Array, direct: Array) -> Array:
        """How much a respondent seems to come from the calibrated population, from 0 to 1."""
        z = (stack - direct) / side.gap_sd
        usual = (1 - _NEWCOMERS) * np.exp(-0.5 * z**2) / (side.gap_sd * np.sqrt(2 * np.pi))
        unsurprising = usual / (usual + _NEWCOMERS / self.width)
        margin = np.minimum(self.high - stack, stack - self.low) / max(self.error, 1e-12)
        return np.asarray(unsurprising * np.clip(margin, 0.0, 1.0))


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
    past, past_direct = _cross_validate(problem, asked, repeat)
    rules = linear_rules(problem, asked)
    errors = np.stack([past[name] for name in rules], axis=1) - problem.scores[:, None]
    shares = stack_weights(errors)
    rule = LinearRule(
        np.asarray(shares @ np.stack([rule.coefficients for rule in rules.values()])),
        float(shares @ [rule.intercept for rule in rules.values()]),
    )
    missed = errors @ shares
    error = max(float(np.sqrt(np.mean(missed**2))), 1e-12)
    return ScorePredictor(
        rule=rule,
        shares=dict(zip(rules, shares.tolist(), strict=True)),
        error=error,
        item_side=_item_side(problem, asked, missed, past_direct),
        is_random=asked.is_random & _has_weight(problem, asked),
        low=float(problem.scores.min()),
        high=float(problem.scores.max()),
        width=problem.width,
        respondents=len(problem.scores),
        left_out_errors=missed,
    )


def _has_weight(problem: ScoreProblem, asked: Asked) -> NDArray[np.bool_]:
    return np.asarray(problem.weights[asked.places] > 0)


def _cross_validate(
    problem: ScoreProblem, asked: Asked, repeat: RepeatChoice | None
) -> tuple[dict[str, Array], Array | None]:
    """Predict every calibration respondent from the others, by each rule and the item side."""
    n = len(problem.scores)
    count = min(_FOLDS if repeat is None else _FOLDS_OF_CHOICES, n)
    fold = np.random.default_rng(0).permutation(np.arange(n) % count)
    found: dict[str, Array] = {}
    direct = np.full(n, np.nan)
    side = item_side(problem, asked)
    for index in range(count):
        mine = fold == index
        now = asked if repeat is None else repeat(~mine)
        answers = problem.responses[mine][:, now.places]
        for name, rule in linear_rules(problem, now, ~mine).items():
            found.setdefault(name, np.full(n, np.nan))[mine] = rule.predict(answers)
        if side is not None:
            # The items drawn are the same whoever is left out; only their relations are not.
            rule, _ = item_side(problem, asked, ~mine) or side
            direct[mine] = rule.predict(problem.responses[mine][:, asked.places])
    return found, None if side is None else direct


def _item_side(
    problem: ScoreProblem, asked: Asked, missed: Array, direct: Array | None
) -> ItemSide | None:
    found = item_side(problem, asked)
    if found is None or direct is None:
        return None
    rule, projection = found
    drawn = asked.is_random & _has_weight(problem, asked)
    weights = problem.weights[asked.places][drawn]
    share = weights / asked.chances[drawn]
    miss = direct - problem.scores
    return ItemSide(
        rule=rule,
        projection=projection,
        effective=float(share.sum() ** 2 / (share**2).sum()),
        mass=max(1.0 - float(weights.sum()), 0.0),
        error=max(float(np.sqrt(np.mean(miss**2))), 1e-12),
        gap_sd=max(float((missed - miss).std()), 1e-6),
    )
