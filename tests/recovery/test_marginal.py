"""Simulate, fit, compare with the truth."""

import numpy as np
import pytest
from scipy.special import expit

import itemcurve as ic


def coverage(estimates, errors, truth):
    return np.mean(np.abs(estimates - truth) < 1.645 * errors)


@pytest.mark.parametrize(("respondents", "items"), [(30, 300), (200, 81)])
def test_ability_intervals_cover(respondents, items):
    """The full table over 20 seeds and larger sizes is in benchmarks/RESULTS.md."""
    covers = []
    for seed in range(8):
        truth = ic.simulate("2pl", respondents=respondents, items=items, seed=100 + seed)
        estimates = ic.fit(truth.responses, "2pl").estimates
        covers.append(coverage(estimates.abilities, estimates.ability_errors, truth.abilities))
    assert 0.85 <= np.mean(covers) <= 0.95


def test_difficulty_intervals_cover_with_few_respondents():
    truth = ic.simulate("2pl", respondents=30, items=1000, seed=3)
    fit = ic.fit(truth.responses, "2pl")
    assert fit.estimates.over == "items"
    assert fit.status is ic.FitStatus.CONVERGED
    true = truth.items["difficulty"]
    assert 0.86 <= coverage(fit.items["difficulty"], fit.items["difficulty_se"], true) <= 0.94
    inside = (fit.items["difficulty_lower"] < true) & (true < fit.items["difficulty_upper"])
    assert 0.86 <= inside.mean() <= 0.94
    assert fit.items["difficulty"].abs().max() < 10


def test_item_intervals_cover_with_many_respondents():
    truth = ic.simulate("2pl", respondents=1500, items=60, seed=5)
    fit = ic.fit(truth.responses, "2pl")
    for name in ("discrimination", "difficulty"):
        share = coverage(fit.items[name], fit.items[f"{name}_se"], truth.items[name])
        assert share >= 0.8


def test_negative_discriminations_are_found():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        truth = ic.simulate("2pl", respondents=1000, items=40, seed=seed)
        values = truth.values.copy()
        values[:5, 0] = -1.4
        values[:5, 1] = rng.normal(size=5) * 0.7
        chance = expit(np.outer(truth.abilities, values[:, 0]) + values[:, 1])
        responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(int))
        fit = ic.fit(responses, "2pl")
        found = fit.items["discrimination"].to_numpy()
        assert (found[:5] < 0).all()
        assert (found[5:] > 0).all()
        np.testing.assert_allclose(found[:5], -1.4, atol=0.3)
        assert fit.items["flags"].str.contains("negative")[:5].all()
        again = ic.fit(responses, "2pl").items["discrimination"].to_numpy()
        np.testing.assert_array_equal(again, found)


def test_most_items_negative_still_gives_abilities_that_follow_the_mean_response():
    rng = np.random.default_rng(1)
    abilities = rng.normal(size=400)
    slopes = np.r_[np.full(6, 1.5), np.full(4, -1.5)]
    chance = expit(np.outer(abilities, slopes))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(int))
    for prior in ("default", None):
        fit = ic.fit(responses, "2pl", prior=prior)
        means = responses.means(axis=1)
        assert np.corrcoef(fit.estimates.abilities, means)[0, 1] > 0


def test_both_sides_agree_where_both_apply():
    truth = ic.simulate("2pl", respondents=200, items=400, seed=3)
    items = ic.fit(truth.responses, "2pl", method=ic.Marginal(over="items"))
    people = ic.fit(truth.responses, "2pl", method=ic.Marginal(over="respondents"))
    a, b = items.estimates.abilities, people.estimates.abilities
    assert np.corrcoef(a, b)[0, 1] > 0.999
    slope, offset = np.polyfit(b, a, 1)
    gap = items.expected_response(slope * b + offset) - people.expected_response(b)
    assert np.abs(gap).mean() < 0.01


def test_priors_on_a_thousand_items_do_not_bend_the_scale_of_ability():
    """Were abilities held at N(0, 1), many weak priors would together shrink the scale."""
    truth = ic.simulate("2pl", respondents=300, items=1000, seed=6)
    estimates = ic.fit(truth.responses, "2pl").estimates
    assert np.polyfit(truth.abilities, estimates.abilities, 1)[0] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("model", ["3pl", "4pl"])
def test_asymptotes_are_recovered_with_default_priors(model):
    truth = ic.simulate(model, respondents=3000, items=30, seed=2)
    fit = ic.fit(truth.responses, model)
    assert fit.status.is_converged
    gap = np.abs(fit.expected_response(truth.abilities) - _true_response(truth))
    assert gap.mean() < 0.035
    assert np.corrcoef(fit.estimates.abilities, truth.abilities)[0, 1] > 0.75


def _true_response(truth):
    from itemcurve.models.likelihood import Likelihood
    from itemcurve.numerics.engine import NUMPY

    return Likelihood(truth.model).expected_response(NUMPY, truth.abilities, truth.values).T


def test_constant_items_and_perfect_respondents_are_kept_and_flagged():
    array = ic.simulate("2pl", respondents=100, items=12, seed=0).responses.array()
    array[:, 0], array[:, 1] = 1, 0
    array[0, 2:], array[0, 1] = 1, 0
    array[1, :] = 1
    array[1, 1] = 0
    for method in ("items", "respondents"):
        fit = ic.fit(ic.Responses.from_array(array), "2pl", method=ic.Marginal(over=method))
        assert fit.status.is_converged
        assert fit.items["flags"][0].startswith("constant")
        assert fit.items["flags"][1].startswith("constant")
        assert np.isfinite(fit.items["intercept"]).all()
        assert fit.items["intercept"][0] > 2 > -2 > fit.items["intercept"][1]


def test_blocks_of_the_information_are_close_to_the_full_one():
    truth = ic.simulate("2pl", respondents=800, items=120, seed=9)
    full, blocks = (
        ic.fit(truth.responses, "2pl", method=ic.Marginal(standard_errors=kind)).items
        for kind in ("full", "blocks")
    )
    ratio = blocks["discrimination_se"] / full["discrimination_se"]
    assert ratio.between(0.85, 1.02).all()


def test_large_narrow_posteriors_agree_with_the_plain_grid():
    """The interpolated quadrature and a very fine plain grid give the same fit."""
    truth = ic.simulate("2pl", respondents=250, items=500, seed=1)
    fit = ic.fit(truth.responses, "2pl", prior=None)
    nodes = np.linspace(-7, 7, 2801)
    chance = fit.expected_response(nodes)
    data = truth.responses.array()
    log_values = data @ np.log(chance).T + (1 - data) @ np.log1p(-chance).T - nodes**2 / 2
    log_values += np.log((nodes[1] - nodes[0]) / np.sqrt(2 * np.pi))
    top = log_values.max(axis=1, keepdims=True)
    mass = np.exp(log_values - top)
    exact = float((top[:, 0] + np.log(mass.sum(axis=1))).sum())
    assert fit.log_likelihood == pytest.approx(exact, abs=1e-3)
    mean = mass @ nodes / mass.sum(axis=1)
    np.testing.assert_allclose(fit.estimates.abilities, mean, atol=1e-4)
