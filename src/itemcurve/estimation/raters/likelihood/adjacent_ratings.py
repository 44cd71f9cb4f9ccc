"""Ratings by neighbouring grades: log P(y = k) − log P(y = k − 1) = z − κ_k (Muraki 1992)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from itemcurve.estimation.raters.likelihood.rating_curves import Fixed, spread_out
from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers
from itemcurve.numerics.engine import Array, Engine

_MORE = 2.0


@dataclass(frozen=True)
class AdjacentRatings:
    """Every rating depends on all thresholds of its rater."""

    is_ordered: bool = False

    def slots(self, grade: Codes, n_grades: int) -> Codes:
        """All of them."""
        return np.broadcast_to(np.arange(n_grades - 1), (len(grade), n_grades - 1))

    def log_probability(self, engine: Engine, z: Array, thresholds: Array, grade: Array) -> Array:
        """Log of the share of exp(k z − κ_1 − … − κ_k)."""
        tops, total = _log_sum(engine, z, thresholds)
        xp = engine.xp
        passed = xp.arange(thresholds.shape[1]) < grade[:, None]
        own = spread_out(grade, z) * z - spread_out(xp.where(passed, thresholds, 0.0).sum(1), z)
        return own - tops - xp.log(total)

    def derivatives(
        self, engine: Engine, z: Array, thresholds: Array, grade: Array
    ) -> tuple[list[Array], dict[tuple[int, int], Array]]:
        """P(y ≥ j) less whether it was, and the covariances of these."""
        above = _reached(engine, z, thresholds)
        scores = [
            share - spread_out((grade > j).astype(z.dtype), z) for j, share in enumerate(above)
        ]
        curvature = {
            (j, k): above[k] * (1.0 - above[j])
            for j in range(len(above))
            for k in range(j, len(above))
        }
        return scores, curvature

    def fixed(self, thresholds: Numbers, grade: Codes) -> Fixed | None:
        """Nothing."""
        return None

    def reached(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Sums of probabilities from the top."""
        shares = self.probabilities(z, thresholds)
        return np.asarray(np.flip(np.cumsum(np.flip(shares, -1), axis=-1), -1)[..., 1:])

    def reached_slopes(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Covariances of reaching one grade and another."""
        reached = self.reached(z, thresholds)
        least = np.minimum(reached[..., :, None], reached[..., None, :])
        return np.asarray(least - reached[..., :, None] * reached[..., None, :])

    def probabilities(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Shares of exp(k z − κ_1 − … − κ_k)."""
        steps = z[..., None] - thresholds
        start = np.zeros((*steps.shape[:-1], 1))
        logs = np.concatenate([start, np.cumsum(steps, axis=-1)], axis=-1)
        shares = np.exp(logs - logs.max(axis=-1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=-1, keepdims=True))

    def start(self, counts: Numbers) -> Numbers:
        """Logs of how much rarer each grade is than the one below."""
        counts = counts + _MORE * counts.sum(axis=0) / counts.sum()
        return np.asarray(np.log(counts[:, :-1] / counts[:, 1:]))


def _logs(engine: Engine, z: Array, thresholds: Array) -> list[Any]:
    """Logs of the shares of the grades, but for a constant: k z − κ_1 − … − κ_k."""
    logs: list[Any] = [engine.xp.zeros_like(z)]
    for j in range(thresholds.shape[1]):
        logs.append(logs[-1] + (z - spread_out(thresholds[:, j], z)))
    return logs


def _log_sum(engine: Engine, z: Array, thresholds: Array) -> tuple[Any, Any]:
    logs = _logs(engine, z, thresholds)
    tops: Any = logs[0]
    for other in logs[1:]:
        tops = engine.xp.maximum(tops, other)
    total: Any = 0.0
    for own in logs:
        total = total + engine.xp.exp(own - tops)
    return tops, total


def _reached(engine: Engine, z: Array, thresholds: Array) -> list[Any]:
    """P(y ≥ j) for j = 1 …, by threshold."""
    tops, total = _log_sum(engine, z, thresholds)
    logs = _logs(engine, z, thresholds)
    found: list[Any] = []
    above: Any = 0.0
    for own in reversed(logs[1:]):
        above = above + engine.xp.exp(own - tops)
        found.append(above / total)
    return found[::-1]
