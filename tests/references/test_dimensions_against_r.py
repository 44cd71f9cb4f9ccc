"""Several abilities: maxima that R mirt and a direct maximisation of the likelihood agree on."""

import json

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.dimensions.rotation import rotate, standard_loadings


@pytest.fixture(scope="module")
def values(shared_data):
    path = shared_data / "reference" / "reference_values2.json"
    found = json.loads(path.read_text())
    return next(own for key, own in found.items() if key.startswith("5"))["own"]


def test_correlated_abilities(values, shared_data):
    responses = ic.Responses.read(shared_data / "reference" / "simple2d_1000x20.csv")
    items = list(responses.items)
    fit = ic.fit(responses, "2pl", dimensions={"one": items[:10], "two": items[10:]}, prior=None)
    own = values["simple2d"]
    assert fit.status.is_converged
    assert fit.n_parameters == own["npar"]
    assert fit.log_likelihood == pytest.approx(own["logLik"], abs=1e-4)
    assert fit.correlation[0, 1] == pytest.approx(own["rho"], abs=1e-4)
    assert fit.correlation_errors.iloc[0, 1] == pytest.approx(0.0370403, rel=1e-4)
    assert np.allclose(fit.slopes.sum(axis=1), own["a"], atol=1e-4)
    assert np.allclose(fit.items["intercept"], own["d"], atol=1e-4)
    errors = np.where(np.arange(20) < 10, fit.items["slope_one_se"], fit.items["slope_two_se"])
    assert np.allclose(errors, own["a_se"], rtol=1e-4)
    assert np.allclose(fit.items["intercept_se"], own["d_se"], rtol=1e-4)


def test_testlets(values, shared_data):
    responses = ic.Responses.read(shared_data / "reference" / "testlets_800x18.csv")
    items = list(responses.items)
    groups = {f"testlet_{k}": items[6 * k : 6 * k + 6] for k in range(3)}
    fit = ic.fit(responses, "2pl", dimensions=groups, general=True, prior=None)
    own = values["testlets_bifactor"]
    assert fit.n_parameters == own["npar"]
    assert fit.log_likelihood == pytest.approx(-7879.8574905, abs=1e-4)
    assert np.allclose(fit.slopes[:, 0], own["a"], atol=1e-3)
    assert np.allclose(fit.slopes[:, 1:].sum(axis=1), own["s"], atol=1e-3)
    assert np.allclose(fit.items["intercept"], own["d"], atol=1e-4)
    special = fit.items[[f"slope_testlet_{k}_se" for k in range(3)]].sum(axis=1)
    for name, errors in (("a_se", fit.items["slope_general_se"]), ("s_se", special)):
        assert np.allclose(errors, own[name], rtol=1e-4)
    assert np.allclose(fit.items["intercept_se"], own["d_se"], rtol=1e-4)


@pytest.mark.slow
def test_two_explored_abilities_of_a_test(values, sat12):
    fit = ic.fit(sat12, "2pl", dimensions=2, prior=None)
    assert fit.n_parameters == 95
    # R mirt has not converged at −9441.932; a direct maximisation gives −9441.927607.
    assert fit.log_likelihood == pytest.approx(-9441.927607, abs=1e-3)
    assert fit.correlation[0, 1] == pytest.approx(0.610526, abs=2e-3)
    found, wanted = fit.loadings.iloc[:, 1:3], values["SAT12_2d"]["oblimin"]["loadings"]
    np.testing.assert_allclose(found, wanted, atol=1e-4)
    upright = fit.slopes @ np.linalg.cholesky(fit.correlation)
    turned = rotate(upright, "varimax")
    found = standard_loadings(upright @ np.linalg.inv(turned.matrix), turned.correlation)
    np.testing.assert_allclose(found, values["SAT12_2d"]["varimax"]["loadings"], atol=1e-4)


@pytest.mark.slow
def test_a_general_ability_and_three_special_ones_of_a_test(values, sat12):
    """Its maximum has special slopes of both signs; the start has to find them."""
    places = [2, 3, 2, 3, 3, 2, 1, 2, 1, 1, 1, 3, 1, 3, 1, 2, 1, 1, 3, 3, 1, 1, 3, 1, 3, 3, 1, 3]
    places += [2, 3, 1, 2]
    groups = {
        f"special_{k}": [item for item, own in zip(sat12.items, places, strict=True) if own == k]
        for k in (1, 2, 3)
    }
    fit = ic.fit(sat12, "2pl", dimensions=groups, general=True, prior=None)
    own = values["SAT12_bifactor"]
    assert fit.status.is_converged
    assert fit.n_parameters == own["npar"]
    assert fit.log_likelihood == pytest.approx(-9435.051021, abs=1e-3)
    np.testing.assert_allclose(fit.slopes[:, 0], own["a"], atol=1e-3)
    special = np.abs(fit.slopes[:, 1:].sum(axis=1))
    np.testing.assert_allclose(special, np.abs(own["s"]), atol=2e-3)
    np.testing.assert_allclose(fit.items["intercept"], own["d"], atol=1e-3)
    errors = fit.items[[f"slope_special_{k}_se" for k in (1, 2, 3)]].sum(axis=1)
    for name, found in (("a_se", fit.items["slope_general_se"]), ("s_se", errors)):
        np.testing.assert_allclose(found, own[name], rtol=2e-3)
    np.testing.assert_allclose(fit.items["intercept_se"], own["d_se"], rtol=2e-3)


@pytest.mark.slow
def test_three_explored_abilities_of_a_test(values, sat12):
    """A direct maximisation at 25³ nodes gives −9415.58, right to .05."""
    fit = ic.fit(sat12, "2pl", dimensions=3, prior=None)
    assert fit.status.is_converged
    assert fit.n_parameters == values["SAT12_3d"]["npar"]
    assert fit.log_likelihood >= -9415.63
    assert fit.log_likelihood == pytest.approx(-9415.58, abs=0.05)
