"""Derivatives of the marginal likelihood of ratings, against finite differences."""

from dataclasses import replace

import numpy as np
import pytest

from itemcurve.datasets.simulated_ratings import simulate_ratings
from itemcurve.estimation.raters.likelihood.adaptive_nodes import (
    NodeCounts,
    find_modes,
    no_effects,
    place_nodes,
)
from itemcurve.estimation.raters.likelihood.rater_parameters import layout_of, start_values
from itemcurve.estimation.raters.likelihood.rater_score import differentiate
from itemcurve.estimation.raters.likelihood.rating_posterior import integrate
from itemcurve.estimation.raters.likelihood.score_places import score_places
from itemcurve.estimation.raters.rater_model import build_design
from itemcurve.estimation.raters.rating_models import MODELS

STEP = 1e-5


@pytest.fixture(scope="module", params=["grm", "gpcm", "sequential"])
def case(request):
    drawn = simulate_ratings(respondents=4, items=9, raters=3, seed=5, grades=4, share=0.8)
    random = np.random.default_rng(1)
    covariate = (random.random(len(drawn.ratings)) < 0.4).astype(float)
    design = build_design(drawn.ratings, {"some": covariate}, MODELS[request.param])
    layout = layout_of(design, has_tastes=True)
    vector = start_values(design, layout, slopes=True) + 0.05 * random.normal(size=layout.size)
    values = layout.read(vector)
    nodes = place_nodes(
        design, values, find_modes(design, values, no_effects(design)), NodeCounts()
    )
    return design, layout, vector, nodes


def evaluate(design, layout, vector, nodes):
    """Likelihood and derivatives with nodes held where they are."""
    values = layout.read(vector)
    slope = np.exp(nodes.log_slope)[design.answer_unit]
    level = slope * values.abilities[design.answer_partner][:, None]
    level = level + nodes.level[design.answer_unit]
    moved = replace(nodes, quality=level[:, :, None] + nodes.answer)
    posterior = integrate(design, values, moved)
    return posterior.log_likelihood, differentiate(
        design, layout, values, moved, posterior, score_places(design, layout)
    )


def test_the_score_is_the_slope_of_the_likelihood(case):
    design, layout, vector, nodes = case
    _, found = evaluate(*case)
    steps = STEP * np.eye(layout.size)
    slopes = [
        (
            evaluate(design, layout, vector + step, nodes)[0]
            - evaluate(design, layout, vector - step, nodes)[0]
        )
        / (2 * STEP)
        for step in steps
    ]
    np.testing.assert_allclose(found.gradient, slopes, atol=1e-6)


def test_the_information_is_the_slope_of_the_score(case):
    design, layout, vector, nodes = case
    _, found = evaluate(*case)
    for place in range(0, layout.size, 5):
        step = STEP * np.eye(layout.size)[place]
        up = evaluate(design, layout, vector + step, nodes)[1].gradient
        down = evaluate(design, layout, vector - step, nodes)[1].gradient
        np.testing.assert_allclose(found.information[place], -(up - down) / (2 * STEP), atol=1e-6)
