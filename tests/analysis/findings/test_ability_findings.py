"""Findings about several abilities."""

import numpy as np

import itemcurve as ic


def drawn(correlation, respondents=400, items=24, seed=1):
    rng = np.random.default_rng(seed)
    abilities = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], respondents)
    predictor = 1.5 * np.repeat(abilities, items // 2, axis=1) + rng.normal(size=items)
    answers = (rng.random(predictor.shape) < 1 / (1 + np.exp(-predictor))).astype(float)
    return ic.Responses.from_array(answers)


def fitted(responses, **settings):
    half = len(responses.items) // 2
    groups = {"one": list(responses.items[:half]), "two": list(responses.items[half:])}
    return ic.fit(responses, "2pl", dimensions=groups, **settings)


def test_sound_fits_have_none():
    for seed in range(3):
        assert not len(ic.findings(fitted(drawn(0.5, seed=seed))))


def test_abilities_that_are_one_are_named():
    fit = fitted(drawn(1.0))
    (found,) = ic.findings(fit)
    assert found.code == "IRT050"
    assert found.concerned == ("one", "two")
    assert not len(ic.findings(fit, mute=["IRT050"]))


def test_a_special_ability_that_its_items_do_not_have_is_named():
    found = ic.findings(fitted(drawn(1.0, respondents=2000), general=True))
    assert "IRT051" in [finding.code for finding in found]


def test_constant_items_are_named():
    values = drawn(0.3).array()
    values[:, 3] = 1
    responses = ic.Responses.from_array(values)
    (found,) = ic.findings(fitted(responses))
    assert found.code == "IRT001"
    assert found.concerned == (responses.items[3],)
