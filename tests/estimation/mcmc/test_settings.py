"""Sampling by NUTS: tiny settings, so that draws prove the plumbing and not the statistics."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import MissingExtraError, ModelError
from itemcurve.estimation.mcmc import nuts
from itemcurve.estimation.mcmc.draws_summary import _status
from itemcurve.estimation.posterior_draws import effective_size, split_rhat
from itemcurve.estimation.status import FitStatus

TINY = ic.MCMC(chains=2, warmup=150, draws=100, seed=3)


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("2pl", respondents=30, items=6, seed=2, missing=0.1)


@pytest.fixture(scope="module")
def fitted(truth):
    return ic.fit(truth.responses, "2pl", method=TINY, on_failure="ignore")


@pytest.mark.slow
def test_it_gives_what_every_method_gives_and_its_diagnostics(fitted):
    assert np.isfinite(fitted.respondents.select_dtypes("number")).all().all()
    assert {"discrimination_lower", "probability_negative", "rhat", "ess"} <= set(fitted.items)
    assert {"ability_lower", "ability_upper", "rhat", "ess"} <= set(fitted.respondents)
    assert (fitted.items["probability_negative"].between(0, 1)).all()
    assert {"max_rhat", "min_ess", "divergences"} <= set(fitted.estimates.diagnostics)
    assert fitted.estimates.diagnostics["max_rhat"] == max(
        fitted.items["rhat"].max(),
        fitted.respondents["rhat"].max(),
        split_rhat(np.stack(list(fitted.estimates.draws.population.values()), axis=-1)).max(),
    )
    assert fitted.log_likelihood == pytest.approx(fitted.estimates.objective_value)


@pytest.mark.slow
def test_it_agrees_with_the_marginal_method_within_its_noise(fitted, truth):
    other = ic.fit(truth.responses, "2pl", method=ic.Marginal(over="respondents"))
    gap = fitted.estimates.abilities - other.estimates.abilities
    assert np.abs(gap / fitted.estimates.ability_errors).mean() < 0.2
    ratio = other.estimates.ability_errors / fitted.estimates.ability_errors
    assert 0.75 < np.median(ratio) < 1.15


@pytest.mark.slow
def test_the_same_seed_gives_the_same_draws(fitted, truth):
    again = ic.fit(truth.responses, "2pl", method=TINY, on_failure="ignore")
    np.testing.assert_array_equal(again.estimates.draws.values, fitted.estimates.draws.values)


@pytest.mark.slow
def test_draws_survive_saving(fitted, tmp_path):
    fitted.save(tmp_path / "run")
    loaded = ic.load(tmp_path / "run")
    np.testing.assert_array_equal(loaded.estimates.draws.values, fitted.estimates.draws.values)
    assert loaded.estimates.diagnostics == fitted.estimates.diagnostics
    assert loaded.respondents.equals(fitted.respondents)
    assert loaded.items.equals(fitted.items)
    assert loaded.status is fitted.status


@pytest.mark.slow
def test_draws_go_to_arviz_with_the_log_likelihood_of_every_cell(fitted, truth):
    tree = fitted.to_arviz(thin=10)
    assert tree["posterior"]["ability"].shape == (2, 10, 30)
    assert list(tree["posterior"]["discrimination"]["item"].values) == list(truth.responses.items)
    cells = tree["log_likelihood"]["response"]
    assert cells.shape == (2, 10, truth.responses.n_observed)
    assert float(cells.max()) < 0


@pytest.mark.slow
def test_comparisons_tell_psis_loo(fitted, truth):
    marginal = ic.fit(truth.responses, "2pl", method=ic.Marginal(over="respondents"))
    table = ic.compare(fitted, marginal).frame().set_index("method")
    assert np.isfinite(table.loc["mcmc", "psis_loo"])
    assert np.isnan(table.loc["marginal", "psis_loo"])
    # Both estimate the same model: they predict alike but for what points leave out, and leaving
    # one out says nearly so too.
    assert abs(table["held_out"].diff().iloc[1]) < 0.06
    assert table.loc["mcmc", "psis_loo"] == pytest.approx(table.loc["mcmc", "held_out"], abs=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["1pl", "beta3", "gamma", "logit-normal", "2pl-nd"])
def test_every_kind_of_model_is_sampled(name):
    truth = ic.simulate(name, respondents=10, items=6, seed=3)
    method = ic.MCMC(chains=2, warmup=100, draws=50)
    found = ic.fit(truth.responses, name, method=method, on_failure="ignore")
    assert np.isfinite(found.estimates.draws.values).all()
    assert (found.respondents["ability_se"] > 0).all()
    assert np.corrcoef(found.estimates.abilities, truth.abilities)[0, 1] > 0.5


def test_bad_settings_are_refused():
    for settings in ({"chains": 0}, {"draws": 1.5}, {"target_accept": 1.0}, {"population": "x"}):
        with pytest.raises(ModelError):
            ic.MCMC(**settings)


def test_maximum_likelihood_is_refused_with_the_reason(truth):
    with pytest.raises(ModelError, match="proper prior"):
        ic.fit(truth.responses, "2pl", method="mcmc", prior=None)


def test_a_missing_package_is_named(truth, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "numpyro", None)
    nuts._sampler.cache_clear()
    with pytest.raises(MissingExtraError, match=r"itemcurve\[bayes\]"):
        ic.fit(truth.responses, "2pl", method=TINY)


def test_draws_that_did_not_mix_are_told_by_r_hat_and_effective_size():
    rng = np.random.default_rng(0)
    good = rng.normal(size=(4, 200, 3))
    apart = good + np.array([0, 0, 0, 3])[:, None, None]
    assert split_rhat(good).max() < 1.02
    assert split_rhat(apart).min() > 1.1
    assert effective_size(good).min() > 300
    assert effective_size(apart).max() < 50


@pytest.mark.parametrize(
    ("rhat", "divergences", "status"),
    [
        (1.005, 0, FitStatus.CONVERGED),
        (1.02, 0, FitStatus.NOT_MIXED),
        (float("nan"), 0, FitStatus.NOT_MIXED),
        (1.005, 2, FitStatus.DIVERGENT),
    ],
)
def test_the_status_follows_the_diagnostics(rhat, divergences, status):
    assert _status({"max_rhat": rhat, "divergences": divergences}, 1.01) is status
    assert status.is_converged == (status is FitStatus.CONVERGED)


def test_fits_without_draws_have_no_arviz_export(truth):
    with pytest.raises(ModelError, match="mcmc"):
        ic.fit(truth.responses, "2pl").to_arviz()


@pytest.mark.slow
def test_means_of_draws_of_grades_are_near_what_marginal_likelihood_gives():
    truth = ic.simulate("grm", respondents=60, items=4, seed=3)
    settings = ic.MCMC(chains=2, warmup=100, draws=80, seed=1)
    drawn = ic.fit(truth.responses, "grm", method=settings, on_failure="ignore")
    usual = ic.fit(truth.responses, "grm")
    gap = drawn.respondents["ability"] - usual.respondents["ability"]
    # A quarter of what an ability is uncertain by.
    assert np.sqrt((gap**2).mean()) < 0.25 * usual.respondents["ability_se"].mean()
    assert np.corrcoef(drawn.items["difficulty"], usual.items["difficulty"])[0, 1] > 0.95
