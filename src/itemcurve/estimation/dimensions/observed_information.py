"""Observed information of items of several abilities, by Louis's (1982) identity.

Of each respondent, the information is that of the responses if abilities were known, less the
variance of the score over what the abilities may be: E[I] − Cov[s | y].
"""

from typing import TYPE_CHECKING, Annotated

import numpy as np
from scipy.special import logsumexp

from itemcurve.estimation.dimensions.composite_cells import CellMoments
from itemcurve.estimation.dimensions.correlations.correlation_angles import (
    angles_of,
    correlation_at,
    correlation_slopes,
    pulled_back,
)
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    from itemcurve.estimation.dimensions.marginal_surface import MarginalSurface

_STEP = 1e-5
Information = Annotated[Array, axes("estimated estimated")]


def observed_information(
    surface: "MarginalSurface", items: Array, correlation: Array
) -> Information:
    """Information about all items' coordinates, item by item, then the correlations' angles."""
    is_correlated = surface.pattern.is_correlated
    angles = angles_of(correlation) if is_correlated else np.zeros(0)
    size = items.size + len(angles)
    known, missing = np.zeros((size, size)), np.zeros((size, size))
    moments = np.zeros_like(correlation)
    width = surface.pattern.size + 1
    for rows, cells, design in surface.blocks():
        at = cells.at(items[:, :width] @ design.T, items[:, width:])
        shares = _shares(surface, rows, at, correlation)
        weight = shares.ravel()
        add_item_blocks(known, at, design, weight)
        scores = item_scores(at, design)
        if is_correlated:
            scores = np.column_stack([scores, _angle_scores(design[:, :-1], angles, correlation)])
            moments += (design[:, :-1] * weight[:, np.newaxis]).T @ design[:, :-1]
        missing += (scores * weight[:, np.newaxis]).T @ scores
        means = (scores * weight[:, np.newaxis]).reshape(*shares.shape, -1).sum(axis=1)
        missing -= means.T @ means
    if is_correlated:
        known[items.size :, items.size :] = _known_of_angles(
            angles, moments, surface.cells.shape[1]
        )
    return known - missing


def _shares(surface: "MarginalSurface", rows: slice, at: CellMoments, correlation: Array) -> Array:
    joint = at.log_likelihood.sum(axis=0).reshape(-1, surface.nodes.log_volume.shape[1])
    joint = joint + surface.log_prior(rows, correlation)
    return np.exp(joint - logsumexp(joint, axis=1, keepdims=True))


def item_scores(at: CellMoments, design: Array) -> Annotated[Array, axes("nodes coordinates")]:
    """Scores of all items' coordinates at every node, item by item."""
    linear = at.score.T[:, :, np.newaxis] * design[:, np.newaxis, :]
    own = at.own_scores.transpose(2, 1, 0)
    return np.concatenate([linear, own], axis=2).reshape(len(design), -1)


def add_item_blocks(known: Information, at: CellMoments, design: Array, weight: Array) -> None:
    """Add the information that items would give if abilities were known."""
    items, width = len(at.score), design.shape[1]
    count = width + len(at.own_scores)
    outer = (design[:, :, np.newaxis] * design[:, np.newaxis, :]).reshape(len(design), -1)
    linear = ((at.information * weight) @ outer).reshape(items, width, width)
    blocks = np.zeros((items, count, count))
    blocks[:, :width, :width] = linear
    for place, coupling in enumerate(at.own_coupling, start=width):
        crossed = (coupling * weight) @ design
        blocks[:, :width, place] = blocks[:, place, :width] = crossed
    for row, own in enumerate(at.own_information, start=width):
        for column, matrix in enumerate(own, start=width):
            blocks[:, row, column] = matrix @ weight
    for item in range(items):
        square = slice(item * count, (item + 1) * count)
        known[square, square] += blocks[item]


def _angle_scores(points: Array, angles: Array, correlation: Array) -> Array:
    inverse = np.linalg.inv(correlation)
    moved = points @ inverse
    found = []
    for slope in correlation_slopes(angles, len(correlation)):
        square = np.einsum("nk,kl,nl->n", moved, slope, moved, optimize=True)
        found.append(0.5 * (square - np.trace(inverse @ slope)))
    return np.array(found).T


def _known_of_angles(angles: Array, moments: Array, count: int) -> Array:
    """Minus the second derivatives of Σ E[log density of abilities] in the angles."""

    def gradient(at: Array) -> Array:
        inverse = np.linalg.inv(correlation_at(at, len(moments)))
        return pulled_back(at, 0.5 * (inverse @ moments @ inverse - count * inverse))

    found = np.zeros((len(angles), len(angles)))
    for place in range(len(angles)):
        step = np.zeros(len(angles))
        step[place] = _STEP
        found[place] = (gradient(angles + step) - gradient(angles - step)) / (2 * _STEP)
    return -(found + found.T) / 2
