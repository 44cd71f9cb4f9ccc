"""Our estimates against an independent maximisation: dense quadrature, SciPy's optimiser.

Nothing of itemcurve's estimation is used on the right-hand side, so these checks hold in any
clone, without the published data.
"""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logsumexp

import itemcurve as ic
from itemcurve.estimation.marginal.over_items.fit_over_items import solve_over_items
from itemcurve.estimation.optimisation.iterate import UNWATCHED
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

NODES = np.linspace(-8, 8, 801)
LOG_DENSITY = -(NODES**2) / 2 - np.log(np.sqrt(2 * np.pi)) + np.log(NODES[1] - NODES[0])


def marginal_log_likelihood(responses, slopes, intercepts, guessing=0.0):
    linear = np.outer(NODES, slopes) + intercepts
    log_right = np.log(guessing + (1 - guessing) * expit(linear)) if guessing else log_expit(linear)
    log_wrong = np.log(1 - guessing) + log_expit(-linear)
    observed = ~np.isnan(responses)
    right = np.where(observed, responses, 0.0)
    wrong = np.where(observed, 1 - right, 0.0)
    log_values = right @ log_right.T + wrong @ log_wrong.T
    return logsumexp(log_values + LOG_DENSITY, axis=1).sum()


def numeric_hessian(function, x, step=1e-4):
    size = len(x)
    hessian = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            total = 0.0
            for a in (1, -1):
                for b in (1, -1):
                    moved = x.copy()
                    moved[i] += a * step
                    moved[j] += b * step
                    total += a * b * function(moved)
            hessian[i, j] = total / (4 * step**2)
    return hessian


@pytest.fixture(scope="module", params=[0.0, 0.15], ids=["complete", "missing"])
def data(request):
    truth = ic.simulate("2pl", respondents=250, items=5, seed=11, missing=request.param)
    return truth.responses.array()


def test_2pl_maximum_likelihood_and_errors_match_brute_force(data):
    def negative(x):
        return -marginal_log_likelihood(data, x[:5], x[5:])

    best = minimize(negative, np.r_[np.ones(5), np.zeros(5)], method="BFGS", options={"gtol": 1e-6})
    fit = ic.fit(ic.Responses.from_array(data), "2pl", prior=None)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-5)
    np.testing.assert_allclose(fit.items["discrimination"], best.x[:5], atol=2e-4)
    np.testing.assert_allclose(fit.items["intercept"], best.x[5:], atol=2e-4)
    errors = np.sqrt(np.diag(np.linalg.inv(numeric_hessian(negative, best.x))))
    np.testing.assert_allclose(fit.items["discrimination_se"], errors[:5], rtol=2e-3)
    np.testing.assert_allclose(fit.items["intercept_se"], errors[5:], rtol=2e-3)


def test_difficulty_errors_match_brute_force_in_the_difficulty_metric(data):
    def negative(x):
        return -marginal_log_likelihood(data, x[:5], -x[:5] * x[5:])

    fit = ic.fit(ic.Responses.from_array(data), "2pl", prior=None)
    at = np.r_[fit.items["discrimination"], fit.items["difficulty"]]
    errors = np.sqrt(np.diag(np.linalg.inv(numeric_hessian(negative, at))))
    np.testing.assert_allclose(fit.items["difficulty_se"], errors[5:], rtol=5e-3)


def test_1pl_common_slope_and_its_error_match_brute_force(data):
    def negative(x):
        return -marginal_log_likelihood(data, np.full(5, x[0]), x[1:])

    best = minimize(negative, np.r_[1.0, np.zeros(5)], method="BFGS", options={"gtol": 1e-6})
    fit = ic.fit(ic.Responses.from_array(data), "1pl", prior=None)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-5)
    errors = np.sqrt(np.diag(np.linalg.inv(numeric_hessian(negative, best.x))))
    np.testing.assert_allclose(fit.items["discrimination"], abs(best.x[0]), atol=2e-4)
    np.testing.assert_allclose(fit.items["discrimination_se"], errors[0], rtol=2e-3)
    np.testing.assert_allclose(fit.items["intercept_se"], errors[1:], rtol=2e-3)


def test_fixed_guessing_matches_brute_force():
    truth = ic.simulate("3pl", respondents=600, items=5, seed=1, guessing=0.2)
    data = truth.responses.array()

    def negative(x):
        return -marginal_log_likelihood(data, x[:5], x[5:], guessing=0.2)

    fit = ic.fit(ic.Responses.from_array(data), "3pl", prior=None, guessing=0.2)
    ours = np.r_[fit.items["discrimination"], fit.items["intercept"]]
    assert fit.log_likelihood == pytest.approx(-negative(ours), abs=1e-5)
    best = minimize(negative, ours, method="BFGS", options={"gtol": 1e-6})
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-5)
    np.testing.assert_allclose(ours, best.x, atol=2e-3)
    np.testing.assert_allclose(fit.items["guessing"], 0.2)


