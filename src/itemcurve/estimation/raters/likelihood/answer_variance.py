"""Variance of scores between nodes of answers: the information that unknown qualities take away."""

import numpy as np
from scipy.sparse import csr_array

from itemcurve.estimation.raters.likelihood.adaptive_nodes import Nodes
from itemcurve.estimation.raters.likelihood.rater_parameters import ANSWER, Layout, RaterValues
from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers, RatingDesign
from itemcurve.estimation.raters.likelihood.rating_posterior import RatingPosterior

# Of each rating: slope × quality, slope × tilt, below, above; of each answer: that of its spread.
_OF_RATING, _OF_ANSWER = 4, 1


def variance_within_answers(
    design: RatingDesign,
    layout: Layout,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
) -> Numbers:
    """Posterior mean, over nodes of units, of the variance between nodes of answers.

    Scores of a rating in all its parameters are combinations of four functions of its quality, so
    a small matrix per answer holds everything; a sparse map takes it to the parameters.
    """
    n_ratings = len(design.rater)
    size = _OF_RATING * n_ratings + _OF_ANSWER * design.n_answers
    entries: list[Numbers] = []
    places: list[tuple[Codes, Codes]] = []
    lengths = np.diff(np.append(design.answer_starts, n_ratings))
    for length in np.unique(lengths):
        chosen = np.flatnonzero(lengths == length)
        ratings = design.answer_starts[chosen][:, None] + np.arange(length)
        gram = _gram(design, values, nodes, posterior, chosen, ratings)
        local = _positions(ratings, chosen, n_ratings)
        shape = gram.shape
        entries.append(gram.ravel())
        one, other = local[:, :, None], local[:, None, :]
        places.append((np.broadcast_to(one, shape).ravel(), np.broadcast_to(other, shape).ravel()))
    rows, columns = (np.concatenate([place[axis] for place in places]) for axis in (0, 1))
    blocks = csr_array((np.concatenate(entries), (rows, columns)), shape=(size, size))
    mapping = _mapping(design, layout, values, size)
    return np.asarray((mapping @ blocks @ mapping.T).toarray())


def _gram(
    design: RatingDesign,
    values: RaterValues,
    nodes: Nodes,
    posterior: RatingPosterior,
    chosen: Codes,
    ratings: Codes,
) -> Numbers:
    """One matrix for each of these answers (answers × functions × functions)."""
    curves, weight = posterior.curves, design.weight[ratings][:, :, None, None]
    below, above = weight * curves.below[ratings], weight * curves.above[ratings]
    tilt = np.exp(nodes.log_slope)[design.answer_unit[chosen]][:, None, :, None]
    taste = values.rating_tastes(design)[ratings][:, :, None, None]
    quality = nodes.quality[chosen][:, None] + taste
    steep = values.discriminations[design.rater[ratings]][:, :, None, None] * (below - above)
    spread = (nodes.answer[chosen] / values.spreads[ANSWER]) ** 2
    stacked = np.concatenate(
        [(below - above) * quality, steep * tilt, below, above, spread[:, None]], axis=1
    )
    shares = posterior.answer[chosen][:, None]
    stacked = stacked - (stacked * shares).sum(axis=-1, keepdims=True)
    joint = shares * posterior.unit[design.answer_unit[chosen]][:, None, :, None]
    flat = (stacked * np.sqrt(joint)).reshape(*stacked.shape[:2], -1)
    return np.asarray(flat @ flat.transpose(0, 2, 1))


def _positions(ratings: Codes, chosen: Codes, n_ratings: int) -> Codes:
    """Where the functions of an answer lie among all functions."""
    of_ratings = [ratings + k * n_ratings for k in range(_OF_RATING)]
    first = _OF_RATING * n_ratings
    of_answer = first + chosen[:, None] * _OF_ANSWER + np.arange(_OF_ANSWER)
    return np.concatenate([*of_ratings, of_answer], axis=1)


def _mapping(design: RatingDesign, layout: Layout, values: RaterValues, size: int) -> csr_array:
    """How scores are combined from the functions (parameters × functions)."""
    number, ones = np.arange(len(design.rater)), np.ones(len(design.rater))
    n_ratings, rater = len(number), design.rater
    tilted, below, above = (k * n_ratings + number for k in (1, 2, 3))
    has_lower, has_upper = design.grade > 0, design.grade < design.n_grades - 1
    lower = layout.threshold(rater, design.grade - 1)[has_lower]
    upper = layout.threshold(rater, design.grade)[has_upper]
    parts = [
        (layout.discrimination(rater), number, ones),
        (lower, below[has_lower], -ones[has_lower]),
        (upper, above[has_upper], ones[has_upper]),
        (layout.ability(design.partner), tilted, ones),
    ]
    offsets = [(layout.effect(rater, k), design.covariates[:, k]) for k in range(layout.covariates)]
    if layout.has_tastes:
        offsets.append((layout.taste(rater, design.partner), values.discriminations[rater]))
    for place, factor in offsets:
        parts += [(place, below, factor), (place, above, -factor)]
    each = _OF_RATING * n_ratings + np.arange(design.n_answers)
    spread = np.full(design.n_answers, layout.spread(ANSWER))
    parts.append((spread, each, np.ones(design.n_answers)))
    rows, columns, amounts = (np.concatenate([p[k] for p in parts]) for k in range(3))
    return csr_array((amounts, (rows, columns)), shape=(layout.size, size))
