"""Intervals for a mean over finitely many items that hold at every look at once.

Items are drawn without replacement, each with the same chance among those left. For a supposed
mean, a gambler bets at every step on the answer being better, or worse, than that mean makes it on
average; if the supposition is true the capital is a martingale and reaches 1/α with a probability
of at most α, however long one looks (Ville). The interval holds all means under which the gambler
is not yet that rich (Waudby-Smith and Ramdas 2020, 2024, hedged capital).
"""

from dataclasses import dataclass

import numpy as np

from itemcurve.adaptive.records import CONFIDENCE
from itemcurve.numerics.engine import Array

_POINTS = 1001
# Share of what may be lost at one step that is ever at stake.
_MOST_AT_STAKE = 0.75


@dataclass(frozen=True, eq=False)
class DrawnAnswers:
    """Answers in the order of the draw, and what was forecast before each.

    Attributes
    ----------
    answers : between 0 and 1.
    forecasts : of each answer, from those before it.
    left_sum, left_low, left_high : sum, lowest and highest forecast of all items that could be
        drawn at that step.
    size : how many items there are.
    """

    answers: Array
    forecasts: Array
    left_sum: Array
    left_low: Array
    left_high: Array
    size: int

    @classmethod
    def without_forecasts(cls, answers: Array, size: int) -> "DrawnAnswers":
        """Nothing is known of the items."""
        n = len(answers)
        half = np.full(n, 0.5)
        return cls(answers, half, 0.5 * (size - np.arange(n)), half, half, size)


def confidence_sequence(draws: DrawnAnswers, *, level: float = CONFIDENCE) -> tuple[Array, Array]:
    """Ends of the interval after each answer (answers, answers).

    Good forecasts make the intervals narrow, bad ones wide; neither makes them wrong.

    Examples
    --------
    >>> import numpy as np
    >>> answers = np.array([1.0, 0.0, 1.0, 1.0] * 20)
    >>> lower, upper = confidence_sequence(DrawnAnswers.without_forecasts(answers, 400))
    >>> bool(lower[-1] < 0.75 < upper[-1]), bool((np.diff(upper - lower) <= 1e-12).all())
    (True, True)
    """
    alpha = 1 - level
    grid = np.linspace(0.0, 1.0, _POINTS)
    rich = np.log(1 / alpha)
    wins, losses, peak = np.zeros(_POINTS), np.zeros(_POINTS), np.full(_POINTS, -np.inf)
    lower, upper = np.zeros(len(draws.answers)), np.ones(len(draws.answers))
    past, squares, drift = 0.0, 0.25, 0.0
    for step, (answer, forecast) in enumerate(zip(draws.answers, draws.forecasts, strict=True)):
        left = draws.size - step
        rest = (draws.size * grid - past) / left
        expected = rest - draws.left_sum[step] / left
        stake = np.sqrt(2 * np.log(2 / alpha) * (step + 1) / (squares * _horizon(step + 1)))
        gain = answer - forecast - expected
        up = np.minimum(stake, _MOST_AT_STAKE / np.maximum(draws.left_high[step] + expected, 1e-9))
        down = np.minimum(
            stake, _MOST_AT_STAKE / np.maximum(1 - draws.left_low[step] - expected, 1e-9)
        )
        wins += np.log1p(np.maximum(up * gain, -1 + 1e-9))
        losses += np.log1p(np.maximum(-down * gain, -1 + 1e-9))
        peak = np.maximum(peak, np.logaddexp(wins, losses) - np.log(2))
        # A mean that the answers left to come cannot bring about is out at once.
        peak = np.where((rest < -1e-9) | (rest > 1 + 1e-9), np.inf, peak)
        kept = np.flatnonzero(peak < rich)
        if len(kept):
            # One point further on either side: the truth may lie between two.
            lower[step] = grid[max(kept[0] - 1, 0)]
            upper[step] = grid[min(kept[-1] + 1, _POINTS - 1)]
        else:
            lower[step], upper[step] = lower[step - 1], upper[step - 1]
        residual = answer - forecast
        squares += (residual - drift) ** 2
        drift += (residual - drift) / (step + 2)
        past += answer
    return np.maximum.accumulate(lower), np.minimum.accumulate(upper)


def _horizon(step: int) -> float:
    """How many answers a stake is spread over: those so far, times a slowly growing factor."""
    return step * np.log(step + 1.0) if step > 1 else 1.0
