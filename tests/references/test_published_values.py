"""Log-likelihoods, parameters and standard errors that several programs agree on.

`reference_values.json` in the data folder holds them with their sources (R mirt, ltm, catR and a
direct maximisation).
"""

import numpy as np
import pytest

import itemcurve as ic

COLUMNS = {
    "a": "discrimination",
    "d": "intercept",
    "b": "difficulty",
    "se_a": "discrimination_se",
    "se_d": "intercept_se",
}
KEYS = {"rasch": "rasch_a1", "1pl": "1PL", "2pl": "2PL"}


@pytest.mark.parametrize("name", ["LSAT6", "LSAT7"])
@pytest.mark.parametrize("model", ["rasch", "1pl", "2pl"])
def test_maximum_likelihood_matches_the_published_fit(name, model, law_school, reference):
    expected = reference[name].get(KEYS[model])
    if expected is None:
        pytest.skip(f"no published {model} fit of {name}")
    fit = ic.fit(ic.Responses.from_array(law_school(name)), model, prior=None)
    assert fit.status is ic.FitStatus.CONVERGED
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=1e-5)
    compared = [key for key in COLUMNS if key in expected]
    assert compared
    for key in compared:
        given = fit.items[COLUMNS[key]].to_numpy()
        np.testing.assert_allclose(given, np.broadcast_to(expected[key], 5), atol=1e-4)
    if "AIC" in expected:
        assert fit.aic == pytest.approx(expected["AIC"], abs=1e-4)
        assert fit.bic == pytest.approx(expected["BIC"], abs=1e-4)


def test_missing_cells_match_the_published_fit(law_school, reference):
    complete = law_school("LSAT7").astype(float)
    cells = complete.ravel(order="F").copy()
    cells[::7] = np.nan
    responses = ic.Responses.from_array(cells.reshape(complete.shape, order="F"))
    expected = reference["LSAT7"]["2PL_missing_every7th"]
    fit = ic.fit(responses, "2pl", prior=None)
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=1e-5)
    np.testing.assert_allclose(fit.items["discrimination"], expected["a"], atol=1e-4)
    np.testing.assert_allclose(fit.items["intercept"], expected["d"], atol=1e-4)


def test_sat12_matches_the_published_fits(sat12, reference):
    published = reference["SAT12"]
    one = ic.fit(sat12, "1pl", prior=None)
    assert one.log_likelihood == pytest.approx(published["key32=5"]["1PL"], abs=1e-5)
    expected = published["2PL_key32=5_parameters"]
    two = ic.fit(sat12, "2pl", prior=None)
    assert two.log_likelihood == pytest.approx(expected["logLik"], abs=1e-5)
    for key in ("a", "d", "se_a", "se_d"):
        np.testing.assert_allclose(two.items[COLUMNS[key]], expected[key], atol=1e-4)


def test_wirs_and_abortion_match_the_published_fits(shared_data, reference):
    for name in ("WIRS", "Abortion"):
        path = shared_data / "data" / "students" / f"{name.lower()}.csv"
        responses = ic.Responses.read(path)
        expected = reference["ltm_datasets"][name]["2PL"]
        fit = ic.fit(responses, "2pl", prior=None, on_failure="ignore")
        # Printed by ltm with 21 quadrature points, which is good for two decimals.
        assert fit.log_likelihood == pytest.approx(expected, abs=0.02)


def test_unpenalised_3pl_reaches_the_published_maxima(law_school, reference):
    for name, least in (
        ("LSAT7", reference["LSAT7"]["3PL_unpenalised"]["logLik"]),
        ("LSAT6", -2466.649130),
    ):
        responses = ic.Responses.from_array(law_school(name))
        fit = ic.fit(responses, "3pl", prior=None)
        assert fit.log_likelihood >= least
        assert fit.log_likelihood >= ic.fit(responses, "2pl", prior=None).log_likelihood


@pytest.mark.slow
def test_unpenalised_sat12_3pl_reaches_the_published_maximum(sat12, reference):
    fit = ic.fit(sat12, "3pl", prior=None)
    assert fit.log_likelihood >= reference["SAT12"]["key32=5"]["3PL_unpenalised_at_least"]


@pytest.mark.slow
def test_larger_models_never_fit_worse_under_maximum_likelihood(law_school, reference):
    responses = ic.Responses.from_array(law_school("LSAT7"))
    fits = [ic.fit(responses, model, prior=None) for model in ("1pl", "2pl", "3pl", "4pl")]
    values = [fit.log_likelihood for fit in fits]
    assert values == sorted(values)
    assert values[-1] >= reference["LSAT7"]["4PL_unpenalised"]["logLik"]


def test_penalised_objectives_reach_the_published_ones(law_school, reference):
    responses = ic.Responses.from_array(law_school("LSAT7"))
    expected = reference["LSAT7"]["3PL_prior_logitg_N(-1.5,0.5)"]
    flat = {"discrimination": None, "intercept": None}
    fit = ic.fit(responses, "3pl", prior={**flat, "guessing": ic.priors.LogitNormal(-1.5, 0.5)})
    least = expected["logLik"] + expected["logPrior"] - 1e-3
    assert fit.estimates.objective_value >= least
    np.testing.assert_allclose(fit.items["guessing"], expected["g"], atol=2e-3)


@pytest.mark.slow
def test_penalised_4pl_objective_reaches_the_published_one(law_school, reference):
    responses = ic.Responses.from_array(law_school("LSAT7"))
    expected = reference["LSAT7"]["4PL_prior_logitg_N(-1.7,.1)_logitu_N(1.7,.1)"]
    prior = {
        "discrimination": None,
        "intercept": None,
        "guessing": ic.priors.LogitNormal(-1.7, 0.1),
        "upper_asymptote": ic.priors.LogitNormal(1.7, 0.1),
    }
    fit = ic.fit(responses, "4pl", prior=prior)
    assert fit.estimates.objective_value >= expected["logLik"] + expected["logPrior"] - 1e-3
