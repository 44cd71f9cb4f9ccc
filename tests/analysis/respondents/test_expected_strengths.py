"""Strengths by group: sums over the cells by hand, and simulated respondents of known strengths."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.respondents.expected_strengths import expected_strengths
from itemcurve.errors import ModelError


def test_means_and_errors_are_those_of_the_cells():
    drawn = ic.simulate("2pl", respondents=80, items=12, seed=3, missing=0.1)
    fit = ic.fit(drawn.responses, "2pl")
    groups = {item: "even" if k % 2 == 0 else "odd" for k, item in enumerate(fit.responses.items)}
    found = expected_strengths(fit, groups)
    values, p = fit.responses.array(), fit.expected_response(fit.estimates.abilities)
    for name, start in (("even", 0), ("odd", 1)):
        place = found.groups.index(name)
        own, expected = values[:, start::2], np.where(np.isnan(values), np.nan, p)[:, start::2]
        np.testing.assert_allclose(found.observed[:, place], np.nanmean(own, axis=1))
        np.testing.assert_allclose(found.expected[:, place], np.nanmean(expected, axis=1))
        errors = np.sqrt(np.nansum(expected * (1 - expected), axis=1)) / (~np.isnan(own)).sum(1)
        np.testing.assert_allclose(found.errors[:, place], errors)


def test_a_weak_subject_is_found_and_chance_is_not():
    rng = np.random.default_rng(5)
    ability = rng.normal(size=(200, 1)) * np.ones((1, 120))
    difficulty = rng.normal(size=120)
    # The first respondent knows nothing of the first subject.
    ability[0, :40] -= 3.0
    draws = rng.random((200, 120)) < 1 / (1 + np.exp(difficulty - ability))
    fit = ic.fit(ic.Responses.from_array(draws.astype(float)), "1pl")
    groups = {item: f"subject {k // 40}" for k, item in enumerate(fit.responses.items)}
    found = expected_strengths(fit, groups)
    names = fit.responses.respondents
    first = found.frame(names[0])
    assert first["group"][0] == "subject 0"
    assert first["verdict"][0] == "weaker"
    verdicts = [(found.frame(name)["verdict"] != "").any() for name in names[1:]]
    # Holm's over the groups of each: at most 5 in 100 by chance, and residuals vary a little less.
    assert np.mean(verdicts) < 0.06


def test_items_without_a_group_are_left_out_and_none_at_all_is_refused():
    fit = ic.fit(ic.simulate("2pl", respondents=50, items=6, seed=1).responses, "2pl")
    found = expected_strengths(fit, {fit.responses.items[0]: "only"})
    assert found.counts.sum() == 50
    with pytest.raises(ModelError, match="no item of the fit has one"):
        expected_strengths(fit, {})
