"""Correlations are not drawn towards zero."""

import numpy as np
import pytest

import itemcurve as ic


def fitted(correlation, seed):
    rng = np.random.default_rng(seed)
    abilities = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], size=600)
    predictor = 1.5 * np.repeat(abilities, 12, axis=1) + rng.normal(size=24)
    answers = (rng.random(predictor.shape) < 1 / (1 + np.exp(-predictor))).astype(float)
    responses = ic.Responses.from_array(answers)
    groups = {"one": list(responses.items[:12]), "two": list(responses.items[12:])}
    fit = ic.fit(responses, "2pl", dimensions=groups)
    return fit, np.corrcoef(abilities.T)[0, 1]


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_they_are_those_of_the_sample(correlation):
    pairs = [fitted(correlation, seed) for seed in range(4)]
    gaps = [fit.correlation[0, 1] - truth for fit, truth in pairs]
    assert np.mean(gaps) == pytest.approx(0, abs=0.025)


def test_abilities_that_are_one_correlate_by_nearly_one():
    fit, _ = fitted(1.0, 1)
    assert fit.correlation[0, 1] > 0.97
    errors = np.sqrt(np.diagonal(fit.ability_covariance, axis1=1, axis2=2))
    assert np.isfinite(errors).all()
