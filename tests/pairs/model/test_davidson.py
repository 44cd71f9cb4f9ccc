"""The formula: probabilities, derivatives, and both engines."""

import numpy as np
import pytest

from itemcurve.numerics.engine import get_engine
from itemcurve.pairs.model.davidson import (
    NEVER,
    expected_share,
    log_probabilities,
    vote_moments,
)

ETA = np.array([-3.0, -0.4, 0.0, 1.7, 40.0])
TAU = np.array([-1.0, 0.3, NEVER, -2.0, 0.5])


def test_probabilities_are_davidsons():
    strengths = np.exp(ETA[:4])
    nu = np.exp(TAU[:4])
    total = strengths + 1 + nu * np.sqrt(strengths)
    found = np.exp(log_probabilities(ETA[:4], TAU[:4]))
    expected = [strengths / total, 1 / total, nu * np.sqrt(strengths) / total]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_moments_are_the_derivatives():
    counts = np.random.default_rng(1).integers(0, 9, (4, 3)).astype(float)
    eta, tau = ETA[[0, 1, 3]], TAU[[0, 1, 3]]
    counts = counts[:3]
    step = 1e-5

    def total(a, b):
        return vote_moments(eta + a, tau + b, counts).log_likelihood

    found = vote_moments(eta, tau, counts)
    by_eta = (total(step, 0) - total(-step, 0)) / (2 * step)
    by_tau = (total(0, step) - total(0, -step)) / (2 * step)
    np.testing.assert_allclose(found.eta_residual, by_eta, atol=1e-7)
    np.testing.assert_allclose(found.tau_residual, by_tau, atol=1e-7)

    def slopes(a, b):
        moved = vote_moments(eta + a, tau + b, counts)
        return moved.eta_residual, moved.tau_residual

    up, down = slopes(step, 0), slopes(-step, 0)
    np.testing.assert_allclose(found.eta_variance, (down[0] - up[0]) / (2 * step), atol=1e-7)
    np.testing.assert_allclose(found.covariance, (down[1] - up[1]) / (2 * step), atol=1e-7)
    up, down = slopes(0, step), slopes(0, -step)
    np.testing.assert_allclose(found.tau_variance, (down[1] - up[1]) / (2 * step), atol=1e-7)


def test_the_expected_share_has_this_derivative():
    step = 1e-5
    share, slope = expected_share(ETA, TAU)
    moved = [expected_share(ETA + side * step, TAU)[0] for side in (1, -1)]
    np.testing.assert_allclose(slope, (moved[0] - moved[1]) / (2 * step), atol=1e-9)
    assert share[2] == 0.5


def test_both_engines_agree():
    pytest.importorskip("jax")
    engine = get_engine("jax")
    counts = np.ones((5, 3)) * (TAU > NEVER)[:, None]
    with engine.double_precision():
        found = vote_moments(*(engine.place(v) for v in (ETA, TAU, counts)), engine=engine)
    for ours, theirs in zip(vote_moments(ETA, TAU, counts), found, strict=True):
        np.testing.assert_allclose(ours, np.asarray(theirs), rtol=1e-12, atol=1e-12)
