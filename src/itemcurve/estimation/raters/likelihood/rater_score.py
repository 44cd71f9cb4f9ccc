"""Derivatives of the marginal likelihood: score and observed information (Louis 1982).

The score is the posterior mean of the score that would be seen with all effects known; the
information is the mean of that information less the variance of that score, which is that between
nodes of units and, at each of these, that between nodes of answers.
"""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.raters.likelihood.adaptive_nodes import Nodes
from itemcurve.estimation.raters.likelihood.block_moments import (
    BlockInput,
    BlockMoments,
    block_moments,
)
from itemcurve.estimation.raters.likelihood.rater_parameters import (
    ANSWER,
    LEAN,
    SLOPE,
    UNIT,
    Layout,
    RaterValues,
)
from itemcurve.estimation.raters.likelihood.rating_blocks import Block
from itemcurve.estimation.raters.likelihood.rating_design import Numbers, RatingDesign
from itemcurve.estimation.raters.likelihood.rating_posterior import RatingPosterior
from itemcurve.estimation.raters.likelihood.score_places import ScorePlaces


@dataclass(frozen=True, eq=False)
class Derivatives:
    """Gradient and observed information of the log-likelihood.

    Attributes
    ----------
    scale : information about each parameter if units were known; it serves as a measure.
    """

    gradient: Numbers
    information: Numbers
    scale: Numbers


def differentiate(
    design: RatingDesign,
    layout: Layout,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
    places: list[ScorePlaces],
) -> Derivatives:
    """Give gradient and information at these nodes; `places` are those of `score_places`."""
    between = np.zeros((layout.size, layout.size))
    total = np.zeros(layout.size)
    inside = np.zeros((layout.size + 1) ** 2)
    for block, where in zip(design.blocks, places, strict=True):
        found = _moments(design, values, nodes, posterior, block)
        by_node = _by_node(design, layout, values, nodes, posterior, block, where, found)
        weight = posterior.unit[block.units]
        by_unit = np.einsum("ug,ugp->up", weight, by_node)
        flat = (by_node * np.sqrt(weight)[:, :, None]).reshape(-1, layout.size)
        between += flat.T @ flat - by_unit.T @ by_unit
        total += by_unit.sum(axis=0)
        _add_information(design, values, block, where, found, inside)
    information = inside.reshape(layout.size + 1, -1)[:-1, :-1] - between
    _add_spreads(information, layout, values, nodes, posterior, design)
    _add_fixed(design, layout, values, total, information)
    return Derivatives(total, information, np.abs(np.diag(information + between)))


def _moments(
    design: RatingDesign,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
    block: Block,
) -> BlockMoments:
    rows = block.ratings
    rater = design.rater[rows]
    given = BlockInput(
        values.discriminations[rater],
        values.offsets(design)[rows],
        values.thresholds[rater],
        values.rating_tastes(design)[rows],
        nodes.quality[block.answers],
        nodes.answer[block.answers] / values.spreads[ANSWER],
        posterior.answer[block.answers],
        np.exp(nodes.log_slope[block.units]),
        posterior.unit[block.units],
    )
    run = design.engine.compile(block_moments, static=("engine", "curves"))
    found = run(design.engine, design.curves, block.places, given)
    net = tuple(np.asarray(part) for part in found.net)
    return BlockMoments(np.asarray(found.means), net, np.asarray(found.bent))


def _by_node(
    design: RatingDesign,
    layout: Layout,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
    block: Block,
    where: ScorePlaces,
    found: BlockMoments,
) -> Numbers:
    """Scores of each unit at its nodes (units × nodes × parameters)."""
    rows = block.ratings
    means = found.means
    steep = -means[:, :, :-2].sum(axis=2)
    parts = [means[:, :, k] for k in range(means.shape[2])]
    parts += [design.covariates[rows, k, None] * steep for k in range(layout.covariates)]
    if layout.has_tastes:
        parts.append(values.discriminations[design.rater[rows]][:, None] * steep)
    apart = (nodes.answer[block.answers] / values.spreads[ANSWER]) ** 2 - 1
    parts.append((apart * posterior.answer[block.answers]).sum(axis=2))
    summed = where.gather @ np.concatenate(parts)
    n_units, n_nodes = posterior.unit[block.units].shape
    by_node = summed.reshape(n_units, layout.size + 1, n_nodes)[:, :-1].transpose(0, 2, 1)
    by_node = np.ascontiguousarray(by_node)
    log_slope = nodes.log_slope[block.units]
    own = (nodes.level[block.units] - values.lean * log_slope) / values.spreads[UNIT]
    by_node[:, :, layout.spread(UNIT)] = own**2 - 1
    by_node[:, :, layout.spread(SLOPE)] = (log_slope / values.spreads[SLOPE]) ** 2 - 1
    by_node[:, :, layout.spread(LEAN)] = own * log_slope / values.spreads[UNIT]
    return by_node


