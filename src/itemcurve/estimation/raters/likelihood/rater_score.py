"""Derivatives of the marginal likelihood: score and observed information (Louis 1982).

The score is the posterior mean of the score that would be seen with all effects known; the
information is the mean of that information less the variance of that score, which is that between
nodes of units and, at each of these, that between nodes of answers.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from itemcurve.estimation.raters.likelihood.adaptive_nodes import Nodes
from itemcurve.estimation.raters.likelihood.answer_variance import variance_within_answers
from itemcurve.estimation.raters.likelihood.graded_ratings import gap_terms
from itemcurve.estimation.raters.likelihood.rater_parameters import (
    ANSWER,
    LEAN,
    SLOPE,
    UNIT,
    Layout,
    RaterValues,
)
from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers, RatingDesign
from itemcurve.estimation.raters.likelihood.rating_posterior import RatingPosterior


@dataclass(frozen=True, eq=False)
class Derivatives:
    """Gradient and observed information of the log-likelihood, and the information complete."""

    gradient: Numbers
    information: Numbers
    complete: Numbers


@dataclass(frozen=True, eq=False)
class _Part:
    """Scores in some parameters: one row per rating or answer, with its unit and its answer."""

    position: Codes
    unit: Codes
    answer: Codes
    values: Numbers


def differentiate(
    design: RatingDesign,
    layout: Layout,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
) -> Derivatives:
    """Give gradient and information at these nodes."""
    parts = _rating_parts(design, layout, values, nodes, posterior)
    given_unit = posterior.answer
    means = [np.einsum("mgk,mgk->mg", p.values, given_unit[p.answer]) for p in parts]
    by_node = _sum_by_unit(design, layout, parts, means)
    own = (nodes.level - values.lean * nodes.log_slope) / values.spreads[UNIT]
    by_node[:, :, layout.spread(UNIT)] = own**2 - 1
    by_node[:, :, layout.spread(SLOPE)] = (nodes.log_slope / values.spreads[SLOPE]) ** 2 - 1
    by_node[:, :, layout.spread(LEAN)] = own * nodes.log_slope / values.spreads[UNIT]
    by_unit = np.einsum("ug,ugp->up", posterior.unit, by_node)
    weighted = by_node * np.sqrt(posterior.unit)[:, :, None]
    flat = weighted.reshape(-1, layout.size)
    between = flat.T @ flat - by_unit.T @ by_unit
    within = variance_within_answers(design, layout, values, nodes, posterior)
    complete = _complete(design, layout, values, nodes, posterior)
    gradient = by_unit.sum(axis=0) + _gap_score(design, layout, values)
    return Derivatives(gradient, complete - between - within, complete)


def _rating_parts(
    design: RatingDesign,
    layout: Layout,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
) -> list[_Part]:
    """Scores in all parameters at all nodes of an answer, without those of gaps and units."""
    weight = design.weight[:, None, None]
    curves, answer = posterior.curves, design.answer
    slope = weight * curves.slope
    unit = design.answer_unit[answer]

    def part(position: Codes, scores: Numbers) -> _Part:
        return _Part(position, unit, answer, scores)

    rater, partner, grade = design.rater, design.partner, design.grade
    seen = nodes.quality[answer] + values.rating_tastes(design)[:, None, None]
    parts = [part(layout.discrimination(rater), slope * seen)]
    has_lower, has_upper = grade > 0, grade < design.n_grades - 1
    for has, below, scores in (
        (has_lower, 1, -weight * curves.below),
        (has_upper, 0, weight * curves.above),
    ):
        place = layout.threshold(rater[has], grade[has] - below)
        parts.append(_Part(place, unit[has], answer[has], scores[has]))
    steep = design.by_answer(values.discriminations[rater][:, None, None] * slope)
    tilt = np.exp(nodes.log_slope)[design.answer_unit][:, :, None]
    each = np.arange(design.n_answers)
    own = design.answer_unit
    parts.append(_Part(layout.ability(design.answer_partner), own, each, steep * tilt))
    spread = np.full(design.n_answers, layout.spread(ANSWER))
    apart = (nodes.answer / values.spreads[ANSWER]) ** 2 - 1
    parts.append(_Part(spread, own, each, apart))
    for number in range(layout.covariates):
        covariate = design.covariates[:, number, None, None]
        parts.append(part(layout.effect(rater, number), covariate * slope))
    if layout.has_tastes:
        alpha = values.discriminations[rater][:, None, None]
        parts.append(part(layout.taste(rater, partner), alpha * slope))
    return parts


def _sum_by_unit(
    design: RatingDesign, layout: Layout, parts: list[_Part], means: list[Numbers]
) -> Numbers:
    """Sum rows over each unit (units × nodes × parameters)."""
    place = np.concatenate([p.unit * layout.size + p.position for p in parts])
    rows = np.concatenate(means)
    shape = (design.n_units * layout.size, len(place))
    gather = csr_array((np.ones(len(place)), (place, np.arange(len(place)))), shape=shape)
    summed = np.asarray(gather @ rows).reshape(design.n_units, layout.size, -1)
    return np.ascontiguousarray(summed.transpose(0, 2, 1))


def _gap_score(design: RatingDesign, layout: Layout, values: RaterValues) -> Numbers:
    """Score of the factor that depends on the gap between thresholds only."""
    lower, upper = values.bounds(design)
    _, steep = gap_terms(lower, upper)
    inner = (design.grade > 0) & (design.grade < design.n_grades - 1)
    rater, grade, amount = design.rater[inner], design.grade[inner], (design.weight * steep)[inner]
    score = np.zeros(layout.size)
    np.add.at(score, layout.threshold(rater, grade), amount)
    np.add.at(score, layout.threshold(rater, grade - 1), -amount)
    return score


def _complete(
    design: RatingDesign,
    layout: Layout,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
) -> Numbers:
    """Posterior mean of the information that would be seen with all effects known."""
    joint = posterior.joint(design)[design.answer] * design.weight[:, None, None]
    lower = joint * posterior.curves.lower_curvature
    upper = joint * posterior.curves.upper_curvature
    quality = nodes.quality[design.answer] + values.rating_tastes(design)[:, None, None]
    tilt = np.exp(nodes.log_slope)[design.answer_unit][design.answer][:, :, None]
    alpha = values.discriminations[design.rater]
    factors: list[tuple[Codes, Numbers | None, Numbers]] = [
        (layout.discrimination(design.rater), quality, np.ones_like(alpha)),
        (layout.ability(design.partner), tilt, alpha),
    ]
    for number in range(layout.covariates):
        place = layout.effect(design.rater, number)
        factors.append((place, None, design.covariates[:, number]))
    if layout.has_tastes:
        factors.append((layout.taste(design.rater, design.partner), None, alpha))
    found = _Scatter(layout.size)
    _add_linear(found, factors, lower + upper)
    _add_thresholds(found, design, layout, values, factors, lower, upper)
    slope, own = joint * posterior.curves.slope, layout.discrimination(design.rater)
    found.add(own, layout.ability(design.partner), -(slope * tilt).sum(axis=(1, 2)))
    if layout.has_tastes:
        found.add(own, layout.taste(design.rater, design.partner), -slope.sum(axis=(1, 2)))
    matrix = found.matrix()
    _add_spreads(matrix, layout, values, nodes, posterior, design)
    return matrix


class _Scatter:
    """Sums entries of a symmetric matrix by place."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.total = np.zeros(size * size)

    def add(self, rows: Codes, columns: Codes, amounts: Numbers) -> None:
        """Add entries, each also at its mirror place unless it is on the diagonal."""
        for a, b in ((rows, columns), (columns, rows)):
            place = a * self.size + b
            self.total += np.bincount(place, amounts * 0.5 * (1 + (rows != columns)), self.size**2)

    def matrix(self) -> Numbers:
        """Give the matrix."""
        return self.total.reshape(self.size, self.size)


