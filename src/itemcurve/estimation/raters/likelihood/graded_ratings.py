"""Graded ratings: at least grade k with probability σ(z − κ_k).

P(y = k | z) = σ(z − κ_k) − σ(z − κ_{k+1}) = σ(z − κ_k) · σ(κ_{k+1} − z) · (1 − exp(κ_k − κ_{k+1})).
The last factor does not depend on z, so two logistic curves per rating serve everything.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from itemcurve.estimation.raters.likelihood.rating_curves import Fixed, spread_out
from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers
from itemcurve.numerics.engine import Array, Engine

# Below it a probability is as good as zero, and its logarithm still finite.
_LEAST = 1e-300
# Two ratings more, spread as those of all raters, begin a rater's thresholds.
_MORE = 2.0


@dataclass(frozen=True)
class GradedRatings:
    """The slots are the thresholds below and above the grade."""

    is_ordered: bool = True

    def slots(self, grade: Codes, n_grades: int) -> Codes:
        """The threshold below and the one above."""
        above = np.where(grade < n_grades - 1, grade, -1)
        return np.stack([grade - 1, above], axis=1)

    def log_probability(self, engine: Engine, z: Array, thresholds: Array, grade: Array) -> Array:
        """Without the factor of the gap."""
        lower, upper = _bounds(engine, thresholds, grade)
        sigma = engine.special.expit
        both = sigma(z - spread_out(lower, z)) * sigma(spread_out(upper, z) - z)
        return engine.xp.log(engine.xp.maximum(both, _LEAST))

    def derivatives(
        self, engine: Engine, z: Array, thresholds: Array, grade: Array
    ) -> tuple[list[Array], dict[tuple[int, int], Array]]:
        """−(1 − σ(z − κ_k)) and 1 − σ(κ_{k+1} − z)."""
        lower, upper = _bounds(engine, thresholds, grade)
        below = engine.special.expit(spread_out(lower, z) - z)
        above = engine.special.expit(z - spread_out(upper, z))
        curvature = {(0, 0): below * (1.0 - below), (1, 1): above * (1.0 - above)}
        return [-below, above], curvature

    def fixed(self, thresholds: Numbers, grade: Codes) -> Fixed | None:
        """The factor of the gap."""
        from itemcurve.numerics.engine import NUMPY

        lower, upper = _bounds(NUMPY, thresholds, grade)
        value, steep = gap_terms(lower, upper)
        bend = steep * (1 + steep)
        curvature = bend[:, None, None] * np.array([[1.0, -1.0], [-1.0, 1.0]])
        return Fixed(value, np.stack([-steep, steep], axis=1), curvature)

    def reached(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """σ(z − κ_k)."""
        return np.asarray(expit(z[..., None] - thresholds))

    def reached_slopes(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Each depends on its own threshold only."""
        reached = self.reached(z, thresholds)
        return np.asarray((reached * (1 - reached))[..., None] * np.eye(reached.shape[-1]))

    def probabilities(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """As a product, so that no probability is lost in a difference."""
        end = np.full((*thresholds.shape[:-1], 1), np.inf)
        lower = np.concatenate([-end, thresholds], axis=-1)
        upper = np.concatenate([thresholds, end], axis=-1)
        gap = -np.expm1(lower - upper)
        return np.asarray(expit(z[..., None] - lower) * expit(upper - z[..., None]) * gap)

    def start(self, counts: Numbers) -> Numbers:
        """Logits of being below each grade, widened for the quality that is averaged over."""
        counts = counts + _MORE * counts.sum(axis=0) / counts.sum()
        below = np.cumsum(counts, axis=1)[:, :-1] / counts.sum(axis=1, keepdims=True)
        return np.asarray(1.3 * np.log(below / (1 - below)))


def _bounds(engine: Engine, thresholds: Array, grade: Array) -> tuple[Array, Array]:
    """Thresholds below and above the grade of each rating; infinite at the ends."""
    xp = engine.xp
    ends = xp.full((thresholds.shape[0], 1), np.inf)
    whole = xp.concatenate([-ends, thresholds, ends], axis=1)
    rows = xp.arange(thresholds.shape[0])
    return whole[rows, grade], whole[rows, grade + 1]


def gap_terms(lower: Numbers, upper: Numbers) -> tuple[Numbers, Numbers]:
    """Give log(1 − exp(−gap)) and its derivative in the gap."""
    # Of grades at an end the gap is infinite, and plays no part.
    gap = np.where(np.isfinite(lower) & np.isfinite(upper), upper - lower, np.inf)
    rest = -np.expm1(-gap)
    return np.log(rest), np.exp(-gap) / rest
