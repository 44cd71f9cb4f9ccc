"""Marginal likelihood of the ratings, and what is known of qualities given them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from itemcurve.estimation.raters.likelihood.adaptive_nodes import Nodes, log_density
from itemcurve.estimation.raters.likelihood.rater_parameters import ANSWER, SLOPE, UNIT, RaterValues
from itemcurve.estimation.raters.likelihood.rating_blocks import Places, sum_runs
from itemcurve.estimation.raters.likelihood.rating_curves import RatingCurves
from itemcurve.estimation.raters.likelihood.rating_design import Numbers, RatingDesign
from itemcurve.numerics.engine import Array, Engine


@dataclass(frozen=True, eq=False)
class RatingPosterior:
    """The likelihood at given nodes, with posterior weights.

    Attributes
    ----------
    log_likelihood : marginal: units and answers integrated out.
    unit : posterior of the nodes of each unit.
    answer : posterior of the nodes of each answer, given the node of its unit.
    """

    log_likelihood: float
    unit: Numbers
    answer: Numbers

    def joint(self, design: RatingDesign) -> Numbers:
        """Posterior of all nodes of each answer (answers × nodes × nodes)."""
        return np.asarray(self.unit[design.answer_unit][:, :, None] * self.answer)


def integrate(design: RatingDesign, values: RaterValues, nodes: Nodes) -> RatingPosterior:
    """Integrate answers within units, and then units."""
    engine = design.engine
    answer_logs = log_density(nodes.answer, float(values.spreads[ANSWER])) + nodes.answer_log_weight
    own = nodes.level - values.lean * nodes.log_slope
    unit_logs = nodes.log_weight + log_density(own, float(values.spreads[UNIT]))
    unit_logs = unit_logs + log_density(nodes.log_slope, float(values.spreads[SLOPE]))
    slope, offsets = values.discriminations[design.rater], values.offsets(design)
    thresholds = values.rating_thresholds(design)
    run = engine.compile(_integrate_block, static=("engine", "curves"))
    found = [
        run(
            engine,
            design.curves,
            block.places,
            (slope[block.ratings], offsets[block.ratings], thresholds[block.ratings]),
            nodes.quality[block.answers],
            (answer_logs[block.answers], unit_logs[block.units]),
        )
        for block in design.blocks
    ]
    total = sum(float(part[0]) for part in found)
    unit, answer = (np.concatenate([np.asarray(part[k]) for part in found]) for k in (1, 2))
    return RatingPosterior(total + _constant(design, thresholds), unit, answer)


def _integrate_block(
    engine: Engine,
    curves: RatingCurves,
    places: Places,
    of_rating: tuple[Array, Array, Array],
    quality: Array,
    logs: tuple[Array, Array],
) -> tuple[Any, Array, Array]:
    """Log-likelihood of a block, and the posteriors of its units and answers."""
    slope, offset, thresholds = of_rating
    z = slope[:, None, None] * quality[places.answer] + offset[:, None, None]
    each = curves.log_probability(engine, z, thresholds, places.grade)
    each = places.weight[:, None, None] * each
    n_answers, n_units = quality.shape[0], logs[1].shape[0]
    by_answer = sum_runs(engine, each, places.answer_starts, places.answer, n_answers)
    inside, answer = _normalise(engine, by_answer + logs[0])
    by_unit = sum_runs(engine, inside, places.unit_starts, places.answer_unit, n_units)
    total, unit = _normalise(engine, by_unit + logs[1])
    return total.sum(), unit, answer


def _constant(design: RatingDesign, thresholds: Numbers) -> float:
    """What does not depend on quality."""
    # A rating of no weight may have a grade that cannot be: it is left out, not multiplied by 0.
    known = design.weight > 0
    fixed = design.curves.fixed(thresholds[known], design.grade[known])
    return 0.0 if fixed is None else float((design.weight[known] * fixed.value).sum())


def _normalise(engine: Engine, logs: Any) -> tuple[Any, Any]:
    """Give log-sums over the last axis, and the shares."""
    top = logs.max(axis=-1, keepdims=True)
    shares = engine.xp.exp(logs - top)
    sums = shares.sum(axis=-1, keepdims=True)
    return (top + engine.xp.log(sums))[..., 0], shares / sums