def _add_linear(
    found: _Scatter, factors: list[tuple[Codes, Numbers | None, Numbers]], bend: Numbers
) -> None:
    """Add the products of all pairs of derivatives of z."""
    for i, (place, node_factor, factor) in enumerate(factors):
        own = bend if node_factor is None else bend * node_factor
        for other, other_node, other_factor in factors[i:]:
            both = own if other_node is None else own * other_node
            found.add(place, other, both.sum(axis=(1, 2)) * factor * other_factor)


def _add_thresholds(
    found: _Scatter,
    design: RatingDesign,
    layout: Layout,
    values: RaterValues,
    factors: list[tuple[Codes, Numbers | None, Numbers]],
    lower: Numbers,
    upper: Numbers,
) -> None:
    """Add what belongs to thresholds, with one another and with z."""
    _, steep = gap_terms(*values.bounds(design))
    gap = design.weight * steep * (1 + steep)
    grade, rater = design.grade, design.rater
    has_lower, has_upper = grade > 0, grade < design.n_grades - 1
    below, above = layout.threshold(rater, grade - 1), layout.threshold(rater, grade)
    for has, place, bend in ((has_lower, below, lower), (has_upper, above, upper)):
        found.add(place[has], place[has], bend.sum(axis=(1, 2))[has] + gap[has])
        for other, node_factor, factor in factors:
            both = bend if node_factor is None else bend * node_factor
            found.add(place[has], other[has], -(both.sum(axis=(1, 2)) * factor)[has])
    inner = has_lower & has_upper
    found.add(below[inner], above[inner], -gap[inner])


def _add_spreads(
    matrix: Numbers,
    layout: Layout,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
    design: RatingDesign,
) -> None:
    """Add the information about log spreads and lean."""
    joint = posterior.joint(design)
    own = (nodes.level - values.lean * nodes.log_slope) / values.spreads[UNIT]
    tilt = nodes.log_slope / values.spreads[UNIT]
    unit = layout.spread(UNIT)
    entries = {
        (UNIT, UNIT): 2 * (posterior.unit * own**2).sum(),
        (UNIT, LEAN): 2 * (posterior.unit * own * tilt).sum(),
        (LEAN, LEAN): (posterior.unit * tilt**2).sum(),
        (SLOPE, SLOPE): 2 * (posterior.unit * (nodes.log_slope / values.spreads[SLOPE]) ** 2).sum(),
        (ANSWER, ANSWER): 2 * (joint * (nodes.answer / values.spreads[ANSWER]) ** 2).sum(),
    }
    for (one, other), amount in entries.items():
        matrix[unit + one, unit + other] += amount
        if one != other:
            matrix[unit + other, unit + one] += amount
