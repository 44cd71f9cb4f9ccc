"""Who is better than an answer that never looks at the row, and who gives one class to all rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.usual_metrics import measure_classes, measure_numbers
from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.respondents.standings import Standings, find_standings
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.noise.noise_sweep import NoiseSweep
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

# Of the rows, at most so many get another class than the commonest where a model has collapsed,
_FEW_OTHERS = 0.05
# and at most this share of what got another class without noise.
_SHARE_LEFT = 0.5


@dataclass(frozen=True, eq=False)
class NoisyStandings:
    """Models beside constant answers at every level; values are levels × respondents.

    Attributes
    ----------
    constant : the best constant answer without noise.
    constant_plain : its accuracy, or mean absolute error, without noise.
    ahead : share of the draws in which each is clearly better than the best constant answer.
    one_class : share of the rows that get the class each gives most often, mean over draws; NaN of
        numbers.
    """

    constant: str
    constant_plain: float
    ahead: Annotated[Array, axes("levels respondents")]
    one_class: Annotated[Array, axes("levels respondents")]

    @property
    def is_ahead(self) -> NDArray[np.bool_]:
        """Who is clearly better than a constant answer without noise, and has that to lose."""
        return np.asarray(self.ahead[0] > 0.5)

    @property
    def is_ahead_with_noise(self) -> NDArray[np.bool_]:
        """Who still is with most noise, in most draws."""
        return np.asarray(self.ahead[-1] > 0.5)

    @property
    def is_collapsed(self) -> NDArray[np.bool_]:
        """Who gives (almost) all rows one class with most noise, and did not without.

        Its accuracy goes to the share of that class, up or down.
        """
        others = 1 - self.one_class
        return np.asarray(
            (others[-1] <= _FEW_OTHERS) & (others[-1] <= _SHARE_LEFT * others[0] - 1e-9)
        )


def find_noisy_standings(
    sweep: NoiseSweep, levels: Sequence[float], names: tuple[str, ...]
) -> NoisyStandings:
    """Compare everybody with constant answers on the same rows, draw by draw."""
    clean = next(step.evaluation for step in sweep.steps if step.level == 0)
    standings = _standings(clean)
    floor = standings.best_floor
    values = [_at_level(sweep, level, names) for level in levels]
    return NoisyStandings(
        constant="" if floor is None else standings.names[floor],
        constant_plain=np.nan if floor is None else float(_plain(standings.predictions)[floor]),
        ahead=np.array([ahead for ahead, _ in values]),
        one_class=np.array([share for _, share in values]),
    )


def _standings(evaluation: Evaluation) -> Standings:
    return find_standings(evaluation.predictions, evaluation.groups)


def _plain(everybody: Predictions | Forecasts) -> NDArray[np.float64]:
    if isinstance(everybody, Predictions):
        return np.asarray(measure_classes(everybody)["accuracy"])
    return np.asarray(measure_numbers(everybody)["mae"])


def _at_level(
    sweep: NoiseSweep, level: float, names: tuple[str, ...]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Share of draws ahead of the best constant, and share of the commonest class."""
    draws = [step.evaluation for step in sweep.steps if step.level == level]
    if level == 0:
        # Without noise all draws are one.
        draws = draws[:1]
    ahead, shares = [], []
    for evaluation in draws:
        standings = _standings(evaluation)
        rows = [standings.names.index(name) for name in names]
        # Where there is no constant to compare with, all are.
        ahead.append(np.isin(standings.against_floor()[rows], ("ahead", "")))
        shares.append(_commonest(evaluation.predictions, names))
    return np.mean(ahead, axis=0), np.asarray(np.mean(shares, axis=0))


def _commonest(predictions: Predictions | Forecasts, names: tuple[str, ...]) -> NDArray[np.float64]:
    if not isinstance(predictions, Predictions):
        return np.full(len(names), np.nan)
    chosen = predictions.chosen[[predictions.respondents.index(name) for name in names]]
    counts = [np.bincount(row, minlength=len(predictions.classes)).max() for row in chosen]
    return np.asarray(np.array(counts, dtype=np.float64) / chosen.shape[1])