def test_posterior_mode_matches_brute_force_with_a_free_scale(data):
    """With priors the ability scale is free: the same objective, maximised by brute force."""

    def negative(x):
        slopes, intercepts, mean, sd = x[:5], x[5:10], x[10], np.exp(x[11])
        value = marginal_log_likelihood(data, slopes * sd, intercepts + slopes * mean)
        prior = ((slopes - 1) ** 2).sum() / 2 + (intercepts**2).sum() / 18
        # The population's mean and log sd are held softly to N(0, 1).
        return -(value - prior - x[10] ** 2 / 2 - x[11] ** 2 / 2)

    start = np.r_[np.ones(5), np.zeros(7)]
    best = minimize(negative, start, method="BFGS", options={"gtol": 1e-6})
    fixed = ic.Marginal(item_priors="fixed")
    fit = ic.fit(ic.Responses.from_array(data), "2pl", method=fixed)
    sd, mean = np.exp(best.x[11]), best.x[10]
    np.testing.assert_allclose(fit.items["discrimination"], best.x[:5] * sd, atol=5e-4)
    np.testing.assert_allclose(fit.items["intercept"], best.x[5:10] + best.x[:5] * mean, atol=5e-4)


def test_eap_matches_a_plain_sum_over_a_fine_grid(data):
    responses = ic.Responses.from_array(data)
    fit = ic.fit(responses, "2pl", prior=None)
    chance = fit.expected_response(NODES)
    right, seen = np.nan_to_num(data), ~np.isnan(data)
    log_values = right @ np.log(chance).T + (seen - right) @ np.log1p(-chance).T + LOG_DENSITY
    weights = np.exp(log_values - logsumexp(log_values, axis=1, keepdims=True))
    mean = weights @ NODES
    sd = np.sqrt(weights @ NODES**2 - mean**2)
    found = ic.score(fit.bank, responses, method="eap")
    np.testing.assert_allclose(found.ability, mean, atol=1e-6)
    np.testing.assert_allclose(found.ability_se, sd, atol=1e-6)
    np.testing.assert_allclose(fit.respondents["ability"], mean, atol=1e-6)


def test_integrating_items_out_matches_brute_force():
    """Abilities of three respondents: the exact item integral on a fine grid, by brute force."""
    data = ic.simulate("1pl", respondents=3, items=60, seed=2).responses.array()
    difficulty = np.linspace(-9, 9, 901)

    def negative(x):
        abilities, log_sd = x[:3], x[3]
        chance = expit(abilities[:, None] - difficulty)
        log_values = data.T @ np.log(chance) + (1 - data).T @ np.log1p(-chance)
        density = -0.5 * (difficulty / np.exp(log_sd)) ** 2 - log_sd - 0.5 * np.log(2 * np.pi)
        total = logsumexp(log_values + density + np.log(difficulty[1] - difficulty[0]), axis=1)
        return -(total.sum() - (abilities**2).sum() / 18 - log_sd**2 / 2)

    best = minimize(negative, np.zeros(4), method="BFGS", options={"gtol": 1e-6})
    likelihood = Likelihood(ic.get_model("1pl").population_form())
    responses = ic.Responses.from_array(data)
    _, optimum = solve_over_items(
        ic.Marginal(over="items"), responses, likelihood, NUMPY, UNWATCHED
    )
    np.testing.assert_allclose(optimum.point.x[:, 0], best.x[:3], atol=1e-3)
    assert np.exp(optimum.point.state[0]) == pytest.approx(np.exp(best.x[3]), rel=1e-3)


def test_abilities_with_items_integrated_out_are_means_of_the_posterior():
    """The same posterior by weighted draws: no mode, no expansion."""
    data = ic.simulate("1pl", respondents=3, items=60, seed=2).responses.array()
    difficulty = np.linspace(-9, 9, 181)
    centre = np.append(np.log(data.mean(axis=1) / (1 - data.mean(axis=1))), 0.0)
    spread = np.array([0.6, 0.6, 0.6, 0.4])
    normal = np.random.default_rng(0).normal(size=(6_000, 4))
    draws = centre + spread * normal
    chance = expit(draws[:, :3, None] - difficulty)
    log_right, log_wrong = np.log(chance), np.log1p(-chance)
    patterns, counts = np.unique(data.T, axis=0, return_counts=True)
    density = -0.5 * (difficulty / np.exp(draws[:, 3:])) ** 2 - draws[:, 3:]
    height = -(draws[:, :3] ** 2).sum(axis=1) / 18 - draws[:, 3] ** 2 / 2
    for pattern, count in zip(patterns, counts, strict=True):
        values = np.einsum("r,nrd->nd", pattern, log_right) + density
        values += np.einsum("r,nrd->nd", 1 - pattern, log_wrong)
        height += count * logsumexp(values, axis=1)
    logs = height + 0.5 * (normal**2).sum(axis=1)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    assert 1 / (weights**2).sum() > 200
    mean = weights @ draws
    fit = ic.fit(ic.Responses.from_array(data), "1pl", method=ic.Marginal(over="items"))
    unit = fit.items["discrimination"][0]
    assert unit == pytest.approx(mean[:3].std(), rel=0.03)
    np.testing.assert_allclose(
        fit.estimates.abilities, (mean[:3] - mean[:3].mean()) / mean[:3].std(), atol=0.03
    )
