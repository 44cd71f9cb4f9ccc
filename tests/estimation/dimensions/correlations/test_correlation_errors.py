"""Errors of correlations: exact by maximum likelihood, nearly so from posteriors."""

import numpy as np
import pytest

import itemcurve as ic


@pytest.fixture(scope="module")
def two():
    rng = np.random.default_rng(4)
    abilities = rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], size=300)
    predictor = 1.5 * np.repeat(abilities, 6, axis=1)
    answers = (rng.random(predictor.shape) < 1 / (1 + np.exp(-predictor))).astype(float)
    responses = ic.Responses.from_array(answers)
    return responses, {"one": list(responses.items[:6]), "two": list(responses.items[6:])}


def test_both_ways_agree(two):
    responses, groups = two
    exact = ic.fit(responses, "2pl", dimensions=groups, prior=None).correlation_errors
    quick = ic.fit(responses, "2pl", dimensions=groups).correlation_errors
    assert exact.iloc[0, 0] == 0
    assert quick.iloc[0, 1] == pytest.approx(exact.iloc[1, 0], rel=0.15)


def test_turned_axes_have_none_and_those_of_a_bifactor_are_held(two):
    responses, groups = two
    assert np.isnan(ic.fit(responses, "2pl", dimensions=2).correlation_errors.iloc[0, 1])
    held = ic.fit(responses, "2pl", dimensions=groups, general=True).correlation_errors
    assert (held.to_numpy() == 0).all()
