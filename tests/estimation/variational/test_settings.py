"""Variational inference: the bound, the posterior, refusals."""

from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.posterior_mode.log_posterior import JointProblem
from itemcurve.estimation.refitting import method_of
from itemcurve.estimation.variational.mean_field_elbo import MeanFieldELBO, MeanFieldPosterior
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY


def field_of(model, responses, weights=(1.0, 1.0)):
    likelihood = Likelihood(model)
    values = start_values(model, responses)
    problem = JointProblem.build(likelihood, responses, values, NUMPY, has_priors=False)
    priors = tuple(model.parameters[i].prior for i in likelihood.free)
    return MeanFieldELBO(problem, priors, model.ability_prior, weights)


@pytest.mark.parametrize("name", ["2pl", "beta3", "gamma", "logit-normal"])
@pytest.mark.parametrize("weights", [(1.0, 1.0), (7.0, 5.0)])
def test_slopes_are_derivatives_of_the_bound(name, weights):
    truth = ic.simulate(name, respondents=6, items=5, seed=1)
    field = field_of(ic.get_model(name), truth.responses, weights)
    rng = np.random.default_rng(2)
    x = coordinates_of(field.problem.likelihood.model, field.problem.held)
    q = MeanFieldPosterior(x, 0.1 + 0.2 * rng.random(x.shape), truth.abilities, np.full(6, 0.3))
    bound, step = field.bound(q), 1e-6
    for part, slope in (("x", bound.x_slope), ("t", bound.t_slope)):
        change = rng.normal(size=slope.shape)
        moved = [
            MeanFieldPosterior(**{**vars(q), part: getattr(q, part) + sign * step * change})
            for sign in (1, -1)
        ]
        above, below = (field.bound(p).value for p in moved)
        assert (above - below) / (2 * step) == pytest.approx((slope * change).sum(), rel=1e-5)
    for part, weight in (("x", weights[1]), ("t", weights[0])):
        sd, precision = getattr(q, f"{part}_sd"), getattr(bound, f"{part}_precision")
        change = rng.normal(size=sd.shape)
        moved = [
            MeanFieldPosterior(**{**vars(q), f"{part}_sd": sd * np.exp(sign * step * change)})
            for sign in (1, -1)
        ]
        above, below = (field.bound(p).value for p in moved)
        expected = (change * (weight - sd**2 * precision)).sum()
        assert (above - below) / (2 * step) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("posterior", ["full-rank", "mean-field"])
@pytest.mark.parametrize("name", ["2pl", "fractional-beta3", "2pl-nd"])
def test_the_bound_never_falls(name, posterior):
    heights = []
    responses = ic.simulate(name, respondents=20, items=15, seed=3).responses
    fit = ic.fit(
        responses,
        name,
        method=ic.Variational(posterior=posterior),
        progress=lambda _, value: heights.append(value),
    )
    assert fit.status.is_converged
    # A full-rank posterior's bound is known up to its cubature.
    assert (np.diff(heights) >= (-1e-4 if posterior == "full-rank" else -1e-9)).all()
    assert fit.objective == "evidence lower bound"


def test_the_bound_lies_below_the_evidence():
    """One ability at a time is integrated exactly, item by item known nearly exactly."""
    truth = ic.simulate("rasch", respondents=40, items=6, seed=1)
    fit = ic.fit(truth.responses, "rasch", method="variational")
    assert fit.estimates.objective_value < fit.log_likelihood


def test_posterior_probabilities_of_a_negative_discrimination_are_those_of_nuts():
    truth = ic.simulate("2pl", respondents=150, items=20, seed=2)
    array = truth.responses.array()
    array[:, :3] = 1 - array[:, :3]
    items = ic.fit(ic.Responses.from_array(array), "2pl", method="variational").items
    # MCMC(population="respondents") on these data: the third turned item hardly discriminates.
    np.testing.assert_allclose(items["probability_negative"][:3], [0.999, 1.0, 0.84], atol=0.01)
    np.testing.assert_allclose(
        items["discrimination"][:5], [-0.619, -1.016, -0.19, 0.801, 1.385], atol=0.02
    )
    np.testing.assert_allclose(
        items["discrimination_se"][:5], [0.222, 0.265, 0.188, 0.247, 0.318], rtol=0.12
    )
    assert (items["probability_negative"][3:] < 0.5).all()
    assert (items["discrimination_lower"] < items["discrimination"]).all()
    assert (items["discrimination"] < items["discrimination_upper"]).all()


@pytest.mark.parametrize("name", ["2pl", "3pl", "beta3", "gamma", "logit-normal", "2pl-nd"])
def test_a_full_rank_posterior_reaches_a_higher_bound_than_mean_field(name):
    """Independent posteriors are among the full-rank ones."""
    responses = ic.simulate(name, respondents=40, items=15, seed=2).responses
    heights = {
        kind: ic.fit(
            responses, name, method=ic.Variational(posterior=kind)
        ).estimates.objective_value
        for kind in ("full-rank", "mean-field")
    }
    assert heights["full-rank"] > heights["mean-field"] + 1.0


