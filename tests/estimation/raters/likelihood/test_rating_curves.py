"""All curves of ratings keep the contract: derivatives are derivatives, probabilities sum to 1."""

import numpy as np
import pytest

from itemcurve.estimation.raters.likelihood.rating_curves import bend_by_slot, slope_in_z
from itemcurve.estimation.raters.rating_models import MODELS
from itemcurve.numerics.engine import NUMPY, get_engine

GRADE = np.repeat([0, 1, 2, 3], 6)
THRESHOLDS = np.tile([-1.1, 0.2, 1.4], (len(GRADE), 1))
Z = np.tile(np.linspace(-2.5, 2.5, 6), 4)
STEP = 1e-6


@pytest.fixture(params=["grm", "gpcm", "sequential"])
def curves(request):
    return MODELS[request.param].curves


def log_probability(curves, z, thresholds, engine=NUMPY):
    fixed = curves.fixed(thresholds, GRADE)
    own = np.asarray(curves.log_probability(engine, z, thresholds, GRADE))
    return own + (0 if fixed is None else fixed.value)


def test_probabilities_are_those_of_the_log_probability_and_sum_to_one(curves):
    shares = curves.probabilities(Z, THRESHOLDS)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    own = shares[np.arange(len(GRADE)), GRADE]
    np.testing.assert_allclose(np.log(own), log_probability(curves, Z, THRESHOLDS))
    above = np.cumsum(shares[:, ::-1], axis=1)[:, ::-1][:, 1:]
    np.testing.assert_allclose(curves.reached(Z, THRESHOLDS), above)


def test_scores_are_slopes_in_thresholds_and_minus_their_sum_that_in_z(curves):
    scores, curvature = curves.derivatives(NUMPY, Z, THRESHOLDS, GRADE)
    fixed, slots = curves.fixed(THRESHOLDS, GRADE), curves.slots(GRADE, 4)
    for number in range(3):
        step = STEP * np.eye(3)[number]
        up, down = (log_probability(curves, Z, THRESHOLDS + s) for s in (step, -step))
        found = np.zeros(len(GRADE))
        for slot, score in enumerate(scores):
            whole = score + (0 if fixed is None else fixed.scores[:, slot])
            found += np.where(slots[:, slot] == number, whole, 0.0)
        np.testing.assert_allclose(found, (up - down) / (2 * STEP), atol=1e-7)
    slope = (
        log_probability(curves, Z + STEP, THRESHOLDS)
        - log_probability(curves, Z - STEP, THRESHOLDS)
    ) / (2 * STEP)
    np.testing.assert_allclose(slope_in_z(scores), slope, atol=1e-7)
    steps = [
        slope_in_z(curves.derivatives(NUMPY, Z + s, THRESHOLDS, GRADE)[0]) for s in (STEP, -STEP)
    ]
    bend = sum(bend_by_slot(curvature, len(scores)))
    np.testing.assert_allclose(bend, -(steps[0] - steps[1]) / (2 * STEP), atol=1e-7)


def test_what_is_reached_falls_with_thresholds_as_said(curves):
    found = curves.reached_slopes(Z, THRESHOLDS)
    for number in range(3):
        step = STEP * np.eye(3)[number]
        up, down = (curves.reached(Z, THRESHOLDS + s) for s in (step, -step))
        np.testing.assert_allclose(found[:, :, number], -(up - down) / (2 * STEP), atol=1e-7)


def test_jax_gives_the_same(curves):
    engine = get_engine("jax")
    with engine.double_precision():
        found = log_probability(curves, Z, THRESHOLDS, engine)
    np.testing.assert_allclose(found, log_probability(curves, Z, THRESHOLDS), rtol=1e-12)