def _add_information(
    design: RatingDesign,
    values: RaterValues,
    block: Block,
    where: ScorePlaces,
    found: BlockMoments,
    inside: Numbers,
) -> None:
    """Take what is known of the functions to the parameters, and add it up."""
    slope = values.discriminations[design.rater[block.ratings]]
    covariates = design.covariates[block.ratings]
    for (_, ratings), net, place in zip(block.places.groups, found.net, where.groups, strict=True):
        whole = net
        for column in [covariates[:, k] for k in range(covariates.shape[1])] + (
            [slope] if where.has_tastes else []
        ):
            whole = _append_shift(whole, net, column[ratings], found.means.shape[2])
        inside += np.bincount(place, whole.ravel(), len(inside))
    if where.has_tastes:
        for place in where.crossed:
            inside += np.bincount(place, -found.bent, len(inside))


def _append_shift(whole: Numbers, net: Numbers, factor: Numbers, size: int) -> Numbers:
    """Add functions that shift z: minus the sum over slots, times a factor of each rating."""
    count, length = factor.shape
    slots = size - 2
    map_ = np.zeros((count, length, net.shape[1]))
    for k in range(length):
        map_[:, k, k * size : k * size + slots] = -factor[:, k, None]
    rows = map_ @ whole[:, : net.shape[1], :]
    corner = map_ @ rows[:, :, : net.shape[1]].transpose(0, 2, 1)
    top = np.concatenate([whole, rows.transpose(0, 2, 1)], axis=2)
    bottom = np.concatenate([rows, corner], axis=2)
    return np.concatenate([top, bottom], axis=1)


def _add_spreads(
    matrix: Numbers,
    layout: Layout,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
    design: RatingDesign,
) -> None:
    """Add the information about log spreads and lean."""
    own = (nodes.level - values.lean * nodes.log_slope) / values.spreads[UNIT]
    tilt = nodes.log_slope / values.spreads[UNIT]
    unit = layout.spread(UNIT)
    squares = np.einsum("agk,agk->ag", posterior.answer, nodes.answer**2)
    of_answers = (posterior.unit[design.answer_unit] * squares).sum() / values.spreads[ANSWER] ** 2
    entries = {
        (UNIT, UNIT): 2 * (posterior.unit * own**2).sum(),
        (UNIT, LEAN): 2 * (posterior.unit * own * tilt).sum(),
        (LEAN, LEAN): (posterior.unit * tilt**2).sum(),
        (SLOPE, SLOPE): 2 * (posterior.unit * (nodes.log_slope / values.spreads[SLOPE]) ** 2).sum(),
        (ANSWER, ANSWER): 2 * of_answers,
    }
    for (one, other), amount in entries.items():
        matrix[unit + one, unit + other] += amount
        if one != other:
            matrix[unit + other, unit + one] += amount


def _add_fixed(
    design: RatingDesign, layout: Layout, values: RaterValues, gradient: Numbers, matrix: Numbers
) -> None:
    """Add what does not depend on quality, such as the gap between thresholds."""
    known = np.flatnonzero(design.weight > 0)
    rater, slots = design.rater[known], design.slots[known]
    fixed = design.curves.fixed(values.thresholds[rater], design.grade[known])
    if fixed is None:
        return
    weight = design.weight[known]
    for one in range(slots.shape[1]):
        own = slots[:, one] >= 0
        place = layout.threshold(rater, slots[:, one])
        np.add.at(gradient, place[own], (weight * fixed.scores[:, one])[own])
        for other in range(slots.shape[1]):
            both = own & (slots[:, other] >= 0)
            second = layout.threshold(rater, slots[:, other])
            amount = (weight * fixed.curvature[:, one, other])[both]
            np.add.at(matrix, (place[both], second[both]), amount)
