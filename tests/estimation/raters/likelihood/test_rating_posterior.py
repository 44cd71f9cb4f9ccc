"""The marginal likelihood of ratings, against integrals by brute force."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from itemcurve.datasets.simulated_ratings import simulate_ratings
from itemcurve.estimation.raters.likelihood.adaptive_nodes import (
    NodeCounts,
    find_modes,
    no_effects,
    place_nodes,
)
from itemcurve.estimation.raters.likelihood.rater_parameters import layout_of, start_values
from itemcurve.estimation.raters.likelihood.rating_posterior import integrate
from itemcurve.estimation.raters.rater_model import build_design
from itemcurve.estimation.raters.rating_models import MODELS

GRID = np.linspace(-6, 6, 121)


def graded(z, thresholds, k):
    edges = np.concatenate([[-np.inf], thresholds, [np.inf]])
    return expit(z - edges[k]) - expit(z - edges[k + 1])


def partial_credit(z, thresholds, k):
    steps = np.concatenate([[0.0], np.cumsum(thresholds)])
    weights = [np.exp(j * z - steps[j]) for j in range(len(steps))]
    return weights[k] / sum(weights)


def sequential(z, thresholds, k):
    done = np.prod([expit(z - thresholds[j]) for j in range(k)], axis=0)
    return done * (1 - expit(z - thresholds[k]) if k < len(thresholds) else 1)


def brute_force(ratings, values, probability):
    """Sum over fixed grids of answers, levels and log slopes: no code of the library."""
    step = GRID[1] - GRID[0]
    weight = norm.pdf(GRID) * step
    unit, slope, answer = values.spreads
    slopes = np.linspace(-6, 6, 49)
    slope_weight = norm.pdf(slopes) * (slopes[1] - slopes[0])
    total = 0.0
    for item in range(len(ratings.items)):
        joint = np.ones((len(slopes), len(GRID)))
        for n in range(len(ratings.respondents)):
            level = np.exp(slope * slopes)[:, None] * values.abilities[n] + unit * GRID
            level = level + values.lean * slope * slopes[:, None]
            quality = level[:, :, None] + answer * GRID
            product = np.ones_like(quality)
            for row in np.flatnonzero((ratings.item == item) & (ratings.respondent == n)):
                r, k = ratings.rater[row], ratings.grade[row]
                z = values.discriminations[r] * quality
                product *= probability(z, values.thresholds[r], k)
            joint *= product @ weight
        total += np.log(slope_weight @ joint @ weight)
    return total


@pytest.mark.parametrize(
    ("seed", "model", "probability"),
    [(1, "grm", graded), (2, "gpcm", partial_credit), (3, "sequential", sequential)],
)
def test_likelihood_is_that_of_brute_force(seed, model, probability):
    ratings = simulate_ratings(respondents=3, items=4, raters=3, seed=seed, grades=4).ratings
    design = build_design(ratings, {}, MODELS[model])
    layout = layout_of(design, has_tastes=False)
    vector = start_values(design, layout, slopes=True)
    vector[-1] = 0.3
    values = layout.read(vector)
    modes = find_modes(design, values, no_effects(design))
    expected = brute_force(ratings, values, probability)
    fine = integrate(design, values, place_nodes(design, values, modes, NodeCounts(11, 9, 11)))
    assert fine.log_likelihood == pytest.approx(expected, abs=2e-4)
    usual = integrate(design, values, place_nodes(design, values, modes, NodeCounts(5, 5, 5)))
    assert usual.log_likelihood == pytest.approx(expected, abs=0.02)
