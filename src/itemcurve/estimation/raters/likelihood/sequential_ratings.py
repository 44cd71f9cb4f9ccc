"""Ratings step by step: from grade k − 1 on to k with probability σ(z − κ_k) (Tutz 1990)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from itemcurve.estimation.raters.likelihood.rating_curves import Fixed, spread_out
from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers
from itemcurve.numerics.engine import Array, Engine

_MORE = 2.0


@dataclass(frozen=True)
class SequentialRatings:
    """A rating depends on the thresholds it passed and on the one where it stopped."""

    is_ordered: bool = False

    def slots(self, grade: Codes, n_grades: int) -> Codes:
        """All of them; those beyond the grade at nothing."""
        return np.broadcast_to(np.arange(n_grades - 1), (len(grade), n_grades - 1))

    def log_probability(self, engine: Engine, z: Array, thresholds: Array, grade: Array) -> Array:
        """Sum over the steps that were tried."""
        xp, total = engine.xp, engine.xp.zeros_like(z)
        for j in range(thresholds.shape[1]):
            passed = spread_out(grade > j, z)
            step = z - spread_out(thresholds[:, j], z)
            tried = xp.where(spread_out(grade >= j, z), 1.0, 0.0)
            total = total - tried * xp.logaddexp(0.0, xp.where(passed, -step, step))
        return total

    def derivatives(
        self, engine: Engine, z: Array, thresholds: Array, grade: Array
    ) -> tuple[list[Array], dict[tuple[int, int], Array]]:
        """σ less whether the step was done, of the steps that were tried."""
        scores, curvature = [], {}
        for j in range(thresholds.shape[1]):
            share = engine.special.expit(z - spread_out(thresholds[:, j], z))
            tried = spread_out((grade >= j).astype(z.dtype), z)
            scores.append(tried * share - spread_out((grade > j).astype(z.dtype), z))
            curvature[(j, j)] = tried * share * (1.0 - share)
        return scores, curvature

    def fixed(self, thresholds: Numbers, grade: Codes) -> Fixed | None:
        """Nothing."""
        return None

    def reached(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Products of the steps."""
        return np.asarray(np.cumprod(expit(z[..., None] - thresholds), axis=-1))

    def reached_slopes(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """A grade is reached by all steps up to it."""
        steps = expit(z[..., None] - thresholds)
        reached = np.cumprod(steps, axis=-1)
        upto = np.tril(np.ones((steps.shape[-1],) * 2))
        return np.asarray(reached[..., :, None] * (1 - steps)[..., None, :] * upto)

    def probabilities(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Steps done, times the step not done."""
        steps = expit(z[..., None] - thresholds)
        end = np.ones((*steps.shape[:-1], 1))
        done = np.concatenate([end, np.cumprod(steps, axis=-1)], axis=-1)
        missed = np.concatenate([expit(thresholds - z[..., None]), end], axis=-1)
        return np.asarray(done * missed)

    def start(self, counts: Numbers) -> Numbers:
        """Logits of stopping at each grade, of those that came so far."""
        counts = counts + _MORE * counts.sum(axis=0) / counts.sum()
        beyond = np.flip(np.cumsum(np.flip(counts, 1), axis=1), 1)[:, 1:]
        return np.asarray(1.3 * np.log(counts[:, :-1] / beyond))
