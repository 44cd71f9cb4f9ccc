"""Marginal likelihood of the ratings, and what is known of qualities given them."""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.raters.likelihood.adaptive_nodes import Nodes, log_density
from itemcurve.estimation.raters.likelihood.graded_ratings import GradedCurves, evaluate, gap_terms
from itemcurve.estimation.raters.likelihood.rater_parameters import ANSWER, SLOPE, UNIT, RaterValues
from itemcurve.estimation.raters.likelihood.rating_design import Numbers, RatingDesign


@dataclass(frozen=True, eq=False)
class RatingPosterior:
    """The likelihood at given nodes, with posterior weights.

    Attributes
    ----------
    log_likelihood : marginal: units and answers integrated out.
    unit : posterior of the nodes of each unit.
    answer : posterior of the nodes of each answer, given the node of its unit.
    curves : of every rating at its nodes.
    """

    log_likelihood: float
    unit: Numbers
    answer: Numbers
    curves: GradedCurves

    def joint(self, design: RatingDesign) -> Numbers:
        """Posterior of all nodes of each answer (answers × nodes × nodes)."""
        return np.asarray(self.unit[design.answer_unit][:, :, None] * self.answer)


def integrate(design: RatingDesign, values: RaterValues, nodes: Nodes) -> RatingPosterior:
    """Integrate answers within units, and then units."""
    slope = values.discriminations[design.rater][:, None, None]
    z = slope * nodes.quality[design.answer] + values.offsets(design)[:, None, None]
    lower, upper = values.bounds(design)
    curves = evaluate(z, lower, upper)
    gaps, _ = gap_terms(lower, upper)
    by_answer = design.by_answer(design.weight[:, None, None] * curves.log_probability)
    by_answer += log_density(nodes.answer, float(values.spreads[ANSWER])) + nodes.answer_log_weight
    inside, answer = _normalise(by_answer)
    by_unit = design.by_unit(inside) + nodes.log_weight
    by_unit += log_density(nodes.level - values.lean * nodes.log_slope, float(values.spreads[UNIT]))
    by_unit += log_density(nodes.log_slope, float(values.spreads[SLOPE]))
    total, unit = _normalise(by_unit)
    # A rating of no weight may have a grade that cannot be: it is left out, not multiplied by 0.
    known = design.weight > 0
    constant = float((design.weight[known] * gaps[known]).sum())
    return RatingPosterior(float(total.sum()) + constant, unit, answer, curves)


def _normalise(logs: Numbers) -> tuple[Numbers, Numbers]:
    """Give log-sums over the last axis, and the shares."""
    top = logs.max(axis=-1, keepdims=True)
    shares = np.exp(logs - top)
    sums = shares.sum(axis=-1, keepdims=True)
    return (top + np.log(sums))[..., 0], shares / sums