def test_a_full_rank_posterior_agrees_with_marginal_estimation():
    truth = ic.simulate("2pl", respondents=300, items=25, seed=5)
    full_rank, marginal = (
        ic.fit(truth.responses, "2pl", method=method).estimates
        for method in ("variational", ic.Marginal(over="respondents"))
    )
    slope = np.polyfit(marginal.abilities, full_rank.abilities, 1)[0]
    assert slope == pytest.approx(1.0, abs=0.03)
    gap = (full_rank.abilities - marginal.abilities) / marginal.ability_errors
    assert np.abs(gap).mean() < 0.1
    ratio = full_rank.ability_errors / marginal.ability_errors
    assert np.median(ratio) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("posterior", ["full-rank", "mean-field"])
@pytest.mark.parametrize("name", ["rasch", "1pl", "2pl"])
def test_the_population_of_abilities_is_estimated_as_over_respondents(name, posterior):
    truth = ic.simulate("1pl", respondents=400, items=30, seed=5)
    responses = ic.Responses.from_array(
        np.random.default_rng(1).binomial(
            1, 1 / (1 + np.exp(-1.5 * truth.abilities[:, None] - 0.5 * np.arange(-1, 2, 0.1)))
        )
    )
    found, marginal = (
        ic.fit(responses, name, method=method).estimates
        for method in (
            ic.Variational(posterior=posterior),
            ic.Marginal(over="respondents", item_priors="fixed"),
        )
    )
    np.testing.assert_allclose(found.values[:, 0], marginal.values[:, 0], rtol=0.12)
    assert found.values[:, 0].mean() == pytest.approx(marginal.values[:, 0].mean(), rel=0.02)
    np.testing.assert_allclose(found.values[:, 1], marginal.values[:, 1], atol=0.05)
    assert found.abilities.mean() == pytest.approx(0.0, abs=0.02)


def test_positive_discriminations_are_surely_positive():
    responses = ic.simulate("2pl", respondents=40, items=12, seed=2).responses
    fit = ic.fit(responses, "2pl", method="variational", discrimination="positive")
    assert (fit.items["probability_negative"] == 0).all()
    assert (fit.items["discrimination_lower"] > 0).all()


def test_abilities_in_the_unit_interval_have_logit_normal_posteriors():
    truth = ic.simulate("beta3", respondents=12, items=40, seed=1)
    fit = ic.fit(truth.responses, "beta3", method="variational")
    assert np.corrcoef(fit.estimates.abilities, truth.abilities)[0, 1] > 0.97
    assert fit.items["difficulty"].between(0, 1).all()
    assert fit.items["difficulty_upper"].between(0, 1).all()


def test_published_objective_weighs_divergences_more_and_shrinks_abilities():
    truth = ic.simulate("beta3", respondents=12, items=40, seed=1)
    plain = ic.fit(truth.responses, "beta3", method="variational")
    published = ic.fit(truth.responses, "beta3", method=ic.Variational(as_published=True))
    assert published.estimates.abilities.std() < 0.7 * plain.estimates.abilities.std()
    assert "as published" in published.objective


def test_maximum_likelihood_is_refused():
    responses = ic.simulate("2pl", respondents=20, items=10, seed=1).responses
    with pytest.raises(ModelError, match="proper prior"):
        ic.fit(responses, "2pl", method="variational", prior=None)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"tolerance": 2.0}, "tolerance must"),
        ({"max_iterations": 0}, "max_iterations must"),
        ({"posterior": "narrow"}, "posterior must be one of"),
        ({"posterior": "full-rank", "as_published": True}, "independent posteriors"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings, reason):
    with pytest.raises(ModelError, match=reason):
        ic.Variational(**settings)


@pytest.mark.parametrize(
    ("former", "now"), [("linked", "full-rank"), ("independent", "mean-field")]
)
def test_former_words_for_the_posterior_are_understood(former, now, tmp_path):
    assert ic.Variational(posterior=former) == ic.Variational(posterior=now)
    responses = ic.simulate("2pl", respondents=30, items=8, seed=1).responses
    fit = ic.fit(responses, "2pl", method=ic.Variational(posterior=now))
    written = {**fit.settings["method_settings"], "posterior": former}
    replace(fit, settings={**fit.settings, "method_settings": written}).save(tmp_path / "run")
    assert method_of(ic.load(tmp_path / "run")).posterior == now


def test_a_saved_variational_fit_loads_back(tmp_path):
    responses = ic.simulate("2pl", respondents=30, items=8, seed=1).responses
    fit = ic.fit(responses, "2pl", method="variational")
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert again.estimates.over == "everything"
    np.testing.assert_array_equal(
        again.items["probability_negative"], fit.items["probability_negative"]
    )


def test_a_full_rank_posterior_of_two_large_sides_is_refused(monkeypatch):
    from itemcurve.estimation.posterior_mode import log_posterior

    monkeypatch.setattr(log_posterior, "MOST_IN_CORNER", 8)
    responses = ic.simulate("2pl", respondents=30, items=8, seed=1).responses
    with pytest.raises(ModelError, match="full-rank posterior needs one side"):
        ic.fit(responses, "2pl", method=ic.Variational(posterior="full-rank"))
    found = ic.fit(responses, "2pl", method="variational")
    assert found.estimates.standard_errors.startswith("independent")


def test_a_bound_that_is_flat_is_not_climbed_for_ever():
    """All scores at one end of their range: steps along it gain less than rounding."""
    steps = []
    fit = ic.fit(
        ic.Responses.from_array(np.zeros((2, 8))),
        "2pl-nd",
        method=ic.Variational(posterior="mean-field"),
        on_failure="ignore",
        progress=lambda iteration, height: steps.append(height),
    )
    assert fit.status is not ic.FitStatus.CONVERGED
    assert len(steps) < 200
