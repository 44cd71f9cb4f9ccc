"""Intervals for a mean over items that hold at every look at once.

Items are drawn without replacement, each with the same chance among those left, or from items
without end. For a supposed
mean, a gambler bets at every step on the answer being better, or worse, than that mean makes it on
average; if the supposition is true the capital is a martingale and reaches 1/α with a probability
of at most α, however long one looks (Ville). The interval holds all means under which the gambler
is not yet that rich (Waudby-Smith and Ramdas 2020, 2024, hedged capital).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import Array

_POINTS = 1001
# Share of what may be lost at one step that is ever at stake.
_MOST_AT_STAKE = 0.75
_STEPS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class DrawnAnswers:
    """Answers in the order of the draw, and what was forecast before each.

    Attributes
    ----------
    answers : between 0 and 1.
    forecasts : of each answer, from those before it.
    left_sum, left_low, left_high : sum, lowest and highest forecast of all items that could be
        drawn at that step.
    size : how many items there are; infinite for items like these, of which no end is known.
    """

    answers: Array
    forecasts: Array
    left_sum: Array
    left_low: Array
    left_high: Array
    size: float

    @classmethod
    def without_forecasts(cls, answers: Array, size: float = np.inf) -> "DrawnAnswers":
        """Nothing is known of the items."""
        n = len(answers)
        half = np.full(n, 0.5)
        return cls(answers, half, 0.5 * (size - np.arange(n)), half, half, size)

    def supposed(self, grid: Array, steps: slice) -> tuple[Array, Array]:
        """Mean of what is left, and how far above its forecasts, if the mean of all is so.

        Parameters
        ----------
        grid : supposed means of all items.

        Returns
        -------
        Two arrays, steps × supposed means.
        """
        if np.isinf(self.size):
            rest = np.broadcast_to(grid, (len(self.answers[steps]), len(grid)))
            return rest, rest - self.forecasts[steps, np.newaxis]
        left = (self.size - np.arange(len(self.answers))[steps])[:, np.newaxis]
        past = (np.cumsum(self.answers) - self.answers)[steps, np.newaxis]
        rest = (self.size * grid - past) / left
        return rest, rest - self.left_sum[steps, np.newaxis] / left


def confidence_sequence(draws: DrawnAnswers, *, level: float = 0.9) -> tuple[Array, Array]:
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
    rich = np.log(2 / (1 - level))
    grid = np.linspace(0.0, 1.0, _POINTS)
    stakes = _find_stakes(draws.answers - draws.forecasts, level)
    count = len(draws.answers)
    lower, upper = np.zeros(count), np.ones(count)
    capital, peak = np.zeros((2, _POINTS)), np.full(_POINTS, -np.inf)
    for start in range(0, count, _STEPS_AT_ONCE):
        steps = slice(start, min(start + _STEPS_AT_ONCE, count))
        wins, losses, is_possible = _bet(draws, grid, stakes, steps)
        wins[0] += capital[0]
        losses[0] += capital[1]
        wins, losses = np.cumsum(wins, axis=0), np.cumsum(losses, axis=0)
        capital = np.stack([wins[-1], losses[-1]])
        # A mean that the answers left to come cannot bring about is out at once.
        reached = np.where(is_possible, np.logaddexp(wins, losses), np.inf)
        reached[0] = np.maximum(reached[0], peak)
        reached = np.maximum.accumulate(reached, axis=0)
        peak = reached[-1]
        kept = reached < rich
        # One point further on either side: the truth may lie between two.
        first = np.maximum(np.argmax(kept, axis=1) - 1, 0)
        last = np.minimum(_POINTS - np.argmax(kept[:, ::-1], axis=1), _POINTS - 1)
        some = kept.any(axis=1)
        lower[steps] = np.where(some, grid[first], 0.0)
        upper[steps] = np.where(some, grid[last], 1.0)
    return np.maximum.accumulate(lower), np.minimum.accumulate(upper)


def _bet(
    draws: DrawnAnswers, grid: Array, stakes: Array, steps: slice
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Log gains of betting on better and on worse answers (steps × supposed means)."""
    rest, expected = draws.supposed(grid, steps)
    gain = (draws.answers - draws.forecasts)[steps, np.newaxis] - expected
    stake = stakes[steps, np.newaxis]
    high, low = draws.left_high[steps, np.newaxis], draws.left_low[steps, np.newaxis]
    up = np.minimum(stake, _MOST_AT_STAKE / np.maximum(high + expected, 1e-9))
    down = np.minimum(stake, _MOST_AT_STAKE / np.maximum(1 - low - expected, 1e-9))
    return (
        np.log1p(np.maximum(up * gain, -1 + 1e-9)),
        np.log1p(np.maximum(-down * gain, -1 + 1e-9)),
        (rest >= -1e-9) & (rest <= 1 + 1e-9),
    )


def _find_stakes(residuals: Array, level: float) -> Array:
    """Give what is put at stake at each step, from the residuals before it."""
    count = len(residuals)
    step = np.arange(1, count + 1)
    drift = np.cumsum(residuals) / (step + 1)
    before = np.concatenate([[0.0], drift[:-1]])[:count]
    squares = 0.25 + np.cumsum((residuals - before) ** 2) - (residuals - before) ** 2
    # How many answers a stake is spread over: those so far, times a slowly growing factor.
    horizon = np.where(step > 1, step * np.log(step + 1.0), 1.0)
    return np.asarray(np.sqrt(2 * np.log(2 / (1 - level)) * step / (squares * horizon)))
