"""Log-probability of a graded rating, with its derivatives.

P(y = k | z) = σ(z − κ_k) − σ(z − κ_{k+1}) = σ(z − κ_k) · σ(κ_{k+1} − z) · (1 − exp(κ_k − κ_{k+1})).
The last factor does not depend on z, so two logistic curves per rating serve everything.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from itemcurve.estimation.raters.likelihood.rating_design import Numbers

# Below it a probability is as good as zero, and its logarithm still finite.
_LEAST = 1e-300


@dataclass(frozen=True, eq=False)
class GradedCurves:
    """At every node of every rating: log-probability, and what derivatives are made of.

    Attributes
    ----------
    log_probability : without the factor of the gap.
    below, above : 1 − σ(z − κ_k) and 1 − σ(κ_{k+1} − z); the slope in z is their difference.
    """

    log_probability: Numbers
    below: Numbers
    above: Numbers

    @property
    def slope(self) -> Numbers:
        """First derivative in z."""
        return self.below - self.above

    @property
    def lower_curvature(self) -> Numbers:
        """Minus the second derivative in κ_k, without the gap's."""
        return self.below * (1.0 - self.below)

    @property
    def upper_curvature(self) -> Numbers:
        """Minus the second derivative in κ_{k+1}, without the gap's."""
        return self.above * (1.0 - self.above)


def evaluate(z: Numbers, lower: Numbers, upper: Numbers) -> GradedCurves:
    """Evaluate at z; the thresholds have the shape of its first axis."""
    shape = (-1,) + (1,) * (z.ndim - 1)
    above_lower = expit(z - lower.reshape(shape))
    below_upper = expit(upper.reshape(shape) - z)
    log_probability = np.log(np.maximum(above_lower * below_upper, _LEAST))
    return GradedCurves(log_probability, 1.0 - above_lower, 1.0 - below_upper)


def gap_terms(lower: Numbers, upper: Numbers) -> tuple[Numbers, Numbers]:
    """Give log(1 − exp(−gap)) and its derivative in the gap."""
    # Of grades at an end the gap is infinite, and plays no part.
    gap = np.where(np.isfinite(lower) & np.isfinite(upper), upper - lower, np.inf)
    rest = -np.expm1(-gap)
    return np.log(rest), np.exp(-gap) / rest


def grade_probabilities(z: Numbers, thresholds: Numbers) -> Numbers:
    """Probabilities of all grades (… × grades) at z (…), thresholds … × (grades − 1)."""
    # As a product, so that no probability is lost in a difference.
    end = np.full((*thresholds.shape[:-1], 1), np.inf)
    lower = np.concatenate([-end, thresholds], axis=-1)
    upper = np.concatenate([thresholds, end], axis=-1)
    gap = -np.expm1(lower - upper)
    return np.asarray(expit(z[..., None] - lower) * expit(upper - z[..., None]) * gap)
