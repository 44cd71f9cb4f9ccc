"""Simulate scores and errors, fit, compare with the truth."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import beta, gamma

import itemcurve as ic
from itemcurve.models.likelihood import Likelihood


@pytest.fixture(scope="module")
def truth():
    """Simulate β³ as its paper does: abilities, difficulties uniform, a ~ N(1, 1)."""
    return ic.simulate("beta3", respondents=12, items=400, seed=0)


@pytest.fixture(scope="module")
def censored(truth):
    return ic.fit(truth.responses, "beta3")


def scale(fit, truth):
    return np.polyfit(truth.abilities, fit.estimates.abilities, 1)[0]


def test_censored_beta3_recovers_abilities_and_their_scale(truth, censored):
    assert censored.estimates.over == "items"
    assert censored.status is ic.FitStatus.CONVERGED
    found = censored.respondents["ability_01"]
    assert np.corrcoef(found, expit(truth.abilities))[0, 1] > 0.998
    assert 0.93 <= scale(censored, truth) <= 1.07
    true = truth.items["discrimination"]
    assert np.corrcoef(censored.items["discrimination"], true)[0, 1] > 0.93


def test_clipping_shrinks_the_scale_of_ability(truth, censored):
    """What the papers do: the reason why censoring is the default."""
    clipped = ic.fit(truth.responses, "beta3", boundary="clip")
    assert scale(clipped, truth) < 0.75
    values = truth.responses.observed_values()
    affected = ((values <= 1e-3) | (values >= 1 - 1e-3)).sum()
    assert clipped.boundary_responses == censored.boundary_responses == affected > 0


@pytest.mark.parametrize("model", ["beta3", "2pl-nd", "logit-normal"])
def test_many_respondents_recover_scores(model):
    truth = ic.simulate(model, respondents=200, items=60, seed=1)
    fit = ic.fit(truth.responses, model)
    assert fit.estimates.over == "respondents"
    assert fit.status.is_converged
    assert np.corrcoef(fit.estimates.abilities, truth.abilities)[0, 1] > 0.96
    assert 0.85 <= scale(fit, truth) <= 1.15
    assert np.corrcoef(fit.items["discrimination"], truth.items["discrimination"])[0, 1] > 0.9


def test_gamma_recovers_the_order_of_abilities():
    truth = ic.simulate("gamma", respondents=200, items=40, seed=1)
    fit = ic.fit(truth.responses, "gamma")
    assert fit.status.is_converged
    assert np.corrcoef(fit.respondents["ability_01"], expit(truth.abilities))[0, 1] > 0.97


def test_the_log_likelihood_is_that_of_the_density():
    """Dense quadrature over a normal population, densities by SciPy."""
    for model, density in (("beta3", beta), ("gamma", gamma)):
        truth = ic.simulate(model, respondents=40, items=6, seed=3)
        # An error of a million makes a posterior far narrower than this quadrature resolves.
        data = np.clip(truth.responses.array(), 1e-3, 20.0 if model == "gamma" else 1 - 1e-3)
        fit = ic.fit(ic.Responses.from_array(data), model, boundary=ic.Boundary("none"))
        assert fit.boundary_responses == 0
        nodes = np.linspace(-14, 14, 2801)
        eta = Likelihood(fit.estimates.model).natural(_numpy(), nodes, fit.estimates.values)
        shape, second = (part[:, :, None] for part in eta)
        settings = (shape, second) if model == "beta3" else (shape, 0, -1 / second)
        log_values = density.logpdf(data.T[:, None, :], *settings).sum(axis=0)
        population = fit.estimates.population
        z = (nodes - population["ability_mean"]) / population["ability_sd"]
        log_prior = -(z**2) / 2 - np.log(population["ability_sd"] * np.sqrt(2 * np.pi))
        terms = log_values + log_prior[:, None] + np.log(nodes[1] - nodes[0])
        total = np.logaddexp.reduce(terms, axis=0).sum()
        assert fit.log_likelihood == pytest.approx(total, abs=1e-3)


def _numpy():
    from itemcurve.numerics.engine import NUMPY

    return NUMPY


def test_a_saved_continuous_fit_keeps_its_boundary(tmp_path):
    truth = ic.simulate("beta3", respondents=60, items=8, seed=2)
    fit = ic.fit(truth.responses, "beta3", boundary=ic.Boundary("censor", 0.01))
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert again.estimates.model == fit.estimates.model
    np.testing.assert_array_equal(again.information([0.5]), fit.information([0.5]))
