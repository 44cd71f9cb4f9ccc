"""What raters give to single units beyond the quality of their answers, such as to an item.

There are as many as raters × units, each seen in a few ratings, so they are no part of the vector
of parameters: each is set to its mode in turn, and the spread of all by marginal likelihood.
"""

import numpy as np

from itemcurve.estimation.raters.likelihood.adaptive_nodes import Nodes
from itemcurve.estimation.raters.likelihood.rater_parameters import RaterValues
from itemcurve.estimation.raters.likelihood.rating_blocks import Places
from itemcurve.estimation.raters.likelihood.rating_curves import (
    RatingCurves,
    bend_by_slot,
    slope_in_z,
)
from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers, RatingDesign
from itemcurve.estimation.raters.likelihood.rating_posterior import RatingPosterior
from itemcurve.estimation.raters.likelihood.taste_spread import best_spread
from itemcurve.numerics.engine import Array, Engine

# Of the information with all effects known, that part is kept at least.
_LEAST_KEPT = 0.1
_FIRST_SPREAD = 0.1


def settle_unit_tastes(
    design: RatingDesign,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
    former_spread: float,
) -> tuple[Numbers, float]:
    """Give better tastes (raters × units) and their spread.

    What all raters of a unit see in it is its level, and what a rater sees in all units is its
    severity: tastes are held to what is left.
    """
    shape = (design.n_raters, design.n_units)
    unit = design.answer_unit[design.answer]
    place = design.rater * design.n_units + unit
    moments = _moments(design, values, nodes, posterior)
    steep, information = _evidence(design, posterior, moments, place, unit)
    # In logits: in units of quality they would grow with every discrimination that is raised.
    steep, information = steep.reshape(shape), information.reshape(shape)
    former = np.zeros(shape) if values.unit_tastes is None else values.unit_tastes
    present = information > 0
    weights = values.discriminations[:, None] * present
    inside, pull = _restrict(weights, information, steep + information * former)
    eigenvalues, vectors = np.linalg.eigh(inside)
    coordinates = np.einsum("urk,ur->uk", vectors, pull)
    known = eigenvalues > 1e-9 * eigenvalues.max()
    first = former_spread or _FIRST_SPREAD
    spread = best_spread(eigenvalues[known], coordinates[known] ** 2, first)
    modes = coordinates / (np.maximum(eigenvalues, 0.0) + spread**-2)
    found = np.einsum("urk,uk->ru", vectors, modes) * present
    means = found.sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    return found - means[:, None] * present, spread


def _restrict(weights: Numbers, information: Numbers, pull: Numbers) -> tuple[Numbers, Numbers]:
    """Information (units × raters × raters) and pull where weighted means of a unit are zero."""
    lengths = np.sqrt((weights**2).sum(axis=0))
    along = np.divide(weights, lengths, out=np.zeros_like(weights), where=lengths > 0).T
    project = np.eye(along.shape[1]) - along[:, :, None] * along[:, None, :]
    inside = project @ (information.T[:, :, None] * project)
    return inside, np.einsum("urs,su->ur", project, pull)


def _moments(
    design: RatingDesign, values: RaterValues, nodes: Nodes, posterior: RatingPosterior
) -> list[Numbers]:
    """Mean slope, its variance and the mean curvature, given nodes of units (ratings × nodes)."""
    slope, offsets = values.discriminations[design.rater], values.offsets(design)
    thresholds = values.rating_thresholds(design)
    run = design.engine.compile(_block_moments, static=("engine", "curves"))
    found = [
        run(
            design.engine,
            design.curves,
            block.places,
            (slope[block.ratings], offsets[block.ratings], thresholds[block.ratings]),
            nodes.quality[block.answers],
            posterior.answer[block.answers],
        )
        for block in design.blocks
    ]
    return [np.concatenate([np.asarray(part[k]) for part in found]) for k in range(3)]


def _block_moments(
    engine: Engine,
    curves: RatingCurves,
    places: Places,
    of_rating: tuple[Array, Array, Array],
    quality: Array,
    shares: Array,
) -> tuple[Array, Array, Array]:
    slope, offset, thresholds = of_rating
    z = slope[:, None, None] * quality[places.answer] + offset[:, None, None]
    scores, curvature = curves.derivatives(engine, z, thresholds, places.grade)
    shares = shares[places.answer]
    steep = places.weight[:, None, None] * slope_in_z(scores)
    mean = (shares * steep).sum(axis=2)
    within = (shares * steep**2).sum(axis=2) - mean**2
    bend = sum(bend_by_slot(curvature, len(scores)))
    return mean, within, places.weight[:, None] * (shares * bend).sum(axis=2)


def _evidence(
    design: RatingDesign,
    posterior: RatingPosterior,
    moments: list[Numbers],
    place: Codes,
    unit: Codes,
) -> tuple[Numbers, Numbers]:
    """Gradient and observed information of each taste, the other parameters as they are."""
    mean, within, complete = moments
    size = design.n_raters * design.n_units
    weights = posterior.unit[unit]
    steep = np.bincount(place, (weights * mean).sum(axis=1), size)
    information = np.bincount(place, (weights * (complete - within)).sum(axis=1), size)
    whole = np.bincount(place, (weights * complete).sum(axis=1), size)
    by_node = np.stack([np.bincount(place, mean[:, g], size) for g in range(mean.shape[1])])
    prior = np.tile(posterior.unit, (design.n_raters, 1)).T
    between = (prior * by_node**2).sum(axis=0) - (prior * by_node).sum(axis=0) ** 2
    kept = np.maximum(information - between, _LEAST_KEPT * whole)
    return np.asarray(steep), np.asarray(kept)
